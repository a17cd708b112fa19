import type { Answer, ApiRequest } from '../protocol/answer.ts';
import type { Session } from '../protocol/check.ts';

/** Maximum number of requests that are completed at the same moment. */
export const mostTogether = 8;

/** True if requests of a session can be completed at the same moment. */
export const canMeet = ({ atOnce = mostTogether }: Pick<Session, 'atOnce'>): boolean => atOnce > 1;

/**
 * Sends requests in crowds that are completed at the same moment, each as large as may be in flight together. The
 * answers keep the order of the requests. A body member that several of them send is marked as contested.
 */
export async function sendTogether(session: Session, requests: readonly ApiRequest[]): Promise<readonly Answer[]> {
  const marked = requests.map((request, index) => {
    const others = requests.filter((other, at) => at !== index && other.param === request.param);
    const contested = Object.keys(request.body ?? {}).filter(field =>
      others.some(({ body }) => Object.hasOwn((body ?? {}) as object, field)),
    );
    // Otherwise a request near the limit of what may be created would wait for the answers to the others.
    const spare = { ...request, spare: true };
    return contested.length === 0 || request.param === undefined ? spare : { ...spare, contested };
  });
  const { together, atOnce = mostTogether } = session;
  if (together === undefined || !canMeet(session)) {
    // Wait for all, so that their answers are judged although another request is withheld.
    const sent = await Promise.allSettled(marked.map(session.send));
    return sent.map(one => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }
  const answers: Answer[] = [];
  // Divide evenly, so that no request is left to go alone.
  for (const size of sizesOf(marked.length, Math.min(atOnce, mostTogether)))
    answers.push(...(await together(marked.slice(answers.length, answers.length + size))));
  return answers;
}

/** Divides a count into crowds of about the same size, none larger than `most`. */
function sizesOf(count: number, most: number): readonly number[] {
  const crowds = Math.ceil(count / most);
  return Array.from({ length: crowds }, (_, index) => Math.floor((count + index) / crowds));
}
