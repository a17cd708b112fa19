import type { JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { type AcceptCase, mergedBody, type Pack, packsOf } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { Session } from '../../protocol/check.ts';
import type { Turns } from './turns.ts';

/** So many requests take refused packs of a check apart: each of those that is accepted leaves something. */
const mostHalves = 24;

/**
 * What the packs of a case showed. `accepted`: it need not be sent alone. `refused`: it must be. `beyond`: its packs are
 * more than may be sent. An answer: what came of a pack whose cases are accepted one by one.
 */
export type Packed = 'accepted' | 'refused' | 'beyond' | Answer;

/** What sending packs needs of the check. */
export interface Packing {
  readonly template: JsonObject;
  /** The cases that may be packed. */
  readonly cases: readonly AcceptCase[];
  readonly turns: Turns;
  send(session: Session, body: JsonObject): Promise<Answer>;
  /** Sends with nothing else under way. */
  sendAlone(session: Session, body: JsonObject): Promise<Answer>;
  /** True where the target refuses its minimal request now: see `createAttempts`. */
  hasEnough(session: Session, refused: Answer): Promise<boolean>;
}

/** What came of one pack: the cases to be sent alone, and what was answered to all of them where that says something. */
interface Outcome {
  readonly refused: ReadonlySet<AcceptCase>;
  readonly broken?: Answer;
}

/** Of the cases of a refused pack, those that are refused alone, and those that were accepted. */
interface Sorted {
  readonly refused: Set<AcceptCase>;
  readonly right: Set<AcceptCase>;
}

/** The cases whose field a refusal names. */
const namedIn = (words: string, cases: readonly AcceptCase[]): readonly AcceptCase[] =>
  cases.filter(({ pointer }) => words.split(/\W+/).includes(steps(pointer)[0] ?? ''));

/**
 * Sends cases in packs, each pack once, with the first of its cases; where that case is sent again, so is the pack. A
 * refused pack is searched for a case that is refused alone, those first that the refusal names; without it, the rest is
 * sent as one. So what is accepted of a refused pack leaves little more than the pack would have left.
 */
export function packedRequests({ template, cases: all, turns, send, sendAlone, hasEnough }: Packing) {
  const sent = new Map<Pack, { readonly carrier: AcceptCase; outcome: Promise<Outcome> }>();
  /** What was refused alone: a later pack is sent again without it. */
  const known = new Set<AcceptCase>();
  let packs = packsOf(all, template);
  let halves = 0;

  /** What is answered to cases together; undefined where no more may be sent to tell. */
  async function together(cases: readonly AcceptCase[], session: Session): Promise<Answer | undefined> {
    halves += 1;
    return halves > mostHalves ? undefined : sendAlone(session, mergedBody(cases, template));
  }

  /**
   * A case that is refused alone, of some that are refused together, by halves; null where only their company is
   * refused, undefined where no more may be sent. Notes what is accepted on the way.
   */
  async function culpritOf(cases: readonly AcceptCase[], session: Session, right: Set<AcceptCase>) {
    let open = cases;
    while (open.length > 1) {
      const middle = Math.ceil(open.length / 2);
      let refused: readonly AcceptCase[] | null = null;
      for (const half of [open.slice(0, middle), open.slice(middle)]) {
        // Where one half is refused, the other is sent with all that is left once the case is known.
        if (refused !== null) break;
        const answer = await together(half, session);
        if (answer === undefined) return undefined;
        if (!answer.success) refused = half;
        else for (const one of half) right.add(one);
      }
      if (refused === null) return null;
      open = refused;
    }
    return open[0] ?? null;
  }

  function note(culprit: AcceptCase, refused: Set<AcceptCase>): void {
    refused.add(culprit);
    known.add(culprit);
  }

  /** Sends some cases alone that are likely to be what was refused: what is refused again leaves nothing. */
  async function examineAlone(suspects: readonly AcceptCase[], session: Session, { refused, right }: Sorted) {
    for (const one of suspects) {
      const answer = await together([one], session);
      if (answer === undefined) return false;
      if (answer.success) right.add(one);
      else note(one, refused);
    }
    return true;
  }

  /** The cases of a refused pack that are refused alone, or that could not be looked at. */
  async function takenApart(
    cases: readonly AcceptCase[],
    first: Answer,
    session: Session,
  ): Promise<ReadonlySet<AcceptCase>> {
    const refused = new Set(cases.filter(one => known.has(one)));
    const right = new Set<AcceptCase>();
    const rest = () => cases.filter(one => !refused.has(one) && !right.has(one));
    const unsent = (): ReadonlySet<AcceptCase> => new Set([...refused, ...rest()]);
    // Where a value of a field was refused another one may be.
    const isLike = ({ pointer }: AcceptCase): boolean => [...known].some(one => one.pointer === pointer);
    let answer: Answer | undefined = refused.size === 0 ? first : undefined;
    let suspects: readonly AcceptCase[] = rest().filter(isLike);
    for (let open = rest(); open.length > 0; open = rest()) {
      if (suspects.length === 0 && answer === undefined) {
        answer = await together(open, session);
        if (answer?.success === true) break;
        if (answer === undefined) return unsent();
      }
      if (suspects.length === 0 && answer !== undefined) suspects = namedIn(refusalInWords(answer), open);
      const isNamed = suspects.length > 0 && suspects.length < open.length;
      if (isNamed) {
        if (!(await examineAlone(suspects, session, { refused, right }))) return unsent();
      } else {
        if (answer !== undefined && answer !== first && (await hasEnough(session, answer))) return unsent();
        const culprit = await culpritOf(open, session, right);
        if (culprit === undefined) return unsent();
        if (culprit !== null) note(culprit, refused);
      }
      suspects = [];
      answer = undefined;
    }
    return refused;
  }

  async function outcomeOf({ body, cases }: Pack, session: Session): Promise<Outcome> {
    const answer = await turns.together(() => send(session, body));
    if (answer.success) return { refused: new Set() };
    if (!isClientError(answer)) return { refused: new Set(cases), broken: answer };
    if (cases.length < 2) return { refused: new Set(cases) };
    return turns.alone(async () => {
      // What others do at the same moment is over by then, and the pack leaves no more than it was to leave.
      const second = isCircumstantial(answer) ? await sendAlone(session, body) : answer;
      if (second.success) return { refused: new Set() };
      if (!isClientError(second)) return { refused: new Set(cases), broken: second };
      const refused = await takenApart(cases, second, session);
      if (refused.size > 0 || isCircumstantial(answer)) return { refused };
      // Each is accepted without some of the others: it is their company that is refused, if it is again.
      const again = await sendAlone(session, body);
      return { refused, ...(again.success ? {} : { broken: again }) };
    });
  }

  return {
    /** Packs these cases alone: of a case that nobody sends nobody would tell that it was refused. */
    restrict(cases: readonly AcceptCase[]): void {
      packs = packsOf(
        all.filter(one => cases.includes(one)),
        template,
      );
    },
    /** True of a case that stands in a pack. */
    isPacked: (input: AcceptCase): boolean => packs.some(({ cases }) => cases.includes(input)),
    /** Sends the packs of a case, as far as they were not, among the first `most`; null where it stands in none. */
    async packed(input: AcceptCase, session: Session, most: number): Promise<Packed | null> {
      const own = packs.filter(({ cases }) => cases.includes(input));
      if (own.length === 0) return null;
      const within = own.filter(pack => packs.indexOf(pack) < most);
      if (within.length === 0) return 'beyond';
      for (const pack of within) {
        const known = sent.get(pack);
        if (known === undefined || known.carrier === input)
          sent.set(pack, { carrier: input, outcome: outcomeOf(pack, session) });
        const { refused, broken } = (await sent.get(pack)?.outcome) ?? { refused: new Set() };
        if (broken !== undefined && sent.get(pack)?.carrier === input) return broken;
        if (refused.has(input)) return 'refused';
      }
      return 'accepted';
    },
  };
}
