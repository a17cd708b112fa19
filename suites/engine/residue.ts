import { type Endpoint, resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { isObject } from '../../contracts/json.ts';
import type { LeftBehind } from '../../contracts/report/journal.ts';
import { type Answer, dataObject, isDryRun } from '../protocol/answer.ts';
import type { Observer } from '../sut/session.ts';

/** Bounds on what is kept, so that an account stays short whatever the target does. */
const most = { residue: 200, idLength: 200, entities: 500, fields: 100 } as const;

/** True of an answer to a write that the target carried out. */
const isPersisted = (answer: Answer): boolean => answer.success && answer.own && !isDryRun(answer);

/**
 * Notes what a run leaves on the target and the API cannot take away. Created things are counted under their common
 * name (`conform_TOKEN_*`).
 */
export function createResidue(token: string) {
  const counts = new Map<string, { endpoint: EndpointId; id: string; count: number }>();
  return {
    note(answer) {
      const { endpoint } = answer.request;
      if (endpointRow(endpoint).leaves === undefined || !isPersisted(answer)) return;
      const given = answer.request.param ?? dataObject(answer).name;
      const id =
        typeof given === 'string' && given.includes(`conform_${token}_`)
          ? `conform_${token}_*`
          : String(given).slice(0, most.idLength);
      const key = `${endpoint}\n${id}`;
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else if (counts.size < most.residue) counts.set(key, { endpoint, id, count: 1 });
    },
    all: () =>
      [...counts.values()].map(({ endpoint, id, count }): LeftBehind => {
        const { resource, action, leaves = '' } = endpointRow(endpoint);
        const what = count === 1 || action === 'enable' ? leaves : `${leaves} (${count} times)`;
        return { event: 'left-behind', endpoint, kind: resourceNames[resource], id, what };
      }),
  } satisfies Observer;
}

/** True of an operation by which the suite puts back what checks change: restorable, and with a body. */
export const isRestoring = ({ effect, body }: Endpoint): boolean => effect === 'restorable' && body !== null;

/** Notes which fields of which entity a run wrote, for the operations whose changes are put back entity by entity. */
export interface WrittenFields extends Observer {
  /** The fields that successful writes to an entity carried. */
  fieldsOf(endpoint: EndpointId, param: string | undefined): ReadonlySet<string>;
}

/** An empty account of written fields. */
export function createWrittenFields(): WrittenFields {
  const fields = new Map<string, Set<string>>();
  const none: ReadonlySet<string> = new Set();
  return {
    note(answer) {
      const { endpoint, param } = answer.request;
      const { sent } = answer;
      const row = endpointRow(endpoint);
      if (!isRestoring(row) || row.param === null || !isPersisted(answer) || !isObject(sent)) return;
      const key = `${endpoint}\n${param}`;
      const known = fields.get(key) ?? new Set<string>();
      if (fields.size < most.entities) fields.set(key, known);
      for (const field of Object.keys(sent)) if (known.size < most.fields) known.add(field);
    },
    fieldsOf: (endpoint, param) => fields.get(`${endpoint}\n${param}`) ?? none,
  };
}
