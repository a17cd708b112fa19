/** Judges observed traffic: hand exchanges to a judge and receive its findings as the events of a run. */

export type { SeenBreach, Unjudged } from './exchange/breach.ts';
export type {
  ExchangeSink,
  NoAnswer,
  ObservedBody,
  ObservedExchange,
  ObservedHeaders,
  ObservedRequest,
  ObservedResponse,
  Unknown,
} from './exchange/exchange.ts';
export { judgedFetch } from './in-process/fetch.ts';
export { judgedInterceptor } from './in-process/interceptor.ts';
export { type InProcessJudge, type InProcessOptions, judgeInProcess } from './in-process/judge.ts';
export type { ExpectedBreach } from './judge/expected-breaches.ts';
export { createTrafficJudge, type TrafficJudge } from './judge/judge.ts';
export type { TrafficJudgeOptions } from './judge/options.ts';
export {
  BrokenRecording,
  basesOf,
  exchangesOf,
  type ReadExchange,
  readRecording,
  showsKeys,
} from './recordings/index.ts';
