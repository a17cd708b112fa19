import { type Endpoint, resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow, endpointsWhere } from '../../contracts/endpoints.ts';
import { asText, isObject, membersOf } from '../../contracts/json.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import type { LeftBehind } from '../../contracts/report/journal.ts';
import { isCircumstantial, isClientError } from '../judge/outcome.ts';
import { type Answer, dataObject, isDryRun } from '../protocol/answer.ts';
import type { Observer } from '../sut/observer.ts';

/** Bounds on what is kept, so that an account stays short whatever the target does. */
const most = { residue: 200, idLength: 200, entities: 500, fields: 100 } as const;

/** True of an answer to a write that the target carried out. */
const isPersisted = (answer: Answer): boolean => answer.success && answer.own && !isDryRun(answer);

/** How many things a request created: surely, and perhaps, where an answer got lost. */
interface Creation {
  readonly created: number;
  readonly perhaps: number;
}

/**
 * What a request to an additive operation created. A request under another path counts where its answer shows what was
 * made; one that was sent again may have been carried out each time, unless it is refused for what it says: then it was
 * refused before as well.
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
  /** Things created, or requests that changed the one thing. */
  count: number;
  perhaps: number;
}

/**
 * Notes what a run leaves on the target and the API cannot take away. Created things are counted under their common
 * name (`conform_TOKEN_*`).
 */
export function createResidue(token: string) {
  const entries = new Map<string, Entry>();
  const ours = `conform_${token}_`;
  const entryOf = (endpoint: EndpointId, given: unknown): Entry => {
    const id = typeof given === 'string' && given.includes(ours) ? `${ours}*` : clip(asText(given), most.idLength);
    const key = `${endpoint}\n${id}`;
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry = { endpoint, id, count: 0, perhaps: 0 };
    // One is left for those beyond the bound.
    if (entries.size < most.residue - 1) {
      entries.set(key, entry);
      return entry;
    }
    // Beyond the bound things are counted without their names.
    const rest = entries.get(`${endpoint}\n…`) ?? { ...entry, id: '…' };
    entries.set(`${endpoint}\n…`, rest);
    return rest;
  };
  return {
    note(answer) {
      const { endpoint, param, body } = answer.request;
      const row = endpointRow(endpoint);
      if (row.leaves === undefined) return;
      const { created, perhaps } = creationOf(answer);
      const changes = row.effect !== 'additive' && isPersisted(answer) ? 1 : 0;
      if (created + perhaps + changes === 0) return;
      const { id, name } = dataObject(answer);
      const named = id ?? name ?? membersOf(answer.sent ?? body).name;
      const entry = entryOf(endpoint, param ?? named ?? `${ours}*`);
      entry.perhaps += perhaps;
      entry.count += created + changes;
    },
    all: () =>
      [...entries.values()].map(({ endpoint, id, count, perhaps }): LeftBehind => {
        const { resource, effect, action, leaves = '' } = endpointRow(endpoint);
        const kind = resourceNames[resource];
        if (effect === 'additive')
          return { event: 'left-behind', endpoint, kind, id, what: leaves, count, ...(perhaps > 0 && { perhaps }) };
        const what = count === 1 || action === 'enable' ? leaves : `${leaves} (${count} times)`;
        return { event: 'left-behind', endpoint, kind, id, what, count: 1 };
      }),
  } satisfies Observer;
}

/** True of an operation by which the suite puts back what checks change: restorable, and with a body. */
export const isRestoring = ({ effect, body }: Endpoint): boolean => effect === 'restorable' && body !== null;

/** The operation that puts back what others of its resource write, if there is one. */
const restoringOf = new Map(
  endpointsWhere(isRestoring)
    .toReversed()
    .map(id => [endpointRow(id).resource, id]),
);

/** Notes which fields of which entity a run wrote, for the operations whose changes are put back entity by entity. */
export type WrittenFields = ReturnType<typeof createWrittenFields>;

/** An empty account of written fields. */
export function createWrittenFields() {
  const fields = new Map<string, Set<string>>();
  const none: ReadonlySet<string> = new Set();
  const carriedOut = new Set<EndpointId>();
  return {
    note(answer: Answer): void {
      const { endpoint, param } = answer.request;
      if (!isClientError(answer)) carriedOut.add(endpoint);
      const { sent } = answer;
      const row = endpointRow(endpoint);
      if (row.effect !== 'restorable' || row.param === null || !isPersisted(answer)) return;
      // Disabling writes a field of the entity without a body.
      const carried = row.action === 'disable' ? ['isEnabled'] : isObject(sent) ? Object.keys(sent) : [];
      const restoring = restoringOf.get(row.resource);
      if (carried.length === 0 || restoring === undefined) return;
      const key = `${restoring}\n${param}`;
      const known = fields.get(key) ?? new Set<string>();
      if (fields.size < most.entities) fields.set(key, known);
      for (const field of carried) if (known.size < most.fields) known.add(field);
    },
    /** Whether a write of an operation was carried out, or may have been: what was refused cannot have changed anything. */
    mayHaveWritten: (endpoint: EndpointId): boolean => carriedOut.has(endpoint),
    /** The fields that successful writes to an entity carried. */
    fieldsOf: (endpoint: EndpointId, param: string | undefined) => fields.get(`${endpoint}\n${param}`) ?? none,
  };
}
