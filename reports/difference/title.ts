import type { DifferencePlace } from '../../contracts/report/difference.ts';
import { safeText } from '../text/safe-text.ts';
import { fieldPath } from '../text/symptom.ts';
import { endpointsText } from '../text/verdict-text.ts';

const isSuccess = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;

/** Returns what a place is about: a member by its path, a header, the status, the body. */
function subjectOf(pointer: string): string {
  if (pointer.startsWith('header ')) return `the header \`${pointer.slice('header '.length)}\``;
  if (pointer.startsWith('/')) return `\`${fieldPath(pointer)}\``;
  return `the ${pointer === '' ? 'body' : pointer}`;
}

/** Returns the symptom from the view of the side that breaks a clause, else of the new server. */
function symptomOf({ aspect, label, lacks, pointer, statuses, ...shown }: DifferencePlace, others: number): string {
  const [side, otherSide] = label === 'a-breaks' ? (['a', 'b'] as const) : (['b', 'a'] as const);
  const [one, other] = [side.toUpperCase(), otherSide.toUpperCase()];
  const [status, otherStatus] = [statuses?.[side], statuses?.[otherSide]];
  const subject = subjectOf(pointer);
  const answers = `${one} answers ${status ?? shown[side]}`;
  const answering = `${answers} where ${other} answers ${otherStatus ?? shown[otherSide]}`;
  const value = `${one} shows ${subject} as ${shown[side]}, ${other} as ${shown[otherSide]}`;
  switch (aspect) {
    case 'outcome': {
      if (isSuccess(status) === isSuccess(otherStatus)) return answering;
      const [did, does] = isSuccess(status) ? ['accepts', 'refuses'] : ['refuses', 'accepts'];
      return `${one} ${did} (${status}) what ${other} ${does} (${otherStatus})`;
    }
    case 'status':
      return answering;
    case 'answered':
      return otherStatus === undefined
        ? `${answers} where ${other} gives no answer`
        : `${one} gives no answer where ${other} answers ${otherStatus}`;
    case 'presence': {
      if (!lacks) return value;
      const members = others === 0 ? '' : ` and ${others} other member${others === 1 ? '' : 's'}`;
      return lacks === side
        ? `${one} leaves out ${subject}${members}, which ${other} shows`
        : `${one} shows ${subject}${members}, which ${other} leaves out`;
    }
    case 'order':
      return `${one} shows ${subject} in another order than ${other}`;
    case 'type':
    case 'value':
      return value;
  }
}

const mostCharacters = 300;

/**
 * Returns a difference in one line that names both sides: `B answers 422 where A answers 400, at 9 endpoints`. Text
 * from a target is cut to a bounded length.
 */
export const differenceTitle = (place: DifferencePlace, endpoints: Iterable<string>, others = 0): string =>
  safeText(`${symptomOf(place, others)}, at ${endpointsText(endpoints)}`, mostCharacters);
