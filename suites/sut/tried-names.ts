import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { type Answer, isDryRun } from '../protocol/answer.ts';

/** Why nothing may have been created under a name: it was only tried, it was refused, or the key was not the right one. */
export type Tried = 'dry-run' | 'refused' | 'keyless';

/** What became of each name of a run under an operation that creates; `perhaps` where something may be called so. */
type Names = Map<string, Tried | 'perhaps'>;

const byRun = new WeakMap<object, Map<EndpointId, Names>>();

function fateOf(answer: Answer): Tried | 'perhaps' {
  const { request, reply, status, success } = answer;
  // Nobody knows what became of a request that was not answered, or not by the target.
  if (reply.failure !== null || (reply.attempts ?? 1) > 1 || status >= 500 || status === 408) return 'perhaps';
  if (success) return isDryRun(answer) ? 'dry-run' : 'perhaps';
  const { kind } = request.key ?? { kind: 'valid' };
  return kind === 'valid' || kind === 'spelled' ? 'refused' : 'keyless';
}

/**
 * Notes the name that a request would have given to what it creates, where the name says that this run made it up: all
 * that a run sends is then looked for with one reading.
 */
export function noteTriedName(run: object, token: string, answer: Answer): void {
  const { request, sent } = answer;
  if (endpointRow(request.endpoint).effect !== 'additive') return;
  const { name } = membersOf(sent);
  if (typeof name !== 'string' || !name.includes(token)) return;
  const operations = byRun.get(run) ?? new Map<EndpointId, Names>();
  byRun.set(run, operations);
  const names = operations.get(request.endpoint) ?? (new Map() as Names);
  operations.set(request.endpoint, names);
  if (names.get(name) !== 'perhaps') names.set(name, fateOf(answer));
}

/** The names under which an operation cannot have created anything in this run, and why. */
export const triedNames = (run: object, endpoint: EndpointId): ReadonlyMap<string, Tried> =>
  new Map(
    [...(byRun.get(run)?.get(endpoint) ?? [])].filter((entry): entry is [string, Tried] => entry[1] !== 'perhaps'),
  );
