import type { Answer, ApiRequest } from '../protocol/answer.ts';
import type { Session } from '../protocol/check.ts';

/** More requests than these are never completed at the same moment. */
export const mostTogether = 8;

/** True where requests of a session can be completed at the same moment. */
export const canMeet = ({ atOnce = mostTogether }: Pick<Session, 'atOnce'>): boolean => atOnce > 1;

/** How many requests of a session are sent together: where only one may be under way, two, one after the other. */
export const roomFor = ({ atOnce = mostTogether }: Pick<Session, 'atOnce'>): number =>
  Math.max(2, Math.min(atOnce, mostTogether));

/**
 * Sends requests so that all are complete at the same moment, no more than `roomFor` says; the answers stand in their
 * order. A member of a body that several of them send is marked as contested.
 */
export function sendTogether(session: Session, requests: readonly ApiRequest[]): Promise<readonly Answer[]> {
  const marked = requests.map((request, index) => {
    const others = requests.filter((other, at) => at !== index && other.param === request.param);
    const contested = Object.keys(request.body ?? {}).filter(field =>
      others.some(({ body }) => Object.hasOwn((body ?? {}) as object, field)),
    );
    // Near the limit of what may be created a request would wait for the answers to the others.
    const spare = { ...request, spare: true };
    return contested.length === 0 || request.param === undefined ? spare : { ...spare, contested };
  });
  const { together } = session;
  return together === undefined || !canMeet(session) ? Promise.all(marked.map(session.send)) : together(marked);
}
