import { acceptCases, type Part } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer, RequestDescription } from '../../protocol/answer.ts';
import { type CheckContext, type Session, type Violation, violation } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { fewest } from '../../sut/nearest.ts';
import { acceptance, requirementOfAcceptCase } from './acceptance.ts';
import { schemaOf, templateOf } from './body.ts';
import type { TakenApart } from './taken-apart.ts';

/** Maximum number of refused fields that are judged: a service that refuses more is told of the first. */
const mostFields = 6;
/** Maximum number of cases of one refused field. */
const mostCases = 12;
/** Maximum number of requests that find the fewest fields which are refused together. */
const mostSought = 24;

/** Content Too Large (RFC 9110 section 15.5.14): how much a service takes at once is not stated. */
const tooLarge = 413;

/** Sends some parts together. */
type Send = (parts: readonly Part[]) => Promise<Answer>;

/** True of a field at an ordinary value. */
const isOrdinary = ({ leaf }: Part): boolean => leaf === undefined;

/** Returns a violation as one of the request that is described. */
const about = ({ answer, ...found }: Violation, description: RequestDescription): Violation => ({
  ...found,
  answer: { ...answer, request: { ...answer.request, about: description } },
});

/**
 * Judges the fields that a request of many refuses at ordinary values (sections 4 and 8): a small profile sends few of
 * the cases that try one of them alone. A refused field is tried as those would. Fields that are refused together, while
 * each is accepted, are a combination.
 */
export function refusedValues(context: CheckContext) {
  const { target } = context;
  const { run } = acceptance(context, requirementOfAcceptCase);
  /** Fields that are refused together: judged once, whichever request holds them. */
  const combined: (readonly string[])[] = [];
  /** The title of the request that showed a field to be refused. No other one carries it, but a repetition does. */
  const shownBy = new Map<string, string>();

  async function ofField(name: string, session: Session): Promise<readonly Violation[]> {
    const { cases } = acceptCases(schemaOf(context), templateOf(context), target);
    const own = cases.filter(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
    const isPlain = ({ keyword, level }: (typeof own)[number]): boolean => keyword === 'example' && level === 'MUST';
    for (const one of [...own.filter(isPlain), ...own.filter(other => !isPlain(other))].slice(0, mostCases)) {
      const { violations = [] } = (await unlessWithheld(run(one, session))) ?? {};
      const { title, pointer, value } = one;
      if (violations.length > 0) return violations.map(found => about(found, { title, pointer, sent: value }));
    }
    return [];
  }

  async function ofTogether(parts: readonly Part[], send: Send): Promise<readonly Violation[]> {
    const isRefused = async (some: readonly Part[]): Promise<boolean> => isClientError(await send(some));
    if (parts.length < 2 || !(await isRefused(parts))) return [];
    let left = mostSought;
    const counted = (some: readonly Part[]): Promise<boolean> => {
      left -= 1;
      return isRefused(some);
    };
    const { kept } = await fewest(parts, counted, () => left <= 0);
    return kept.length < 2 ? [] : ofCombination(kept, send);
  }

  /** Judges fields of which fewer are accepted. */
  async function ofCombination(parts: readonly Part[], send: Send): Promise<readonly Violation[]> {
    const answer = await send(parts);
    if (!isClientError(answer) || isCircumstantial(answer) || answer.status === tooLarge) return [];
    const names = parts.map(({ field }) => field.name);
    combined.push(names);
    const expected = 'a success, as with fewer of them';
    const found = violation(answer, 'accept.combination', 'status', expected, refusalInWords(answer));
    return [about(found, { title: `${names.join(' and ')} together`, pointer: '' })];
  }

  /**
   * Finds an ordinary value at fault where each accepted request leaves something, and refused ones are free: leaves out
   * one value more each time, until the rest is accepted beside the others. Returns undefined if all are accepted, or
   * that cannot be told, and null if none ever is.
   */
  async function culpritOf(
    parts: readonly Part[],
    send: Send,
    beside: readonly Part[] = [],
  ): Promise<Part | undefined | null> {
    for (let left = parts.length; left + beside.length > 0 && left >= 0; left -= 1) {
      const kept = parts.slice(parts.length - left);
      const answer = await unlessWithheld(send([...beside, ...kept]));
      if (answer === null) return undefined;
      if (!isClientError(answer)) return parts[parts.length - left - 1];
    }
    return null;
  }

  /** True of a field that another request than the one of this title has shown to be refused. */
  const isKnown = (name: string, title: string): boolean => (shownBy.get(name) ?? title) !== title;

  return {
    isKnown,
    /** Judges what the request of this title has shown. */
    async judge(
      title: string,
      { refused, together }: TakenApart,
      session: Session,
      send: Send,
    ): Promise<readonly Violation[]> {
      const violations: Violation[] = [];
      for (const [index, { field }] of refused.filter(isOrdinary).entries()) {
        shownBy.set(field.name, title);
        if (index < mostFields) violations.push(...(await ofField(field.name, session)));
      }
      return [...violations, ...(await ofTogether(together.filter(isOrdinary), send))];
    },
    /** Judges the same where few of the parts could be accepted, because each acceptance leaves something. */
    async judgeSparingly(
      parts: readonly Part[],
      { right, refused }: TakenApart,
      session: Session,
      send: Send,
    ): Promise<readonly Violation[]> {
      const ordinary = parts.filter(isOrdinary);
      const isSent = (name: string): boolean => ordinary.some(({ field }) => field.name === name);
      if (ordinary.every(one => right.includes(one)) || combined.some(names => names.every(isSent))) return [];
      const known = refused.find(isOrdinary);
      if (known !== undefined) return ofField(known.field.name, session);
      const found = await culpritOf(ordinary, send);
      const culprit = found === null ? ordinary.at(-1) : found;
      if (culprit === undefined) return [];
      // Accepted at last, it is refused beside one of those behind it.
      const other = await culpritOf(ordinary.slice(ordinary.indexOf(culprit) + 1), send, [culprit]);
      if (other === undefined) return [];
      return other === null ? ofField(culprit.field.name, session) : ofCombination([culprit, other], send);
    },
  };
}
