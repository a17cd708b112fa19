import { isObject, type JsonObject } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { inWords } from '../judge/words.ts';
import { isDryRun } from '../protocol/answer.ts';
import { type NumberedAnswer, violation } from '../protocol/check.ts';
import { entityKinds } from '../state/entity-kinds.ts';
import { afterWrite, asRead, type Deviation, deviationsOf, type Expected } from '../state/expected.ts';
import { boundedMap } from './bounded.ts';
import type { ShadowOptions } from './shadow.ts';
import {
  bodyOf,
  type Idle,
  idleRequirement,
  leftBy,
  type Moment,
  shownTwice,
  stateBreach,
  stepOf,
  type Tracker,
  tooSoon,
  weightOf,
  withIdle,
} from './shadow-moment.ts';

/** A qualifying event as the list showed it, and what was written since. */
interface Known {
  /** Undefined until a list shows it or an update says what it is. */
  readonly expected: Expected | undefined;
  readonly idle: readonly Idle[];
  /** When it was read, and when it was written, among all that were followed. */
  readonly at: number;
  readonly writtenAt: number;
  readonly shown: NumberedAnswer | undefined;
}

const mostSources = 500;
const kind = entityKinds['qualifying-event'];
const unknown: Known = { expected: undefined, idle: [], at: 0, writtenAt: 0, shown: undefined };

/** Follows qualifying events (sections 4.3 and 4.11): the list shows the last update, and nothing of a dry run. */
export function sourceTracker({ tell, cover, notJudged }: ShadowOptions): Tracker {
  const sources = boundedMap<string, Known>(mostSources);
  /** Names that updates carried and that must not become those of qualifying events, and whose updates they were. */
  const refusedNames = boundedMap<string, string>(mostSources);
  let place = 0;

  function updated({ seen, effect, isOverlapped }: Moment): void {
    const name = seen.operation?.param ?? '';
    const known = sources.get(name) ?? unknown;
    const body: JsonObject = isObject(seen.answer.sent) ? seen.answer.sent : {};
    if (isOverlapped) sources.delete(name);
    else if (effect === 'refused' || effect === 'unauthorised')
      sources.set(
        name,
        { ...known, idle: withIdle(known.idle, { body: bodyOf(seen), requirement: idleRequirement(effect) }) },
        weightOf(seen),
      );
    else if (isDryRun(seen.answer))
      sources.set(
        name,
        { ...known, idle: withIdle(known.idle, { body, requirement: 'state.dry-run-qualifying-event' }) },
        weightOf(seen),
      );
    else if (effect === 'unknown') sources.delete(name);
    else {
      if (typeof body.name === 'string' && body.name !== name && sources.get(body.name) === undefined)
        refusedNames.set(body.name, name);
      const expected = afterWrite(known.expected ?? asRead({}), body, true);
      sources.set(name, { expected, idle: [], at: known.at, writtenAt: place, shown: stepOf(seen) }, weightOf(seen));
    }
  }

  /** The requirement that a deviation breaks; undefined where it may have come about in other ways. */
  function requirementOf(one: Deviation, known: Known, name: string): RequirementId | undefined {
    const left = leftBy(known.idle, one.field, one.after, kind.row);
    if (left !== undefined) return left;
    if (one.isSent) return 'state.qualifying-event-visible';
    const others = [...sources.keys()].some(other => other !== name && (sources.get(other)?.writtenAt ?? 0) > known.at);
    return others ? 'state.neighbours' : undefined;
  }

  function listed({ seen, isUnsettled }: Moment): void {
    if (isUnsettled) {
      notJudged.add(tooSoon);
      return;
    }
    const items = Array.isArray(seen.answer.data) ? seen.answer.data : [];
    const step = stepOf(seen);
    for (const [index, item] of items.entries()) {
      if (!isObject(item) || typeof item.name !== 'string') continue;
      const from = sources.get(item.name) === undefined ? refusedNames.get(item.name) : undefined;
      if (from !== undefined)
        tell(
          stateBreach(
            violation(
              seen.answer,
              'state.qualifying-event-name-fixed',
              `/data/${index}/name`,
              `the name that it had, ${inWords(from)}`,
              inWords(item.name),
            ),
            [sources.get(from)?.shown, step],
          ),
          seen,
        );
      const known = sources.get(item.name) ?? unknown;
      const deviations = known.expected === undefined ? [] : shownTwice(deviationsOf(kind, known.expected, item));
      for (const one of deviations) {
        const requirement = requirementOf(one, known, item.name);
        if (requirement === undefined) continue;
        const actual = one.isSent
          ? inWords(one.after)
          : `${one.field}: ${inWords(one.before)} became ${inWords(one.after)}`;
        const pointer = one.pointer.replace('/*', `/${index}`);
        tell(
          stateBreach(violation(seen.answer, requirement, pointer, one.expected, actual), [known.shown, step]),
          seen,
        );
      }
      if (known.expected !== undefined && Object.keys(known.expected.sent).length > 0)
        cover(seen, ['state.qualifying-event-visible', 'state.qualifying-event-name-fixed']);
      if (known.expected !== undefined)
        cover(
          seen,
          known.idle.map(({ requirement }) => requirement),
        );
      const lost = new Set(deviations.map(({ field }) => field));
      const sent = Object.entries(known.expected?.sent ?? {}).filter(([field]) => !lost.has(field));
      const shown = sent.filter(([field]) => Object.hasOwn(item, field));
      const expected: Expected = { ...asRead(item), sent: Object.fromEntries(shown) };
      const { writtenAt } = known;
      sources.set(item.name, { expected, idle: [], at: place, writtenAt, shown: step }, weightOf(seen));
    }
  }

  return {
    resources: new Set(['qualifying-event']),
    forget: sources.clear,
    size: () => sources.size + refusedNames.size,
    note(moment) {
      place += 1;
      if (moment.seen.row.list) {
        if (moment.effect === 'accepted') listed(moment);
      } else updated(moment);
    },
  };
}
