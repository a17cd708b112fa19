import { type Answer, type ApiRequest, isKeyRefusal } from '../protocol/answer.ts';
import { GivenUp, RunStopped } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import { subjectOf } from '../sut/target.ts';
import type { RunConfig } from './config.ts';
import type { RunState } from './run-state.ts';

/** The requests that show whether a run can begin: reads, and the empty patch of a gate, which changes nothing. */
function requestsOf({ target, readOnly }: RunConfig): readonly ApiRequest[] {
  const gate = subjectOf(target, 'patch-gate');
  return [
    { endpoint: 'list-segments' },
    { endpoint: 'list-qualifying-events' },
    ...(gate === undefined || readOnly ? [] : [{ endpoint: 'patch-gate' as const, param: gate, body: {} }]),
  ];
}

/** Sends the first requests of a run. Throws `RunStopped` where nobody answers, or every answer refuses the key. */
export async function preflight({ config, wire }: RunState): Promise<void> {
  const { target } = config;
  const session = openSession(wire, 'preflight');
  const answers: Answer[] = [];
  let unjudged = 0;
  for (const request of requestsOf(config)) {
    try {
      answers.push(await session.send(request));
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      unjudged += 1;
    }
  }
  if (unjudged === 0 && answers.every(answer => answer.reply.failure !== null)) {
    const why = answers[0]?.reply.failure?.message;
    throw new RunStopped('unreachable', `no answer from ${target.baseUrl.href}: ${why}`);
  }
  if (answers.length === 0 || !answers.every(isKeyRefusal)) return;
  const statuses = [...new Set(answers.map(answer => answer.status))].join(' and ');
  throw new RunStopped(
    'unreachable',
    `the key was refused everywhere (status ${statuses} on ${answers.length} of ${answers.length} minimal requests)`,
    `check --api-key (or SERVICE_API_KEY) and the header name (naming.apiKeyHeader is ${target.naming.apiKeyHeader})`,
  );
}
