import type { JsonObject } from '../../../contracts/json.ts';
import { type AcceptCase, mergedBody, type Pack, packsOf } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
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
  /** Sends the minimal request once more; true where the target refuses it now. */
  hasEnough(session: Session): Promise<boolean>;
}

/** What came of one pack: the cases to be sent alone, and what was answered to all of them where that says something. */
interface Outcome {
  readonly refused: ReadonlySet<AcceptCase>;
  readonly broken?: Answer;
}

/**
 * Sends cases in packs, each pack once, with the first of its cases; where that case is sent again, so is the pack. A
 * refused pack is taken apart by halves, until the cases that are refused stand alone.
 */
export function packedRequests({ template, cases: all, turns, send, hasEnough }: Packing) {
  const sent = new Map<Pack, { readonly carrier: AcceptCase; outcome: Promise<Outcome> }>();
  let packs = packsOf(all, template);
  let halves = 0;

  async function takenApart(cases: readonly AcceptCase[], session: Session): Promise<readonly AcceptCase[]> {
    if (cases.length < 2) return cases;
    const middle = Math.ceil(cases.length / 2);
    const refused: AcceptCase[] = [];
    for (const half of [cases.slice(0, middle), cases.slice(middle)]) {
      halves += 1;
      // What could not be looked at is sent alone, where it is examined as far as that may be.
      if (halves > mostHalves) refused.push(...half);
      else if (!(await send(session, mergedBody(half, template))).success)
        refused.push(...(await takenApart(half, session)));
    }
    return refused;
  }

  async function outcomeOf({ body, cases }: Pack, session: Session): Promise<Outcome> {
    const answer = await turns.together(() => send(session, body));
    if (answer.success) return { refused: new Set() };
    if (!isClientError(answer)) return { refused: new Set(cases), broken: answer };
    return turns.alone(async () => {
      if (await hasEnough(session)) return { refused: new Set(cases) };
      const refused = new Set(await takenApart(cases, session));
      if (refused.size > 0 || isCircumstantial(answer) || cases.length < 2) return { refused };
      // Each is accepted without some of the others: it is their company that is refused, if it is again.
      const again = await send(session, body);
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
