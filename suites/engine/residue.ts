import { type Endpoint, resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow, endpointsWhere } from '../../contracts/endpoints.ts';
import { asText, isObject, type Json, type JsonObject, membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import type { LeftBehind } from '../../contracts/report/journal.ts';
import { isCircumstantial, isClientError } from '../judge/outcome.ts';
import { type Answer, dataObject, isDryRun } from '../protocol/answer.ts';
import { entryOf } from '../protocol/entries.ts';
import type { Observer } from '../sut/observer.ts';

/** Bounds that keep an account short, whatever the target does. */
const most = { residue: 200, idLength: 200, strangers: 50, entities: 500, fields: 100, ids: 10_000 } as const;

/** True if an answer shows that the target carried out a write. */
const isPersisted = (answer: Answer): boolean => answer.success && answer.own && !isDryRun(answer);

/** True if the target may have carried out a write: it did, or it failed, or did not answer each time it was sent. */
function mayBePersisted(answer: Answer): boolean {
  const { own, status, reply } = answer;
  if (!own || isDryRun(answer) || (status >= 300 && status < 500)) return false;
  return reply.failure?.kind !== 'refused' || (reply.attempts ?? 1) > 1;
}

/** Returns what an operation left behind of one entity. */
export const leftBehind = (
  endpoint: EndpointId,
  id: string,
  what: string,
  more: Pick<LeftBehind, 'perhaps' | 'send'> & { readonly count?: number } = {},
): LeftBehind => ({
  event: 'left-behind',
  endpoint,
  kind: resourceNames[endpointRow(endpoint).resource],
  id,
  what,
  count: 1,
  ...more,
});

/** Numbers of entities that a request created, and perhaps created if an answer was lost. */
interface Creation {
  readonly created: number;
  readonly perhaps: number;
}

/**
 * Returns what a request to an additive operation created. A request under another path counts if its answer shows the
 * entity. A retried request may have created one each time, unless its content was refused: then every attempt was.
 */
export function creationOf(answer: Answer): Creation {
  const { request, reply, own } = answer;
  if (endpointRow(request.endpoint).effect !== 'additive' || request.method !== undefined || isDryRun(answer))
    return { created: 0, perhaps: 0 };
  const repeated = (reply.attempts ?? 1) - 1;
  if (reply.failure !== null) return { created: 0, perhaps: repeated + (reply.failure.kind === 'refused' ? 0 : 1) };
  const shows = typeof dataObject(answer).name === 'string';
  const isBroken = isClientError(answer) && !isCircumstantial(answer);
  return { created: answer.success && (own || shows) ? 1 : 0, perhaps: isBroken ? 0 : repeated };
}

interface Entry {
  readonly endpoint: EndpointId;
  readonly id: string;
  /** Number of created entities, or of changes to the one entity. */
  count: number;
  perhaps: number;
}

/** What is told of an entity that a service made because it was asked to change one. */
const cameToBe = {
  surely: 'created: nothing had this id before',
  perhaps: 'created, unless it was there before',
} as const;

/**
 * Records ids that no fixture has and that a write was accepted for, which the API cannot remove. One with the token of
 * the run was made up, so the service creates what it is asked to change. Then it may have created the others too.
 */
function createStrangers(token: string, fixtures: (endpoint: EndpointId) => readonly string[]) {
  const accepted = new Map<EndpointId, Set<string>>();
  const isMadeUp = (id: string): boolean => id.includes(token);
  return {
    note(answer: Answer): void {
      const { endpoint, param } = answer.request;
      if (param === undefined || !isPersisted(answer) || fixtures(endpoint).includes(param)) return;
      const ids = entryOf(accepted, endpoint, () => new Set());
      if (ids.size < most.strangers) ids.add(clip(param, most.idLength));
    },
    all: (): LeftBehind[] =>
      [...accepted].flatMap(([endpoint, ids]) => {
        const told = [...ids].some(isMadeUp) ? [...ids] : [];
        return told.map(id => leftBehind(endpoint, id, cameToBe[isMadeUp(id) ? 'surely' : 'perhaps']));
      }),
  };
}

/**
 * Records what a run leaves on the target and the API cannot remove. Created entities are counted under their common
 * name (`conform_TOKEN_*`).
 *
 * @param fixtures the ids that the target file names for an operation
 */
export function createResidue(token: string, fixtures: (endpoint: EndpointId) => readonly string[] = () => []) {
  const entries = new Map<string, Entry>();
  const strangers = createStrangers(token, fixtures);
  const ours = `conform_${token}_`;
  const entryFor = (endpoint: EndpointId, given: unknown): Entry => {
    const named = typeof given === 'string' && given.includes(ours) ? `${ours}*` : clip(asText(given), most.idLength);
    // Entities beyond the limit are counted in one place, without their names.
    const isTold = entries.has(`${endpoint}\n${named}`) || entries.size < most.residue - 1;
    const id = isTold ? named : '…';
    return entryOf(entries, `${endpoint}\n${id}`, () => ({ endpoint, id, count: 0, perhaps: 0 }));
  };
  return {
    note(answer) {
      const { endpoint, param, body } = answer.request;
      const row = endpointRow(endpoint);
      // What is changed under an id of the run did not exist before: it was created, whatever a change leaves.
      if (row.leaves === undefined || (row.effect !== 'additive' && param?.includes(token))) {
        if (row.effect !== 'read') strangers.note(answer);
        return;
      }
      const { created, perhaps } = creationOf(answer);
      const changes = row.effect !== 'additive' && isPersisted(answer) ? 1 : 0;
      if (created + perhaps + changes === 0) return;
      const { id, name } = dataObject(answer);
      const named = id ?? name ?? membersOf(answer.sent ?? body).name;
      const entry = entryFor(endpoint, param ?? named ?? `${ours}*`);
      entry.perhaps += perhaps;
      entry.count += created + changes;
    },
    all: () => [
      ...[...entries.values()].map(({ endpoint, id, count, perhaps }): LeftBehind => {
        const { effect, action, leaves = '' } = endpointRow(endpoint);
        if (effect === 'additive') return leftBehind(endpoint, id, leaves, { count, ...(perhaps > 0 && { perhaps }) });
        return leftBehind(endpoint, id, count === 1 || action === 'enable' ? leaves : `${leaves} (${count} times)`);
      }),
      ...strangers.all(),
    ],
  } satisfies Observer;
}

/** True if the suite restores changes by this operation: it is restorable, and has a body. */
export const isRestoring = ({ effect, body }: Endpoint): boolean => effect === 'restorable' && body !== null;

/** The operation that restores each resource, if there is one: the first of several. */
const restoringOf = new Map(
  endpointsWhere(isRestoring)
    .toReversed()
    .map(id => [endpointRow(id).resource, id]),
);

/**
 * Records the fields of each entity that a run wrote, or may have written, where changes are restored entity by entity.
 * Of a set that is written as a whole it records the last write.
 */
export type WrittenFields = ReturnType<typeof createWrittenFields>;

/** Returns an empty account of written fields. */
export function createWrittenFields() {
  const fields = new Map<string, Set<string>>();
  /** The entities that any write was sent to, even one that must change nothing: a faulty service may store it. */
  const written = new Set<string>();
  const none: ReadonlySet<string> = new Set();
  /**
   * The body of the last write of each operation that was, or may have been, carried out; undefined if it is not
   * known.
   */
  const last = new Map<EndpointId, Json | undefined>();
  return {
    note(answer: Answer): void {
      const { endpoint, param } = answer.request;
      const { sent } = answer;
      if (!isClientError(answer)) last.set(endpoint, isPersisted(answer) ? sent : undefined);
      const row = endpointRow(endpoint);
      const restoring = restoringOf.get(row.resource);
      if (row.effect !== 'restorable' || restoring === undefined) return;
      const key = `${restoring}\n${param}`;
      const isEmpty = row.action === 'patch' && isObject(sent) && Object.keys(sent).length === 0;
      if (!isEmpty && answer.request.toRead !== true && written.size < most.ids) written.add(key);
      if (row.param === null || !mayBePersisted(answer)) return;
      // Disabling writes a field of the entity without a body.
      const carried = row.action === 'disable' ? ['isEnabled'] : isObject(sent) ? Object.keys(sent) : [];
      if (carried.length === 0) return;
      const known = fields.get(key) ?? new Set<string>();
      if (fields.size < most.entities) fields.set(key, known);
      for (const field of carried) if (known.size < most.fields) known.add(field);
    },
    /**
     * True if a set may differ from what it was: a write was, or may have been, carried out, and the last one did not
     * send the set as it was.
     */
    mayHaveChanged: (endpoint: EndpointId, before: JsonObject): boolean =>
      last.has(endpoint) && !same(last.get(endpoint), before),
    /** True if a write was, or may have been, sent to an entity or a set, whatever came of it. */
    isWritten: (endpoint: EndpointId, param: string | undefined): boolean =>
      written.has(`${endpoint}\n${param}`) || written.size >= most.ids,
    /** Returns the fields that writes to an entity carried which were, or may have been, carried out. */
    fieldsOf: (endpoint: EndpointId, param: string | undefined) => fields.get(`${endpoint}\n${param}`) ?? none,
  };
}
