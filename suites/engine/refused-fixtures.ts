import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isValid } from '../../contracts/validation.ts';
import { isCircumstantial, isClientError } from '../judge/outcome.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type ApiRequest, usesKey } from '../protocol/answer.ts';
import { entryOf } from '../protocol/entries.ts';
import type { Observer } from '../sut/observer.ts';
import { notice } from './notice.ts';

/** Minimum number of refusals that are told if they may be due to what was under way. */
const fewestInPassing = 2;

/** What one operation has answered to valid requests about one fixture. */
interface Tally {
  accepted: boolean;
  /** Number of refusals. */
  times: number;
  /** One refusal in words: the same whatever came first. */
  words: string;
  /** True if each refusal may be due to what was under way. */
  inPassing: boolean;
}

/** True of a request that keeps the contract, and is written as most clients write it. */
const isPlain = (request: ApiRequest, sent: unknown): boolean => {
  const { body } = endpointRow(request.endpoint);
  const { raw, query, contentType } = request;
  if (raw !== undefined || query !== undefined || contentType !== undefined || !usesKey(request)) return false;
  return body === null ? sent === undefined : isValid(body, sent ?? {});
};

/**
 * Tells which fixtures an operation refuses in every valid request, while it takes those about others. That is no
 * violation: a fixture may be in a state that forbids it, or be named wrongly. But no check was done with it.
 * @param fixturesOf the fixtures of the target file whose ids the path of an operation takes
 */
export function createRefusedFixtures(fixturesOf: (endpoint: EndpointId) => readonly string[]) {
  const tallies = new Map<EndpointId, Map<string, Tally>>();
  return {
    note(answer) {
      const { request, own, success, sent } = answer;
      const { endpoint, param } = request;
      if (!own || param === undefined || (!success && !isClientError(answer))) return;
      // Other ids are made up, and there is no end of them.
      if (!fixturesOf(endpoint).includes(param)) return;
      const ofEndpoint = entryOf(tallies, endpoint, () => new Map<string, Tally>());
      const tally = entryOf(ofEndpoint, param, () => ({ accepted: false, times: 0, words: '', inPassing: true }));
      if (success) tally.accepted = true;
      else if (!tally.accepted && isPlain(request, sent)) {
        const words = refusalInWords(answer);
        if (tally.times === 0 || words < tally.words) tally.words = words;
        tally.times += 1;
        tally.inPassing &&= isCircumstantial(answer);
      }
    },
    all() {
      return [...tallies].flatMap(([endpoint, ofEndpoint]) => {
        if (![...ofEndpoint.values()].some(({ accepted }) => accepted)) return [];
        const refused = fixturesOf(endpoint).flatMap(name => {
          const { times = 0, words = '', inPassing = false, accepted = true } = ofEndpoint.get(name) ?? {};
          return !accepted && times >= (inPassing ? fewestInPassing : 1) ? [{ name, words }] : [];
        });
        return [...grouped(refused, ({ words }) => words)].map(([words, all]) => {
          const names = all.map(({ name }) => name).join(', ');
          return notice(
            'warning',
            `${endpoint} refused every valid request about ${names} (${words}), and took those about others`,
            'see whether it is there, in a state that allows this, and named rightly in the target file; else mend the operation',
          );
        });
      });
    },
  } satisfies Observer;
}
