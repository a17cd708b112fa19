import type { OutgoingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { ReferenceServerOptions } from '../../reference-server/index.ts';
import { checksThat, recordedRun, testKey } from '../proof/testing/reference-run.ts';

type Decorate = NonNullable<ReferenceServerOptions['decorate']>;
type Handler = Parameters<Decorate>[1];
type Request = Parameters<Handler>[0];
type Answer = Awaited<ReturnType<Handler>>;
type Members = Record<string, unknown>;

/** Puts a fault around the handler of one operation. */
const at = (endpoint: EndpointId, fault: (handler: Handler) => Handler): ReferenceServerOptions => ({
  decorate: (id, handler) => (id === endpoint ? fault(handler) : handler),
});

/** Changes the body of every success; the change works on a copy. */
const changed =
  (change: (body: Members, request: Request) => Members) =>
  (handler: Handler): Handler =>
  async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    if (answer.status !== 200) return answer;
    const body = structuredClone(answer.body) as Members;
    return { ...answer, body: change(body, request) };
  };

const changedData = (change: (data: Members, request: Request) => Members) =>
  changed((body, request) => ({ ...body, data: change(body.data as Members, request) }));

/** Answers some requests in another way than the handler. */
const instead =
  (answer: (request: Request) => Answer | Promise<Answer> | undefined) =>
  (handler: Handler): Handler =>
  async (request, store, settings) =>
    (await answer(request)) ?? handler(request, store, settings);

const bodyOf = (request: Request): Members => {
  const { body } = request;
  return typeof body === 'object' && body !== null ? (body as Members) : {};
};
const textOf = (request: Request, field: string): string => {
  const value = bodyOf(request)[field];
  return typeof value === 'string' ? value : '';
};
const withKey = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, 'service-api-key': testKey },
});
const never = new Promise<Answer>(() => {});

/** An error page of HTML, as a framework's default handler has it, instead of every refusal below a path. */
const htmlBelow = (path: string): ReferenceServerOptions => ({
  decorateListener: listener => (request, response) => {
    if (request.url?.startsWith(path) === true) {
      const { writeHead, end } = response;
      let html = false;
      response.writeHead = ((status: number, headers?: OutgoingHttpHeaders) => {
        html = status >= 400;
        return writeHead.call(response, status, html ? { 'content-type': 'text/html' } : headers);
      }) as typeof writeHead;
      response.end = ((text?: string) => end.call(response, html ? '<h1>Error</h1>' : text, 'utf8')) as typeof end;
    }
    listener(request, response);
  },
});

interface Planted {
  readonly fault: string;
  readonly server: ReferenceServerOptions;
  readonly endpoint: EndpointId;
  /** What is run; everything of the endpoint when absent. */
  readonly only?: string;
  readonly hangs?: true;
  readonly verdict?: 'warn';
  /** The checks that catch it first hand. Scenarios over the same traffic may catch it too. */
  readonly checks: readonly string[];
  /** What the first finding of the first of them cites. */
  readonly requirement: unknown;
  /** Where in the answer, and which field of the request: the empty text is the request as a whole. */
  readonly pointer: string;
  readonly field: string;
  readonly sent?: unknown;
}

const planted: readonly Planted[] = [
  {
    fault: 'a gate is enabled 1 or 0',
    server: at(
      'patch-gate',
      changedData(data => ({ ...data, isEnabled: Number(data.isEnabled) })),
    ),
    endpoint: 'patch-gate',
    checks: ['schema'],
    requirement: 'gate.isEnabled',
    pointer: '/data/isEnabled',
    field: '',
  },
  {
    fault: 'a description may have 1001 characters',
    server: {
      decorateValidate: (id, validate) =>
        id === 'patch-gate'
          ? request => (textOf(request, 'description').length === 1001 ? [] : validate(request))
          : validate,
    },
    endpoint: 'patch-gate',
    checks: ['rejects'],
    requirement: 'gate.description',
    pointer: 'status',
    field: '/description',
    sent: expect.stringMatching(/^.{1001}$/s),
  },
  {
    fault: 'the second page repeats an item of the first',
    server: at('list-segments', handler => async (request, store, settings) => {
      const answer = await handler(request, store, settings);
      if (answer.status !== 200 || request.query.page !== '2') return answer;
      const first = await handler({ ...request, query: { ...request.query, page: '1' } }, store, settings);
      const [page, before] = [answer.body as Members, first.body as { data: unknown[] }];
      return { ...answer, body: { ...page, data: [before.data.at(-1), ...(page.data as unknown[]).slice(1)] } };
    }),
    endpoint: 'list-segments',
    checks: ['pagination'],
    requirement: 'pagination.complete',
    pointer: '/data',
    field: '',
  },
  {
    fault: 'the id of a created metric has one colon',
    server: at(
      'create-metric',
      changedData(data => ({ ...data, id: `${data.name}:${data.type}` })),
    ),
    endpoint: 'create-metric',
    checks: ['identity'],
    requirement: 'identity.metric-id',
    pointer: '/data/id',
    field: '',
  },
  {
    fault: 'a description of exactly 1000 characters is too much for the server',
    server: at(
      'patch-gate',
      instead(request =>
        textOf(request, 'description').length === 1000 ? { status: 500, body: { status: 500 } } : undefined,
      ),
    ),
    endpoint: 'patch-gate',
    checks: ['accepts'],
    requirement: 'accept.stated-boundary',
    pointer: 'status',
    field: '/description',
    sent: expect.stringMatching(/^.{1000}$/s),
  },
  {
    fault: 'an empty list of tags is never answered',
    only: 'patch-gate/accepts',
    hangs: true,
    server: at(
      'patch-gate',
      instead(request => (JSON.stringify(bodyOf(request).tags) === '[]' ? never : undefined)),
    ),
    endpoint: 'patch-gate',
    checks: ['accepts'],
    requirement: 'robust.no-hang',
    pointer: 'connection',
    field: '/tags',
    sent: [],
  },
  {
    fault: 'the message of success is reworded',
    server: at(
      'list-segments',
      changed(body => ({ ...body, message: 'Segments listed successfully' })),
    ),
    endpoint: 'list-segments',
    checks: ['message'],
    requirement: 'message.list-segments',
    pointer: '/message',
    field: '',
  },
  {
    fault: 'the key is compared by its beginning',
    server: at('list-segments', handler => (request, store, settings) => {
      const given = String(request.headers['service-api-key'] ?? '');
      const begins = given.length > 3 && testKey.startsWith(given);
      return handler(begins ? withKey(request) : request, store, settings);
    }),
    endpoint: 'list-segments',
    checks: ['authentication'],
    requirement: 'auth.near-miss-key',
    pointer: 'status',
    field: '',
  },
  {
    fault: 'the key may stand in the query',
    server: at(
      'list-segments',
      handler => (request, store, settings) =>
        handler(request.query['SERVICE-API-KEY'] === testKey ? withKey(request) : request, store, settings),
    ),
    endpoint: 'list-segments',
    checks: ['authentication'],
    requirement: 'auth.key-in-query',
    pointer: 'status',
    field: '',
  },
  {
    fault: 'tags come back sorted',
    server: at(
      'patch-gate',
      changedData(data => ({ ...data, tags: (data.tags as string[]).sort().reverse() })),
    ),
    endpoint: 'patch-gate',
    verdict: 'warn',
    checks: ['echo'],
    requirement: 'echo.order-and-space',
    pointer: '/data/tags',
    field: '/tags',
  },
  {
    fault: 'a description comes back in lower case',
    server: at(
      'patch-gate',
      changedData((data, request) =>
        'description' in bodyOf(request)
          ? { ...data, description: textOf(request, 'description').toLowerCase() }
          : data,
      ),
    ),
    endpoint: 'patch-gate',
    checks: ['echo'],
    requirement: 'echo.sent-field',
    pointer: '/data/description',
    field: '/description',
  },
  {
    fault: 'an allocation of 100 is refused',
    server: {
      decorateValidate: (id, validate) => request =>
        id === 'update-experiment' && bodyOf(request).allocation === 100
          ? [{ property: 'allocation', errorMessage: 'must be below 100' }]
          : validate(request),
    },
    endpoint: 'update-experiment',
    checks: ['accepts'],
    requirement: expect.stringMatching(/^accept\.(stated-boundary|plain-value)$/),
    pointer: 'status',
    field: '/allocation',
    sent: 100,
  },
  {
    fault: 'success has no body',
    server: at('create-prompt-version', handler => async (request, store, settings) => {
      const answer = await handler(request, store, settings);
      return answer.status === 200 ? { status: 204, body: undefined } : answer;
    }),
    endpoint: 'create-prompt-version',
    checks: ['envelope'],
    requirement: 'envelope.success-2xx',
    pointer: 'body',
    field: '',
  },
  {
    fault: 'a refusal is a page of HTML',
    server: htmlBelow('/console/v1/segments'),
    endpoint: 'list-segments',
    checks: ['refusals'],
    requirement: 'reject.body-json',
    pointer: 'body',
    field: '',
  },
];

/** The checks whose cases do not depend on chance or on several requests: exactly the named ones of them catch a fault. Fuzz and scenarios may catch it too. */
const firstHand = new Set([
  'accepts',
  'metric-types',
  'pagination',
  'rejects',
  'authentication',
  'malformed-bodies',
  'odd-requests',
  'envelope',
  'message',
  'schema',
  'presence',
  'identity',
  'echo',
  'refusals',
  'disclosure',
]);

test.each(planted)('$fault', async row => {
  const {
    server,
    endpoint,
    only = endpoint,
    hangs = false,
    checks,
    requirement,
    pointer,
    field,
    verdict = 'fail',
  } = row;
  const record = await recordedRun({ server, only: [only], run: { profile: 'standard' }, hangs });
  expect(record.end.outcome).toBe('complete');
  expect(checksThat(record, 'error')).toEqual([]);
  const caught = checksThat(record, verdict).filter(id => firstHand.has(id.slice(endpoint.length + 1)));
  expect(caught).toEqual(checks.map(check => `${endpoint}/${check}`));
  expect(record.verdicts.get(endpoint)).toBe(verdict === 'fail' ? 'non-conformant' : 'conformant');

  const finding = record.checks.get(`${endpoint}/${checks[0]}`)?.findings[0];
  expect(finding).toMatchObject({
    requirement,
    pointer,
    seen: { times: 3, of: 3 },
    counterexample: { pointer: field },
  });
  if ('sent' in row) expect(finding?.counterexample?.sent).toEqual(row.sent);
  expect(finding?.expected).not.toBe('');
  expect(finding?.actual).not.toBe(finding?.expected);
  const evidence = finding?.exchange;
  expect(evidence?.request.url).toContain('/console/v1/');
  expect('response' in (evidence ?? {})).not.toBe('failure' in (evidence ?? {}));
});

test('a server without a fault passes the same selections', async () => {
  const only = [...new Set(planted.map(({ endpoint }) => endpoint))];
  const record = await recordedRun({ only });
  for (const verdict of ['fail', 'warn', 'untested', 'error'] as const) expect(checksThat(record, verdict)).toEqual([]);
  expect([...record.verdicts.values()].every(verdict => verdict === 'conformant')).toBe(true);
});
