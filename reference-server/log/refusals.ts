import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { requirementAt } from '../../contracts/fields.ts';
import { isObject } from '../../contracts/json.ts';
import { join } from '../../contracts/pointer.ts';
import { isRequirementId, type RequirementId } from '../../contracts/requirements/index.ts';
import type { ErrorBody, FieldError } from '../api/response.ts';

/** A problem of a request, with the requirement that it breaks, if any. */
interface RefusedField extends FieldError {
  readonly requirement: RequirementId | null;
}

/** Why a request was refused. */
export interface Refusal {
  readonly message: string;
  readonly errors: readonly RefusedField[];
  /** The requirements that justify the refusal; of level OPEN where the specification leaves it open. */
  readonly requirements: readonly RequirementId[];
}

/** The parts of a refused request that explain it. */
interface RefusedRequest {
  readonly endpoint: EndpointId | null;
  readonly status: number;
  readonly body: unknown;
  /** The state of the key header. */
  readonly key: 'absent' | 'empty' | 'present';
}

/** Maximum number of errors kept and shown per refusal. */
const shownErrors = 10;

// biome-ignore format: a table
const keyRequirements = {
  absent:  'auth.missing-key',
  empty:   'auth.empty-key',
  present: 'auth.wrong-key',
} as const satisfies Record<RefusedRequest['key'], RequirementId>;

/** The requirement behind a refusal without field errors, by its status. */
// biome-ignore format: a table
const byStatus: Readonly<Record<number, RequirementId>> = {
  400: 'robust.malformed-json',
  403: 'open.key-kinds',
  404: 'open.unknown-id-status',
  405: 'open.method-status',
  409: 'open.error-codes',
  413: 'open.request-size-limits',
  415: 'service.request-content-type',
  429: 'open.rate-limits',
};

/** The same for paths without an operation. */
const elsewhere: typeof byStatus = { ...byStatus, 404: 'service.route' };

const fieldRequirement = (
  endpoint: EndpointId | null,
  { property, errorMessage }: FieldError,
): RequirementId | null => {
  if (endpoint === null) return null;
  if (/^names no known /.test(errorMessage)) return 'open.unknown-reference';
  const { body } = endpoints[endpoint];
  const query = `query.${property}`;
  if (body === null) return isRequirementId(query) ? query : null;
  const found = requirementAt(body, 'query', property.split('.').reduce(join, ''));
  // The fallback for a member that no schema names.
  return found === 'envelope.data-shape' ? null : found;
};

/** Returns why a request was refused; null if it was not, or if its body is not this server's error format. */
export const refusalOf = ({ endpoint, status, body, key }: RefusedRequest): Refusal | null => {
  if (status < 400 || !isObject(body)) return null;
  const { message = '', errors: all = [] } = body as unknown as Partial<ErrorBody>;
  const errors = (Array.isArray(all) ? all : [])
    .slice(0, shownErrors)
    .map(error => ({ ...error, requirement: fieldRequirement(endpoint, error) }));
  const named = errors.flatMap(({ requirement }) => requirement ?? []);
  const general = status === 401 ? keyRequirements[key] : (endpoint === null ? elsewhere : byStatus)[status];
  const requirements = errors.length > 0 ? [...new Set(named)] : general === undefined ? [] : [general];
  return { message: String(message), errors, requirements };
};

/** Returns a refusal's body with a limited number of errors. */
export const keptRefusal = (body: unknown): unknown =>
  isObject(body) && Array.isArray(body.errors) && body.errors.length > shownErrors
    ? { ...body, errors: body.errors.slice(0, shownErrors) }
    : body;
