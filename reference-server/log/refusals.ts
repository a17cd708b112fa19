import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { requirementAt } from '../../contracts/fields.ts';
import { isObject } from '../../contracts/json.ts';
import { join } from '../../contracts/pointer.ts';
import { isRequirementId, type RequirementId } from '../../contracts/requirements/index.ts';
import type { ErrorBody, FieldError } from '../api/response.ts';

/** One thing that was wrong with a request, and the requirement that says so, where one does. */
interface RefusedField extends FieldError {
  readonly requirement: RequirementId | null;
}

/** Why a request was refused. */
export interface Refusal {
  readonly message: string;
  readonly errors: readonly RefusedField[];
  /** The requirements on which the refusal rests; of level OPEN where the specification leaves it open. */
  readonly requirements: readonly RequirementId[];
}

/** What is known of a request that was refused. */
interface RefusedRequest {
  readonly endpoint: EndpointId | null;
  readonly status: number;
  readonly body: unknown;
  /** What the header of the key held: nothing, an empty text, or something. */
  readonly key: 'absent' | 'empty' | 'present';
}

/** So many errors of a refusal are kept and shown. */
const shownErrors = 10;

// biome-ignore format: a table
const keyRequirements = {
  absent:  'auth.missing-key',
  empty:   'auth.empty-key',
  present: 'auth.wrong-key',
} as const satisfies Record<RefusedRequest['key'], RequirementId>;

/** On what a refusal of an operation rests that names no field, by its status. */
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

/** The same at a path that is no operation, where it is something else. */
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
  // What stands for a member that no schema names.
  return found === 'envelope.data-shape' ? null : found;
};

/** Why a request was refused; null where it was not, or where the refusal is not in the words of this server. */
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

/** What is kept of a refusal's body, bounded. */
export const keptRefusal = (body: unknown): unknown =>
  isObject(body) && Array.isArray(body.errors) && body.errors.length > shownErrors
    ? { ...body, errors: body.errors.slice(0, shownErrors) }
    : body;
