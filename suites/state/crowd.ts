import type { Answer, ApiRequest } from '../protocol/answer.ts';
import type { Session } from '../protocol/check.ts';

/** More requests than these are never completed at the same moment. */
export const mostTogether = 8;

/** True where requests of a session can be completed at the same moment. */
export const canMeet = ({ atOnce = mostTogether }: Pick<Session, 'atOnce'>): boolean => atOnce > 1;

/**
 * Sends requests so that all are complete at the same moment, or as many of them as may be under way together, and then
 * the next; the answers stand in their order. A member of a body that several of them send is marked as contested.
 */
export async function sendTogether(session: Session, requests: readonly ApiRequest[]): Promise<readonly Answer[]> {
  const marked = requests.map((request, index) => {
    const others = requests.filter((other, at) => at !== index && other.param === request.param);
    const contested = Object.keys(request.body ?? {}).filter(field =>
      others.some(({ body }) => Object.hasOwn((body ?? {}) as object, field)),
    );
    // Near the limit of what may be created a request would wait for the answers to the others.
    const spare = { ...request, spare: true };
    return contested.length === 0 || request.param === undefined ? spare : { ...spare, contested };
  });
  const { together, atOnce = mostTogether } = session;
  if (together === undefined || !canMeet(session)) {
    // What one brings is judged although another is withheld.
    const sent = await Promise.allSettled(marked.map(session.send));
    return sent.map(one => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }
  const answers: Answer[] = [];
  // None is left to go alone.
  for (const size of sizesOf(marked.length, Math.min(atOnce, mostTogether)))
    answers.push(...(await together(marked.slice(answers.length, answers.length + size))));
  return answers;
}

/** How so many are divided into crowds of about the same size, none of them larger than `most`. */
function sizesOf(count: number, most: number): readonly number[] {
  const crowds = Math.ceil(count / most);
  return Array.from({ length: crowds }, (_, index) => Math.floor((count + index) / crowds));
}
