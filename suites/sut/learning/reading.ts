import { type Resource, resourceNames } from '../../../contracts/endpoint.ts';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { Members } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import type { LearnableKind } from '../../../contracts/target.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import type { Session } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import type { LearnedWord, Target } from '../../protocol/sut.ts';
import { readList } from '../../state/reading.ts';
import { fixtureNames } from '../target.ts';
import { fieldValues, heldKinds, type IsName, kindsFor, lessons, mayLearn } from './lessons.ts';
import { chosenWords, type ShownWord } from './words.ts';

/** The context of learning: where to ask, and what may be used. */
export interface Learner {
  readonly target: Target;
  readonly session: Pick<Session, 'send' | 'lastWritten'>;
  readonly isName: IsName;
  /** The kinds that are needed and may be learned. */
  readonly kinds: ReadonlySet<LearnableKind>;
}

/** Maximum numbers of fixtures read per kind, and of list items. */
const bounds = { fixtures: 3, sources: 100, metrics: 40, versions: 1 } as const;

/** True if answers about a resource can teach any of these kinds. */
export const teaches = (resource: Resource, kinds: ReadonlySet<LearnableKind>): boolean =>
  (lessons[resource] ?? []).some(({ kind }) => kinds.has(kind));

/**
 * Returns the words in an answered entity.
 *
 * @param heldBy the entity to which all words are restricted. Undefined for lists: there only people, teams and
 * pipelines are restricted, to `holder`, and omitted without one
 */
export function wordsOf(
  { isName, kinds }: Pick<Learner, 'isName' | 'kinds'>,
  resource: Resource,
  entity: Members,
  from: string,
  { heldBy, holder }: { readonly heldBy?: string | undefined; readonly holder?: string | undefined } = {},
): readonly ShownWord[] {
  return (lessons[resource] ?? []).flatMap(({ kind, field, read }) => {
    const by = heldBy ?? (heldKinds.has(kind) ? holder : undefined);
    if (!kinds.has(kind) || (by === undefined && heldKinds.has(kind))) return [];
    const held = present({ heldBy: by });
    return read(entity, isName).map((value, place) => ({ kind, value, origin: `${from}: ${field}`, place, ...held }));
  });
}

/** Returns a condition that ends a walk at the page of the first item beyond `most`. */
export function after(most: number): () => boolean {
  let read = 0;
  return () => ++read > most;
}

async function items({ session }: Learner, request: ApiRequest, most: number): Promise<readonly Members[]> {
  const { items: found } = await unlessGivenUp(readList(session, request, after(most - 1)), { items: [] });
  return found.slice(0, most);
}

/** Returns the origin of a listed entity, with its name if that may be shown. */
const named = (endpoint: EndpointId, name: unknown, isName: IsName): string =>
  isName(name) ? `${endpoint} ${name}` : endpoint;

/** Returns the columns that all metric sources share. A source's other columns are learned with the source. */
function columnWords(sources: readonly Members[], learner: Learner): readonly ShownWord[] {
  const columnsOf = (source: Members): readonly unknown[] =>
    (lessons['qualifying-event'] ?? [])
      .filter(({ kind }) => kind === 'columns')
      .flatMap(({ field }) => fieldValues(source, field));
  const sets = sources.map(source => new Set(columnsOf(source)));
  const shared = [...(sets[0] ?? [])].filter(column => sets.every(set => set.has(column))).filter(learner.isName);
  const origin = `list-qualifying-events: columns of all ${sources.length} sources that were read`;
  return shared.map((value, place) => ({ kind: 'columns' as const, value, origin, place }));
}

/** Returns the words in the list of metric sources (section 4.11). */
async function sourceWords(learner: Learner): Promise<readonly ShownWord[]> {
  const { kinds, isName, target } = learner;
  if (!teaches('qualifying-event', kinds)) return [];
  const sources = await items(learner, { endpoint: 'list-qualifying-events' }, bounds.sources);
  const fixtures = new Set(fixtureNames(target, 'qualifyingEvents'));
  const words = sources.flatMap(source => {
    const isFixture = isName(source.name) && fixtures.has(source.name);
    const holder = isFixture ? `${resourceNames['qualifying-event']} ${source.name}` : undefined;
    const from = named('list-qualifying-events', source.name, isName);
    return wordsOf(learner, 'qualifying-event', source, from, { holder }).flatMap(word => {
      if (word.kind !== 'columns') return [word];
      return holder === undefined ? [] : [{ ...word, heldBy: holder }];
    });
  });
  return kinds.has('columns') ? [...words, ...columnWords(sources, learner)] : words;
}

/** The lists about fixtures: the metrics over an event (section 4.14), the first version of a config (section 4.2). */
const fixtureLists = [
  { endpoint: 'list-event-metrics', resource: 'metric', fixture: 'events', most: bounds.metrics },
  { endpoint: 'list-config-versions', resource: 'config-version', fixture: 'dynamicConfigs', most: bounds.versions },
] as const;

/** Returns the words in the lists about fixtures. */
async function fixtureWords(learner: Learner): Promise<readonly ShownWord[]> {
  const words: ShownWord[] = [];
  for (const { endpoint, resource, fixture, most } of fixtureLists)
    for (const param of teaches(resource, learner.kinds)
      ? fixtureNames(learner.target, fixture).slice(0, bounds.fixtures)
      : [])
      for (const entity of await items(learner, { endpoint, param }, most))
        words.push(...wordsOf(learner, resource, entity, `${endpoint} ${param}`));
  return words;
}

/** Adds the target file's environments to the words. Production environments must not be named elsewhere. */
function environmentWords({ target, kinds }: Learner, words: readonly ShownWord[]): readonly ShownWord[] {
  const environments = target.fixtures.environments ?? [];
  const production = new Set(environments.filter(one => one.isProduction === true).map(({ name }) => name));
  const others = environments.filter(one => one.isProduction === false);
  const own = others.map(
    ({ name: value }, place): ShownWord => ({ kind: 'environments', value, origin: 'fixtures.environments', place }),
  );
  const learned = words.filter(({ kind, value }) => kind !== 'environments' || !production.has(value as string));
  return [...(kinds.has('environments') ? own : []), ...learned];
}

/** Returns the kinds of names that the endpoints' requests need and the target file lets be learned. */
export const kindsToLearn = (target: Target, endpoints: Iterable<EndpointId>): ReadonlySet<LearnableKind> =>
  new Set([...endpoints].flatMap(endpoint => [...kindsFor(target, endpoint)].filter(kind => mayLearn(target, kind))));

/** Learns by `GET` alone what the requests of some endpoints need. */
export const readWords = (
  learner: Omit<Learner, 'kinds'>,
  endpoints: Iterable<EndpointId>,
): Promise<readonly LearnedWord[]> => learnByReading({ ...learner, kinds: kindsToLearn(learner.target, endpoints) });

/** Learns by `GET` alone. The answers are not judged. Throws `RunStopped` as sessions do. */
export async function learnByReading(learner: Learner): Promise<readonly LearnedWord[]> {
  if (learner.kinds.size === 0) return [];
  const words = [...(await sourceWords(learner)), ...(await fixtureWords(learner))];
  return chosenWords(environmentWords(learner, words));
}
