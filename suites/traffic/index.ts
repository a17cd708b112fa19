/** The judging of traffic that others sent: hand exchanges to a judge, and take what it finds as the events of a run. */

export type {
  ExchangeSink,
  NoAnswer,
  ObservedBody,
  ObservedExchange,
  ObservedHeaders,
  ObservedRequest,
  ObservedResponse,
  Unknown,
} from './exchange.ts';
export type { ExpectedBreach } from './expected-breaches.ts';
export { judgedFetch } from './in-process/fetch.ts';
export { judgedInterceptor } from './in-process/interceptor.ts';
export { type InProcessJudge, type InProcessOptions, judgeInProcess } from './in-process/judge.ts';
export { createTrafficJudge, type TrafficJudge } from './judge.ts';
export type { SeenBreach, TrafficJudgeOptions, Unjudged } from './options.ts';
export {
  BrokenRecording,
  basesOf,
  exchangesOf,
  type ReadExchange,
  readRecording,
  showsKeys,
} from './recordings/index.ts';
