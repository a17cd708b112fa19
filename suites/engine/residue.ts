import type { EndpointId } from '../../contracts/endpoints.ts';
import type { LeftBehind } from '../../contracts/report/journal.ts';
import { type Answer, dataObject, isDryRun } from '../protocol/answer.ts';

/** Keeps account of what the run leaves on the target and the API cannot take away. */
export interface Residue {
  note(answer: Answer): void;
  all(): readonly LeftBehind[];
}

interface Kind {
  readonly kind: string;
  readonly what: string;
}

/** Operations whose success cannot be undone through the API. */
const lasting: Partial<Record<EndpointId, Kind>> = {
  'create-metric': { kind: 'metric', what: 'created' },
  'create-prompt-version': { kind: 'prompt version', what: 'created under the prompt' },
  'update-experiment': {
    kind: 'experiment',
    what: 'changed, among others description, hypothesis, groups and allocation',
  },
  'enable-groups': { kind: 'experiment', what: 'groups enabled' },
  'disable-config': { kind: 'dynamic config', what: 'disabled, or whatever disabling does at this target' },
  'archive-config': { kind: 'dynamic config', what: 'archived' },
};

/** An empty account for a run. Created things are counted under their common name, so that the account stays short. */
export function createResidue(token: string): Residue {
  const counts = new Map<string, { endpoint: EndpointId; id: string; count: number; kind: Kind }>();
  return {
    note(answer) {
      const { endpoint } = answer.request;
      const kind = lasting[endpoint];
      const persisted = answer.success && answer.own && !isDryRun(answer);
      if (kind === undefined || !persisted) return;
      const given = endpoint === 'create-metric' ? dataObject(answer).name : answer.request.param;
      const id =
        typeof given === 'string' && given.startsWith(`conform_${token}_`)
          ? `conform_${token}_*`
          : String(given).slice(0, 200);
      const key = `${endpoint}\n${id}`;
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else if (counts.size < 200) counts.set(key, { endpoint, id, count: 1, kind });
    },
    all: () =>
      [...counts.values()].map(({ endpoint, id, count, kind }) => ({
        event: 'left-behind' as const,
        endpoint,
        kind: kind.kind,
        id,
        what: count === 1 || endpoint.startsWith('enable') ? kind.what : `${kind.what} (${count} times)`,
      })),
  };
}
