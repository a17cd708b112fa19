import type { DifferenceLabel, DifferencePlace } from '../../contracts/report/difference.ts';
import { fieldPath } from '../text/finding-text.ts';
import { safeText } from '../text/safe-text.ts';
import { endpointsText } from '../text/verdict-text.ts';

/** A place told from one side: what that one does, and what the other one does. */
interface Told {
  readonly place: DifferencePlace;
  /** The letters of the one that is told of, and of the other one. */
  readonly one: 'A' | 'B';
  readonly other: 'A' | 'B';
  /** What they show, and what they answered: a status, if both were asked and it gave an answer. */
  readonly shown: string;
  readonly otherwise: string;
  readonly status: number | undefined;
  readonly otherStatus: number | undefined;
  /** The endpoints at which it shows, in words. */
  readonly where: string;
  /** So many other members are there, or not, as the one that is told of. */
  readonly others: number;
}

/** Returns the side that a difference is told of: the one that breaks a clause, else the new one. */
const toldSide = (label: DifferenceLabel): 'a' | 'b' => (label === 'a-breaks' ? 'a' : 'b');

const isSuccess = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;

/** What a place is about: a member by its path, a header, the status, the body. */
function subjectOf(pointer: string): string {
  if (pointer.startsWith('header ')) return `the header \`${pointer.slice('header '.length)}\``;
  if (pointer.startsWith('/')) return `\`${fieldPath(pointer)}\``;
  return `the ${pointer === '' ? 'body' : pointer}`;
}

const answering = ({ one, other, shown, otherwise, status, otherStatus, where }: Told): string =>
  `${one} answers ${status ?? shown} where ${other} answers ${otherStatus ?? otherwise}, at ${where}`;

function outcome(told: Told): string {
  const { one, other, status, otherStatus, where } = told;
  if (isSuccess(status) === isSuccess(otherStatus)) return answering(told);
  const [did, does] = isSuccess(status) ? ['accepts', 'refuses'] : ['refuses', 'accepts'];
  return `${one} ${did} (${status}) what ${other} ${does} (${otherStatus}), at ${where}`;
}

function answered({ one, other, shown, status, otherStatus, where }: Told): string {
  if (otherStatus === undefined) return `${one} answers ${status ?? shown} where ${other} gives no answer, at ${where}`;
  return `${one} gives no answer where ${other} answers ${otherStatus}, at ${where}`;
}

const value = ({ place, one, other, shown, otherwise, where }: Told): string =>
  `${one} shows ${subjectOf(place.pointer)} as ${shown}, ${other} as ${otherwise}, at ${where}`;

function presence(told: Told): string {
  const { place, one, other, where, others } = told;
  const more = others === 0 ? '' : ` and ${others} other member${others === 1 ? '' : 's'}`;
  const subject = `${subjectOf(place.pointer)}${more}`;
  if (place.lacks === undefined) return value(told);
  return place.lacks === one.toLowerCase()
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
  const side = toldSide(place.label);
  const otherSide = side === 'a' ? 'b' : 'a';
  const told: Told = {
    place,
    one: side === 'a' ? 'A' : 'B',
    other: side === 'a' ? 'B' : 'A',
    shown: place[side],
    otherwise: place[otherSide],
    status: place.statuses?.[side],
    otherStatus: place.statuses?.[otherSide],
    where: endpointsText(endpoints),
    others,
  };
  return safeText(wordings[place.aspect](told), mostCharacters);
}
