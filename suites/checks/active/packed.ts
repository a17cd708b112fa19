import type { JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { type AcceptCase, mergedBody, type Pack, packsOf } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { Session } from '../../protocol/check.ts';
import { naming, parts as split } from '../../sut/nearest.ts';
import type { createAttempts } from './attempts.ts';
import type { Turns } from './turns.ts';

/** Maximum number of requests that take refused packs apart: each accepted one leaves something. */
const mostHalves = 24;

/**
 * The result of a case's packs. `accepted`: the case need not be sent alone. `refused`: it must be. `beyond`: its packs
 * exceed the budget. An answer: the pack as a whole went wrong.
 */
type Packed = 'accepted' | 'refused' | 'beyond' | Answer;

/** The parts of a check that packing needs. */
interface Packing extends Pick<ReturnType<typeof createAttempts>, 'send' | 'sendAlone' | 'hasEnough'> {
  readonly template: JsonObject;
  /** The cases that may be packed. */
  readonly cases: readonly AcceptCase[];
  readonly turns: Turns;
}

/** The result of one pack: the cases to send alone, and the answer to the whole pack if that says something. */
interface Outcome {
  readonly refused: ReadonlySet<AcceptCase>;
  readonly broken?: Answer;
}

/** Returns the cases whose field a refusal names. */
function namedIn(answer: Answer, cases: readonly AcceptCase[]): readonly AcceptCase[] {
  const isNamed = naming(answer);
  return cases.filter(({ pointer }) => isNamed(steps(pointer)[0] ?? ''));
}

/**
 * Sends cases in packs. The first case of a pack sends it once, and sends it again if that case is repeated. In a
 * refused pack, looks for a case that is refused alone, starting with those that the refusal names. The rest is then
 * sent as one request, so that hardly more is left behind than by the pack itself.
 */
export function packedRequests({ template, cases: all, turns, send, sendAlone, hasEnough }: Packing) {
  const sent = new Map<Pack, { readonly carrier: AcceptCase; outcome: Promise<Outcome> }>();
  /** Cases refused alone: a later pack is sent again without them. */
  const known = new Set<AcceptCase>();
  let packs = packsOf(all, template);
  let halves = 0;

  /** Sends cases together and returns the answer; undefined once no more requests may be spent. */
  async function together(cases: readonly AcceptCase[], session: Session): Promise<Answer | undefined> {
    halves += 1;
    return halves > mostHalves ? undefined : sendAlone(session, mergedBody(cases, template));
  }

  /**
   * Finds by halves a case that is refused alone; null if only the combination is refused, undefined if no more may be
   * sent. Adds the accepted cases to `right`.
   */
  async function culpritOf(cases: readonly AcceptCase[], session: Session, right: Set<AcceptCase>) {
    let open = cases;
    while (open.length > 1) {
      let refused: readonly AcceptCase[] | null = null;
      for (const half of split(open, 2)) {
        const answer = await together(half, session);
        if (answer === undefined) return undefined;
        if (!answer.success) {
          // The other half is sent with the rest once the case is known.
          refused = half;
          break;
        }
        for (const one of half) right.add(one);
      }
      if (refused === null) return null;
      open = refused;
    }
    return open[0] ?? null;
  }

  /** Sends the likely culprits alone: a refused request leaves nothing. */
  async function examineAlone(suspects: readonly AcceptCase[], session: Session, right: Set<AcceptCase>) {
    for (const one of suspects) {
      const answer = await together([one], session);
      if (answer === undefined) return false;
      (answer.success ? right : known).add(one);
    }
    return true;
  }

  /** Returns the cases of a refused pack that are refused alone, or that could not be examined. */
  async function takenApart(
    cases: readonly AcceptCase[],
    first: Answer,
    session: Session,
  ): Promise<ReadonlySet<AcceptCase>> {
    const right = new Set<AcceptCase>();
    const rest = () => cases.filter(one => !known.has(one) && !right.has(one));
    const unsent = (): ReadonlySet<AcceptCase> => new Set(cases.filter(one => !right.has(one)));
    // If one value of a field was refused, another may be as well.
    const isLike = ({ pointer }: AcceptCase): boolean => [...known].some(one => one.pointer === pointer);
    let answer = cases.some(one => known.has(one)) ? undefined : first;
    let suspects: readonly AcceptCase[] = rest().filter(isLike);
    for (let open = rest(); open.length > 0; open = rest()) {
      if (suspects.length === 0 && answer === undefined) {
        answer = await together(open, session);
        if (answer?.success === true) break;
        if (answer === undefined) return unsent();
      }
      if (suspects.length === 0 && answer !== undefined) suspects = namedIn(answer, open);
      if (suspects.length > 0 && suspects.length < open.length) {
        if (!(await examineAlone(suspects, session, right))) return unsent();
      } else {
        if (answer !== undefined && answer !== first && (await hasEnough(session, answer))) return unsent();
        const culprit = await culpritOf(open, session, right);
        if (culprit === undefined) return unsent();
        if (culprit !== null) known.add(culprit);
      }
      suspects = [];
      answer = undefined;
    }
    return new Set(cases.filter(one => known.has(one)));
  }

  async function outcomeOf({ body, cases }: Pack, session: Session): Promise<Outcome> {
    const answer = await turns.together(() => send(session, body));
    if (answer.success) return { refused: new Set() };
    if (!isClientError(answer)) return { refused: new Set(cases), broken: answer };
    if (cases.length < 2) return { refused: new Set(cases) };
    return turns.alone(async () => {
      // Sent alone, the pack cannot collide with other requests, and leaves no more than planned.
      const second = isCircumstantial(answer) ? await sendAlone(session, body) : answer;
      if (second.success) return { refused: new Set() };
      if (!isClientError(second)) return { refused: new Set(cases), broken: second };
      const refused = await takenApart(cases, second, session);
      if (refused.size > 0 || isCircumstantial(answer)) return { refused };
      // Each case is accepted without some others, so the combination is at fault if it is refused again.
      const again = await sendAlone(session, body);
      return { refused, ...(!again.success && { broken: again }) };
    });
  }

  return {
    /** Packs only these cases. Otherwise the refusal of a case that is not sent would go unreported. */
    restrict(cases: readonly AcceptCase[]): void {
      packs = packsOf(
        all.filter(one => cases.includes(one)),
        template,
      );
    },
    /** True of a case that is part of a pack. */
    isPacked: (input: AcceptCase): boolean => packs.some(({ cases }) => cases.includes(input)),
    /** Sends the case's packs among the first `most`, unless already sent; null if the case has none. */
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
