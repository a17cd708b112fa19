import type { DifferenceLabel, DifferencePlace } from '../../contracts/report/difference.ts';
import { safeText } from '../text/safe-text.ts';
import { fieldPath } from '../text/symptom.ts';
import { endpointsText } from '../text/verdict-text.ts';

/** A place told from one side: what that one does, and what the other one does. */
interface Told {
  readonly place: DifferencePlace;
  /** The letters of the one that is told of, and of the other one. */
  readonly one: 'A' | 'B';
  readonly other: 'A' | 'B';
  /** What they show. */
  readonly shown: string;
  readonly otherwise: string;
  /** The endpoints at which it shows, in words. */
  readonly where: string;
  /** So many other members are there, or not, as the one that is told of. */
  readonly others: number;
}

/** Returns the side that a difference is told of: the one that breaks a clause, else the new one. */
export const toldSide = (label: DifferenceLabel): 'a' | 'b' => (label === 'a-breaks' ? 'a' : 'b');

/** The status that a text begins with, without its words; a text that begins otherwise stays as it is. */
const bare = (text: string): string => /^(?:status )?([1-5]\d\d)\b/.exec(text)?.[1] ?? text;
const isSuccess = (text: string): boolean => /^(status )?2\d\d\b/.test(text);
const isNoAnswer = (text: string): boolean => /^no answer\b/.test(text);
/** True of words for a member that is not there. */
export const isAbsent = (text: string): boolean =>
  /^(absent|nothing|none|missing|left out|no such member|not there)\b/.test(text);

/** What a place is about: a member by its path, a header, the status, the body. */
export function subjectOf(pointer: string): string {
  if (pointer.startsWith('header ')) return `the header \`${pointer.slice('header '.length)}\``;
  if (pointer.startsWith('/')) return `\`${fieldPath(pointer)}\``;
  return `the ${pointer === '' ? 'body' : pointer}`;
}

const answering = ({ one, other, shown, otherwise, where }: Told): string =>
  `${one} answers ${bare(shown)} where ${other} answers ${bare(otherwise)}, at ${where}`;

function outcome(told: Told): string {
  const { one, other, shown, otherwise, where } = told;
  if (isSuccess(shown) === isSuccess(otherwise)) return answering(told);
  const [did, does] = isSuccess(shown) ? ['accepts', 'refuses'] : ['refuses', 'accepts'];
  return `${one} ${did} (${bare(shown)}) what ${other} ${does} (${bare(otherwise)}), at ${where}`;
}

function answered(told: Told): string {
  const { one, other, shown, otherwise, where } = told;
  if (isNoAnswer(otherwise)) return `${one} answers ${bare(shown)} where ${other} gives no answer, at ${where}`;
  return `${one} gives no answer where ${other} answers ${bare(otherwise)}, at ${where}`;
}

const value = ({ place, one, other, shown, otherwise, where }: Told): string =>
  `${one} shows ${subjectOf(place.pointer)} as ${shown}, ${other} as ${otherwise}, at ${where}`;

function presence(told: Told): string {
  const { place, one, other, shown, otherwise, where, others } = told;
  const more = others === 0 ? '' : ` and ${others} other member${others === 1 ? '' : 's'}`;
  const subject = `${subjectOf(place.pointer)}${more}`;
  if (isAbsent(shown) === isAbsent(otherwise)) return value(told);
  return isAbsent(shown)
    ? `${one} leaves out ${subject}, which ${other} shows, at ${where}`
    : `${one} shows ${subject}, which ${other} leaves out, at ${where}`;
}

const wordings: Readonly<Record<DifferencePlace['aspect'], (told: Told) => string>> = {
  outcome,
  status: answering,
  answered,
  presence,
  type: value,
  value,
  order: ({ place, one, other, where }) =>
    `${one} shows ${subjectOf(place.pointer)} in another order than ${other}, at ${where}`,
};

const mostCharacters = 300;

/**
 * Returns what differs, in a line: the symptom, both sides named. `B answers 422 where A answers 400, at 9 endpoints`.
 * What a target sent stands in it, cut to a bounded length.
 *
 * @param others how many other members are there, or not, as that of the place
 */
export function differenceTitle(place: DifferencePlace, endpoints: Iterable<string>, others = 0): string {
  const isOfA = toldSide(place.label) === 'a';
  const told: Told = {
    place,
    one: isOfA ? 'A' : 'B',
    other: isOfA ? 'B' : 'A',
    shown: isOfA ? place.a : place.b,
    otherwise: isOfA ? place.b : place.a,
    where: endpointsText(endpoints),
    others,
  };
  return safeText(wordings[place.aspect](told), mostCharacters);
}
