import type { FixtureKind } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { type Answer, isSilence, outcomeOf } from '../protocol/answer.ts';
import type { Target } from '../protocol/sut.ts';
import { readList } from '../state/reading.ts';
import { absenceRemedy } from '../sut/gateway-errors.ts';
import type { ReadOnlyClient } from '../sut/read-only-client.ts';
import { fixtureNames, subjectOf } from '../sut/target.ts';

/** One result of an examination. A `problem` prevents a run from proving something; a `note` is information. */
export interface Diagnostic {
  readonly area:
    | 'reachable'
    | 'key'
    | 'fixtures'
    | 'lists'
    | 'operations'
    | 'clock'
    | 'capabilities'
    | 'vocabulary'
    | 'coverage';
  readonly state: 'ok' | 'problem' | 'note';
  readonly text: string;
  readonly remedy?: string;
  /** Endpoints that cannot be tested until the problem is fixed. */
  readonly endpoints?: readonly EndpointId[];
  /** The operation that was asked. */
  readonly by?: EndpointId;
  /** The operation that is not served, so its answers say nothing. */
  readonly unserved?: EndpointId;
}

/** The way to read each kind of fixture without a change: its own list, the list of all, the empty patch. */
const ways = {
  gates: { by: 'patch', endpoint: 'patch-gate' },
  dynamicConfigs: { by: 'own list', endpoint: 'list-config-versions' },
  experiments: { by: 'nothing' },
  qualifyingEvents: { by: 'list of all', endpoint: 'list-qualifying-events' },
  prompts: { by: 'nothing' },
  events: { by: 'own list', endpoint: 'list-events' },
  environments: { by: 'nothing' },
} as const satisfies Record<FixtureKind, { by: string; endpoint?: EndpointId }>;

/** Statuses that say that an entity does not exist (RFC 9110 sections 15.5.5 and 15.5.11). */
const missing: readonly number[] = [404, 410];

/** True if what came of a request says nothing about the entity that it names: no answer, or an error of the server. */
const saysNothingOfIt = (answer: Answer): boolean => isSilence(answer) || answer.status >= 500;

/** Returns the endpoints whose checks use a fixture: they cannot be tested without it. */
const endpointsOn = (target: Target, kind: FixtureKind, name: string): readonly EndpointId[] =>
  endpointIds.filter(id => endpoints[id].fixture === kind && subjectOf(target, id) === name);

/** Reads each fixture of the target file that can be read without a change; a note names the others. */
export async function examine(target: Target, client: ReadOnlyClient, write: boolean) {
  const { items, complete, answer: last } = await readList(client, { endpoint: 'list-qualifying-events' });
  const unlisted = complete ? 'not in the list' : `not in what could be read of the list (${outcomeOf(last)})`;
  const listed = new Map(
    items.flatMap(item => (typeof item.name === 'string' ? [[item.name, item as JsonObject]] : [])),
  );
  const diagnostics: Diagnostic[] = [];
  const note = (text: string): void => void diagnostics.push({ area: 'fixtures', state: 'note', text });
  const found = (kind: FixtureKind, name: string, by: EndpointId, answer: Answer, problem: string | null): void => {
    const text = `${kind} ${name}: ${problem ?? 'there'}`;
    const mended = `mend fixtures.${kind} in the target file, or make the entity`;
    const remedy = saysNothingOfIt(answer) ? absenceRemedy : mended;
    const lost = { state: 'problem', remedy, endpoints: endpointsOn(target, kind, name), by } as const;
    diagnostics.push({ area: 'fixtures', text, ...(problem === null ? { state: 'ok' } : lost) });
  };
  for (const kind of Object.keys(ways) as FixtureKind[]) {
    const way = ways[kind];
    const names = fixtureNames(target, kind);
    const unseen = (why: string): void => note(`${kind} ${names.join(', ')}: cannot be looked at${why}`);
    if (names.length === 0) continue;
    if (way.by === 'nothing') unseen(', for the API does not show them without a change');
    else if (way.by === 'patch' && !write) unseen(' without a write; --write sends each the empty patch');
    else
      for (const name of names) {
        const { endpoint } = way;
        if (way.by === 'list of all') {
          found(kind, name, endpoint, last, listed.has(name) ? null : unlisted);
          continue;
        }
        const isPatch = way.by === 'patch';
        const answer = await client.send({ endpoint, param: name, ...(isPatch && { body: {} }) });
        const { success, data } = answer;
        // A service may refuse the empty patch of an existing gate.
        if (isPatch && !success && !missing.includes(answer.status))
          note(
            `${kind} ${name}: cannot be looked at, for the empty patch ${isSilence(answer) ? 'got no answer' : 'is refused'} (${outcomeOf(answer)})`,
          );
        else if (success && Array.isArray(data) && data.length === 0)
          note(
            `${kind} ${name}: its list is empty; if it should not be, does the service read the name as it is sent?`,
          );
        else found(kind, name, endpoint, answer, success ? null : outcomeOf(answer));
      }
  }
  const named = new Set(fixtureNames(target, 'qualifyingEvents'));
  return { diagnostics, qualifyingEvents: new Map([...listed].filter(([name]) => named.has(name))) };
}
