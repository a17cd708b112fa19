import type { JsonObject, Members } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { type CheckContext, type CheckResult, covering, type Session } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import { type Suspicion, type Tried, untried } from '../../state/attribution.ts';
import { mostTogether, sendTogether } from '../../state/crowd.ts';
import {
  type Hindrance,
  hindrance,
  type Race,
  type RaceRules,
  type RacingWrite,
  raceCovers,
  raceSuspicions,
} from '../../state/race.ts';
import type { Reading } from '../../state/reading.ts';
import type { Care, Scenario } from './scenario.ts';

/** The first words of every text that races of a run send. */
export const raceMark = (token: string): string => `conform-${token}-race`;

/** A race over one entity. */
export interface Contest {
  readonly rules: RaceRules;
  /** Reads the entity; of `settled` it is waited for what was written before. */
  read(session: Session, care: Care, settled: boolean): Promise<Reading>;
  /**
   * Brings the entity into the state from which the race begins, and reads it; absent: it is read as it is. An answer
   * that is no success ends the round.
   */
  begin?(session: Session, care: Care): Promise<Reading>;
  /** The writes of one round, of which the texts bear the mark. */
  writes(before: Members, mark: string): readonly RacingWrite[];
  /** Tells the members that change without a write. */
  watch(session: Session, readings: number): Promise<readonly string[]>;
  /** Brings the entity back to what it was; absent: every race begins from what it finds. */
  putBack?(session: Session, care: Care, before: Members): Promise<boolean>;
}

/** A write of a request to one entity that carries these fields. */
export const racing = (request: ApiRequest, fields: JsonObject): RacingWrite => ({ request, fields });

/** What a race shows in which no two were carried out: at least that the target lived through it, if one was. */
export const livedThrough = (hindered: Hindrance): Tried =>
  hindered.accepted > 0 ? { suspicions: [], covers: ['robust.never-5xx'] } : hindered;

/** The same as the result of a case. */
export const lived = (hindered: Hindrance): CheckResult =>
  hindered.accepted > 0 ? covering([], ['robust.never-5xx']) : untried(hindered);

/** So many more races, at most, look for the fewest writes that show the same. */
const mostShrinking = 12;

/** What is remembered from round to round, so that the entity is read once between two races. */
interface Memory {
  before: Members | null;
  rounds: number;
}

/** What the rounds of one check know: they are about the same entity. */
const memories = new WeakMap<Care, Memory>();

/** Runs the race once, with the writes of these places only, and tells what looks wrong. */
async function once(
  contest: Contest,
  context: CheckContext,
  session: Session,
  care: Care,
  memory: Memory,
  places?: ReadonlySet<number>,
): Promise<Tried & { readonly size?: number; readonly before?: Members }> {
  memory.rounds += 1;
  const { rules } = contest;
  const first =
    contest.begin === undefined
      ? memory.before === null
        ? await contest.read(session, care, true)
        : null
      : await contest.begin(session, care);
  const before = first === null ? memory.before : first.entity;
  memory.before = null;
  if (before === null)
    return {
      because: `it could not be read (${first === null ? '' : refusalInWords(first.answer)})`,
      ...(first && { answer: first.answer }),
    };
  const all = contest.writes(before, `${raceMark(context.token)}-${memory.rounds}`);
  const writes = all.filter((_, index) => places?.has(index) !== false).slice(0, mostTogether);
  if (writes.length < 2) return { because: 'no two of its fields may be written' };
  const answers = await sendTogether(
    session,
    writes.map(({ request }) => request),
  );
  const raceWith = (after: Reading): Race => ({ writes, answers, before, after });
  const suspicions = (after: Reading): readonly Suspicion[] =>
    after.entity === null ? [] : raceSuspicions(raceWith(after), rules);
  const hindered = hindrance(answers);
  if (hindered?.answer !== undefined) return hindered;
  const after = await care.eventually(
    () => contest.read(session, care, false),
    reading => reading.entity === null || suspicions(reading).length === 0,
    reading =>
      suspicions(reading)
        .map(({ key }) => key)
        .join(),
  );
  if (after.entity === null) return { because: 'it could not be read afterwards', answer: after.answer };
  const found = suspicions(after);
  if (found.length === 0) memory.before = after.entity;
  if (found.length === 0 && hindered !== undefined) return livedThrough(hindered);
  return { suspicions: found, covers: raceCovers(raceWith(after), rules), size: writes.length, before };
}

/** Leaves out writes as long as the same field is seen wrong, and returns what the fewest of them showed. */
async function shrunk(
  found: CheckResult,
  size: number,
  attempt: (places: ReadonlySet<number>) => Promise<Tried>,
): Promise<CheckResult> {
  const [violation] = found.violations;
  if (violation === undefined || size <= 2) return found;
  let left = mostShrinking;
  let kept = Array.from({ length: size }, (_, index) => index);
  let smallest = violation;
  const shows = async (places: readonly number[]): Promise<boolean> => {
    left -= 1;
    const tried = await unlessGivenUp(attempt(new Set(places)), { because: 'it was given up' });
    const same = 'because' in tried ? [] : tried.suspicions.filter(one => one.certain === true);
    const again = same.find(one => one.violation.pointer === violation.pointer);
    if (again !== undefined) smallest = again.violation;
    return again !== undefined;
  };
  for (let parts = 2; kept.length > 2 && left > 0; ) {
    const length = Math.ceil(kept.length / parts);
    let isSmaller = false;
    for (let from = 0; from < kept.length && !isSmaller && left > 0; from += length) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + length)];
      if (fewer.length < 2 || !(await shows(fewer))) continue;
      kept = fewer;
      isSmaller = true;
    }
    if (!isSmaller && parts >= kept.length) break;
    parts = isSmaller ? 2 : Math.min(kept.length, parts * 2);
  }
  return {
    ...found,
    violations: [smallest, ...found.violations.filter(one => one.requirement !== violation.requirement)],
  };
}

/**
 * A race as a scenario: its writes are complete at the same moment, and the whole entity is compared before and after.
 * Each round is a case of its own. What is found is shown by as few of the writes as show it.
 */
export function raceOver(contest: Contest): Scenario {
  return async (context, session, care) => {
    const memory = memories.get(care) ?? { before: null, rounds: 0 };
    memories.set(care, memory);
    const { putBack } = contest;
    let size = 0;
    let before: Members = {};
    const found = await care.attribute(session, {
      async attempt() {
        const tried = await once(contest, context, session, care, memory);
        size = tried.size ?? size;
        before = tried.before ?? before;
        return tried;
      },
      watch: readings => contest.watch(session, readings),
      ...(putBack === undefined ? {} : { putBack: () => putBack(session, care, before) }),
    });
    return shrunk(found, size, places => once(contest, context, session, care, memory, places));
  };
}
