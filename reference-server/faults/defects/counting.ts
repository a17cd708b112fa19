import type { Answer } from '../../api/answer.ts';
import type { ApiRequest } from '../../api/request.ts';
import type { Defect } from '../fault.ts';
import { around, aroundWork } from './answers.ts';

/** A plain 500. */
export const broken: Answer = { status: 500, body: { status: 500, message: 'Internal error.' } };

/** Answers every n-th request in another way. A counter of the server, so that the same requests meet the same fate. */
export const everyNth =
  (count: number, answer: () => Answer | Promise<Answer>): Defect =>
  place => {
    let seen = 0;
    return around(handler => async (request, store, settings) => {
      seen += 1;
      return seen % count === 0 ? answer() : handler(request, store, settings);
    })(place);
  };

/** An answer that never comes. */
export const never = (): Promise<Answer> => new Promise(() => {});

/** Every turn of the event loop lets what arrived with a request arrive too. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

/** Keeps the request that it works on in a place that all requests share: of requests at once each is taken for the last one. */
export const sharesRequest: Defect = place => {
  let current: ApiRequest;
  return aroundWork(handler => async (request, store, settings) => {
    current = request;
    await turns(40);
    return handler(current, store, settings);
  })(place);
};

/** Keeps the answer in a place that all requests share: of requests at once each gets the last answer. */
export const sharesAnswer: Defect = place => {
  let current: Answer | undefined;
  return aroundWork(handler => async (request, store, settings) => {
    current = await handler(request, store, settings);
    await turns(40);
    return current;
  })(place);
};
