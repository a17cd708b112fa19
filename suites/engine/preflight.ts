import type { Answer, ApiRequest } from '../protocol/answer.ts';
import { evenPutOff, RunStopped, unlessGivenUp } from '../protocol/stop.ts';
import { hindranceOf } from '../sut/hindrance.ts';
import { openSession } from '../sut/session.ts';
import { subjectOf } from '../sut/target.ts';
import type { RunConfig } from './config.ts';
import { notice } from './notice.ts';
import type { RunState } from './run-state.ts';

/**
 * Returns the requests that show whether a run can begin: reads, and the empty patch of a gate, which changes nothing.
 */
function requestsOf({ target, readOnly }: RunConfig): readonly ApiRequest[] {
  const gate = subjectOf(target, 'patch-gate');
  return [
    { endpoint: 'list-segments' },
    { endpoint: 'list-qualifying-events' },
    ...(gate === undefined || readOnly
      ? []
      : [{ endpoint: 'patch-gate' as const, param: gate, body: {}, asIs: true as const }]),
  ];
}

/** Sends the first requests of a run. Throws `RunStopped` if nothing useful can follow. */
export async function preflight(run: RunState): Promise<void> {
  const { config, wire } = run;
  const { target, timeoutMs } = config;
  const { trace } = wire;
  const session = openSession(wire, 'preflight');
  // What is put off is no verdict, but may tell why a run is not worth beginning.
  const read = (request: ApiRequest): Promise<Answer | null> => unlessGivenUp(evenPutOff(session.send(request)), null);
  if (trace !== undefined) trace.on = true;
  const first = trace === undefined ? undefined : await read({ endpoint: 'list-segments', unobserved: true });
  if (first === null) return;
  // The specification does not mention this header, so refusing it is reported as a notice, not as a violation.
  const isRefused = trace !== undefined && first !== undefined && first.status >= 400;
  if (isRefused) trace.on = false;
  const answers: Answer[] = first === undefined || isRefused ? [] : [first];
  for (const request of requestsOf(config).slice(answers.length)) {
    const answer = await read(request);
    // An answer that cannot be shown is still an answer.
    if (answer === null) return;
    answers.push(answer);
  }
  const hindrance = await hindranceOf({ target, answers, timeoutMs, read });
  if (hindrance !== null) throw new RunStopped('unreachable', hindrance.text, hindrance.remedy);
  if (!isRefused || answers[0]?.success !== true) return;
  const text = 'the target refuses requests with the header traceparent: none carries it from here on';
  run.emit(notice('info', text, 'leave it out from the beginning with --no-trace'));
}
