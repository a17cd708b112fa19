import { resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { LeftBehind } from '../../contracts/report/journal.ts';
import { type Answer, dataObject, isDryRun } from '../protocol/answer.ts';

/** Keeps account of what the run leaves on the target and the API cannot take away. */
export interface Residue {
  note(answer: Answer): void;
  all(): readonly LeftBehind[];
}

/** An empty account for a run. Created things are counted under their common name, so that the account stays short. */
export function createResidue(token: string): Residue {
  const counts = new Map<string, { endpoint: EndpointId; id: string; count: number }>();
  return {
    note(answer) {
      const { endpoint } = answer.request;
      const persisted = answer.success && answer.own && !isDryRun(answer);
      if (endpointRow(endpoint).leaves === undefined || !persisted) return;
      const given = answer.request.param ?? dataObject(answer).name;
      const id =
        typeof given === 'string' && given.startsWith(`conform_${token}_`)
          ? `conform_${token}_*`
          : String(given).slice(0, 200);
      const key = `${endpoint}\n${id}`;
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else if (counts.size < 200) counts.set(key, { endpoint, id, count: 1 });
    },
    all: () =>
      [...counts.values()].map(({ endpoint, id, count }) => {
        const { resource, action, leaves = '' } = endpointRow(endpoint);
        const what = count === 1 || action === 'enable' ? leaves : `${leaves} (${count} times)`;
        return { event: 'left-behind' as const, endpoint, kind: resourceNames[resource], id, what };
      }),
  };
}
