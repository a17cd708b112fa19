import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ReferenceServerOptions } from '../../reference-server/index.ts';
import { checksThat, type RunRecord, recordedRun, type Setting } from '../proof/testing/reference-run.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';

type Decorate = NonNullable<ReferenceServerOptions['decorateListener']>;

/** A server that answers some requests, given their number, with 503 and `Retry-After`. */
const puttingOff = (isOff: (request: IncomingMessage, number: number) => boolean, after = '1'): Decorate => {
  let number = 0;
  return inner => (request, response) => {
    number += 1;
    if (!isOff(request, number)) return inner(request, response);
    request.resume();
    response.writeHead(503, { 'retry-after': after, 'content-type': 'application/json' }).end('{"message":"later"}');
  };
};

const only = ['create-metric', 'patch-gate', 'list-qualifying-events/odd-requests', 'update-environments/odd-requests'];

/** Runs a few checks without waiting in earnest. */
function runWith(decorateListener: Decorate, setting: Setting = {}): Promise<RunRecord> {
  onTestFinished(skipWaits());
  return recordedRun({
    only,
    ...setting,
    server: { decorateListener },
    run: { timeoutMs: longest, ...setting.run },
  });
}

const told = ({ notices }: RunRecord): readonly string[] =>
  notices.filter(({ severity }) => severity === 'warning').map(({ text }) => text);

const isNothingJudged = (record: RunRecord): void => {
  expect([...checksThat(record, 'fail'), ...checksThat(record, 'warn'), ...checksThat(record, 'error')]).toEqual([]);
};

const ofMetrics = ({ method, url = '' }: IncomingMessage): boolean => method === 'POST' && /\/metrics(\?|$)/.test(url);

test('every third request that is put off is waited for, and the run proves what it proves else', async () => {
  const record = await runWith(puttingOff((_request, number) => number % 3 === 0));
  isNothingJudged(record);
  expect(record.checks.get('patch-gate/accepts')?.verdict).toBe('pass');
  expect(record.end.outcome).toBe('complete');
});

test.each<
  [what: string, isOff: (request: IncomingMessage, number: number) => boolean, endpoint: 'create-metric' | 'patch-gate']
>([
  ['one operation', ofMetrics, 'create-metric'],
  ['every PATCH', ({ method }) => method === 'PATCH', 'patch-gate'],
])(
  'where %s is put off to the end, nothing is judged by it, and a line says why it is untested',
  async (_what, isOff, endpoint) => {
    const record = await runWith(puttingOff(isOff));
    isNothingJudged(record);
    expect(record.verdicts.get(endpoint)).toBe('incomplete');
    const why = `${endpoint} puts requests off for longer than the suite waits (status 503: "later"; Retry-After 1)`;
    expect(record.checks.get(`${endpoint}/accepts`)).toMatchObject({ verdict: 'untested' });
    expect(told(record)).toContain(`${why}: the rest of it is untested`);
    expect(told(record).filter(text => text.includes('should succeed'))).toEqual([]);
  },
);

test('where everything is put off from some request on, the run ends soon, and says why', async () => {
  let sent = 0;
  const record = await runWith(
    puttingOff((_request, number) => {
      sent = number;
      return number >= 60;
    }),
  );
  isNothingJudged(record);
  expect(record.end).toMatchObject({
    outcome: 'unreachable',
    because: 'the target puts requests off for longer than the suite waits (status 503: "later"; Retry-After 1)',
  });
  expect(sent).toBeLessThan(60 + 200);
});

test.each(['20', '300'])(
  'a run that was interrupted ends soon where putting back is put off for %s seconds, and says what is left',
  async after => {
    const controller = new AbortController();
    let since = 0;
    const record = await runWith(
      puttingOff(() => {
        if (controller.signal.aborted) since += 1;
        return controller.signal.aborted;
      }, after),
      {
        only: ['patch-gate', 'update-qualifying-event'],
        run: { signal: controller.signal },
        onEvent: event => event.event === 'check-end' && event.verdict === 'pass' && controller.abort(),
      },
    );
    isNothingJudged(record);
    expect(record.end.outcome).toBe('interrupted');
    expect(told(record)).toContainEqual(
      expect.stringMatching(/^gate new_checkout could not be put back: patch-gate puts requests off for longer than/),
    );
    const left = record.events.filter(event => event.event === 'left-behind');
    expect(left).toContainEqual(
      expect.objectContaining({ id: 'new_checkout', send: expect.stringMatching(/^PATCH /) }),
    );
    // Those under way, then two for each of three operations, and one wait at most.
    expect(since).toBeLessThanOrEqual(8 + 6 + 1);
  },
);
