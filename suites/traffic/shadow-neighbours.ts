import type { Endpoint } from '../../contracts/endpoint.ts';
import { isObject, type Members, membersOf } from '../../contracts/json.ts';
import { inWords } from '../judge/words.ts';
import { dataObject, isDryRun } from '../protocol/answer.ts';
import { type NumberedAnswer, violation } from '../protocol/check.ts';
import { type Difference, differencesOf, volatile } from '../state/difference.ts';
import { differencesIn, entityKinds } from '../state/entity-kinds.ts';
import { boundedMap } from './bounded.ts';
import type { SeenExchange } from './seen.ts';
import type { ShadowOptions } from './shadow.ts';
import { seenOnce, shownTwice, stateBreach, stepOf, type Tracker, weightOf } from './shadow-moment.ts';

/** An entity as an answer showed it, the JSON Pointer to it there, and the subject of writes that it belongs to. */
interface Showing {
  readonly subject: string;
  readonly id: string;
  readonly pointer: string;
  readonly entity: Members;
}

/** A kind of entity that some answers show beside what was written. */
interface Kind {
  readonly resources: ReadonlySet<Endpoint['resource']>;
  showings(seen: SeenExchange): readonly Showing[];
  /** The subjects that a write may change. */
  written(seen: SeenExchange): ReadonlySet<string>;
  differences(before: Members, after: Members, seen: SeenExchange): readonly Difference[];
  /** Only answers to writes show it, so that it is never read while nothing is written. */
  readonly isShownByWrites?: true;
}

const itemsOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Which environment it is: by its id, or by its name where it has none. */
const environmentOf = ({ id, name }: Members): string => text(id) || text(name);

const metric: Kind = {
  resources: new Set(['metric']),
  showings: ({ answer }) =>
    itemsOf(answer.data).map((entity, index) => {
      const id = text(entity.id);
      return { subject: id, id, pointer: `/data/${index}`, entity };
    }),
  written({ answer }) {
    const { name, type } = membersOf(answer.sent);
    return new Set([`${name}::${type}`, text(dataObject(answer).id)]);
  },
  differences: (before, after) => differencesIn(entityKinds.metric, before, after),
};

const config: Kind = {
  resources: new Set(['config', 'config-version']),
  showings: ({ answer, operation }) =>
    itemsOf(answer.data).map((entity, index) => {
      const subject = operation?.param ?? '';
      return { subject, id: `${subject} ${String(entity.version)}`, pointer: `/data/${index}`, entity };
    }),
  written: ({ operation }) => new Set([operation?.param ?? '']),
  differences: (before, after) => differencesIn(entityKinds.config, before, after),
};

const environment: Kind = {
  resources: new Set(['environment']),
  isShownByWrites: true,
  showings: ({ answer }) =>
    itemsOf(dataObject(answer).environments).map((entity, index) => {
      const id = environmentOf(entity);
      return { subject: id, id, pointer: `/data/environments/${index}`, entity };
    }),
  // One that is sent by its name alone may have an id.
  written: ({ answer }) =>
    new Set(itemsOf(membersOf(answer.sent).environments).flatMap(({ id, name }) => [text(id), text(name)])),
  differences: (before, after, { row }) => {
    const one = row.data.properties?.environments?.items;
    return one === undefined ? [] : differencesOf({ data: one, body: null }, before, after, volatile);
  },
};

/** An entity as it was shown last. */
interface Known {
  readonly entity: Members;
  readonly at: number;
  readonly shown: NumberedAnswer;
}

const mostEntities = 2_000;
const mostWritten = 300;

/** Follows one kind: a write to one entity leaves the others as they were last shown (section 4). */
function trackerOf(kind: Kind, { tell, cover }: ShadowOptions): Tracker {
  const known = boundedMap<string, Known>(mostEntities);
  /** The subjects of accepted writes, and the place of the last one to each. */
  const written = boundedMap<string, number>(mostWritten);
  /** Members that changed while nothing was written, and such that were read twice and stood still. */
  const moving = new Set<string>();
  const still = new Set<string>();
  const told = new Set<string>();
  let place = 0;

  function forget(): void {
    known.clear();
    written.clear();
  }

  /** True where something else of the kind was written since. */
  const isBesideWrites = (since: number): boolean => written.keys().some(other => (written.get(other) ?? 0) > since);

  /** What stood still between two readings is the control of what changes with a write. */
  function noteStill(before: Members, after: Members, differences: readonly Difference[]): void {
    const changed = new Set(differences.map(({ field }) => field));
    for (const field of Object.keys(after)) if (Object.hasOwn(before, field) && !changed.has(field)) still.add(field);
  }

  function show(one: Showing, seen: SeenExchange, step: NumberedAnswer, isOwn: boolean): void {
    const { id, subject, entity, pointer } = one;
    const before = known.get(id);
    known.set(id, { entity, at: place, shown: step }, weightOf(seen));
    if (before === undefined || isOwn || (written.get(subject) ?? 0) > before.at) return;
    const isBeside = isBesideWrites(before.at);
    if (isBeside) cover(seen, ['state.neighbours']);
    const differences = shownTwice(kind.differences(before.entity, entity, seen));
    if (!isBeside) noteStill(before.entity, entity, differences);
    for (const { field, before: was, after } of differences) {
      if (!isBeside) {
        moving.add(field);
        continue;
      }
      if (moving.has(field)) continue;
      const expected = `${field} as it was, for another was written: ${inWords(was)}`;
      const actual = `${field}: ${inWords(was)} became ${inWords(after)}`;
      const found = violation(seen.answer, 'state.neighbours', `${pointer}/${field}`, expected, actual);
      const isSure = told.has(field) && (kind.isShownByWrites === true || still.has(field));
      tell(stateBreach(isSure ? found : { ...found, doubt: seenOnce }, [before.shown, step]), seen);
      told.add(field);
    }
  }

  return {
    resources: kind.resources,
    forget,
    size: () => known.size + written.size,
    note({ seen, effect, isOverlapped, isUnsettled }) {
      const isWrite = seen.row.method !== 'GET';
      if (effect === 'refused' || effect === 'unauthorised' || (isWrite && isDryRun(seen.answer))) return;
      if (effect === 'unknown' || isOverlapped) {
        if (isWrite || isOverlapped) forget();
        return;
      }
      place += 1;
      const own = isWrite ? kind.written(seen) : new Set<string>();
      for (const subject of own) if (subject !== '') written.set(subject, place);
      // A creation shows itself; a list read too soon may show what was before.
      if (isUnsettled || (isWrite && seen.row.resource !== 'environment')) return;
      const step = stepOf(seen);
      for (const one of kind.showings(seen))
        show(one, seen, step, own.has(one.subject) || own.has(text(one.entity.name)));
    },
  };
}

/** Follows the entities that lists and whole sets show: metrics, versions of configs, environments. */
export const neighbourTrackers = (options: ShadowOptions): readonly Tracker[] =>
  [metric, config, environment].map(kind => trackerOf(kind, options));
