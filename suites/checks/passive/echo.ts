import type { Endpoint } from '../../../contracts/endpoint.ts';
import { answerSchema } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import { echoesBody } from '../../../contracts/requirements/bindings.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { compareEcho, type Mismatch } from '../../judge/echo.ts';
import { keepsSchema } from '../../judge/sent-body.ts';
import { inWords } from '../../judge/words.ts';
import { type Answer, isDryRun } from '../../protocol/answer.ts';
import type { PassiveCheck } from '../../protocol/check.ts';
import type { Violation } from '../../protocol/violation.ts';

/** The members that an answer is documented to have: those section 4 names, or else those of the resource. */
function documented(row: Endpoint): ReadonlySet<string> {
  if (row.expected.length > 0) return new Set(row.expected);
  const { data } = row;
  return new Set(Object.keys('properties' in data ? (data.properties ?? {}) : {}));
}

const documentedBy = new WeakMap<Endpoint, ReadonlySet<string>>();
const documentedOf = (row: Endpoint): ReadonlySet<string> => {
  const known = documentedBy.get(row) ?? documented(row);
  documentedBy.set(row, known);
  return known;
};

const isAscii = (text: string): boolean => [...text].every(point => (point.codePointAt(0) ?? 0) < 0x80);

function requirementOf(mismatch: Mismatch, row: Endpoint): RequirementId {
  const { kind, sent, pointer } = mismatch;
  if (kind === 'soft') return 'echo.order-and-space';
  if (kind === 'order') return 'echo.ordered-lists';
  if (kind === 'free-form') return 'echo.free-form';
  if (pointer.endsWith('/targetApps')) return 'echo.target-apps';
  const field = pointer.split('/')[2] ?? '';
  if (!documentedOf(row).has(field)) return 'echo.outside-shape';
  return typeof sent === 'string' && !isAscii(sent) ? 'echo.unicode' : 'echo.sent-field';
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Environments come back as the whole set, in any order: each sent one is looked up by its id or its name. */
function environmentMismatches(sent: Members, data: Members, row: Endpoint): Mismatch[] {
  const given = Array.isArray(sent.environments) ? sent.environments.filter(isObject) : [];
  const back = Array.isArray(data.environments) ? data.environments.filter(isObject) : [];
  const list = row.body?.properties?.environments;
  const item = list !== undefined && 'items' in list ? list.items : undefined;
  return given.flatMap((environment, index) => {
    const at = back.findIndex(other =>
      environment.id !== undefined ? other.id === environment.id : other.name === environment.name,
    );
    if (at < 0) {
      return [{ pointer: '/data/environments', kind: 'missing' as const, sent: given[index], got: undefined }];
    }
    // requiredReviewGroupID stands in requests only.
    return compareEcho(environment as Json, back[at], item, `/data/environments/${at}`).filter(
      ({ pointer, kind }) => !(kind === 'missing' && pointer.endsWith('/requiredReviewGroupID')),
    );
  });
}

function bodyMismatches(sent: Members, data: Members, row: Endpoint): Mismatch[] {
  const shape = documentedOf(row);
  const properties = row.body?.properties ?? {};
  return Object.entries(sent).flatMap(([key, value]) => {
    if (!Object.hasOwn(properties, key)) return [];
    const got = Object.hasOwn(data, key) ? data[key] : undefined;
    if (got === undefined && !shape.has(key)) return [];
    return compareEcho(value as Json, got, properties[key], `/data/${key}`);
  });
}

/** Another type than was sent is left to the schema check wherever that sees it. */
function judgedHere(mismatches: readonly Mismatch[], answer: Answer): readonly Mismatch[] {
  if (!mismatches.some(({ kind }) => kind === 'type')) return mismatches;
  const seen = new Set(validatorFor(answerSchema(answer.request.endpoint))(answer.value).map(({ pointer }) => pointer));
  return mismatches.filter(({ kind, pointer }) => kind !== 'type' || !seen.has(pointer));
}

/** What was sent comes back as it was sent, in every answer of an accepted write. */
export const echo: PassiveCheck = {
  kind: 'passive',
  id: 'echo',
  level: 'MUST',
  title: 'Every sent field comes back as it was sent',
  detects:
    'A field dropped, rounded, trimmed, cut, lower-cased or turned into a string; text that loses its emoji or its combining marks; a list sorted or thinned out.',
  requirements: (_endpoint, row) => [
    'echo.sent-field',
    'echo.order-and-space',
    'echo.unicode',
    'echo.ordered-lists',
    'echo.free-form',
    'echo.outside-shape',
    'echo.target-apps',
    ...(row.wholeEcho === undefined ? [] : [row.wholeEcho as RequirementId]),
  ],
  appliesTo: (_endpoint, row) => echoesBody(row),
  observe(answer, row) {
    const { sent, data, request } = answer;
    if (!answer.success || !answer.own || request.raw !== undefined || row.body === null) return null;
    if (!isObject(sent) || !isObject(data)) return null;
    // What breaks a rule and was accepted all the same may come back in any well-typed form.
    if (!keepsSchema(answer.sent, row)) return null;
    const mismatches =
      row.resource === 'environment' ? environmentMismatches(sent, data, row) : bodyMismatches(sent, data, row);
    // Nothing was updated, so what the answer shows is open.
    if (isDryRun(answer) && row.action === 'update') return [];
    return judgedHere(mismatches, answer).map((mismatch): Violation => {
      const whole = row.wholeEcho as RequirementId | undefined;
      const requirement = mismatch.kind === 'missing' && whole !== undefined ? whole : requirementOf(mismatch, row);
      return {
        requirement,
        pointer: mismatch.pointer,
        expected: inWords(mismatch.sent),
        actual: inWords(mismatch.got),
        answer,
      };
    });
  },
};
