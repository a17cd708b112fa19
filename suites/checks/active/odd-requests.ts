import { endpoints } from '../../../contracts/endpoints.ts';
import { livenessViolations } from '../../judge/outcome.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, type CheckResult, minimalApiRequest } from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import { aliveViolations } from './malformed.ts';

interface OddCase {
  readonly title: string;
  readonly request: Partial<ApiRequest>;
}

/** Path parameters, percent-encoded, that name nothing; `~` stands for a name of this run that exists nowhere. */
const oddIds: readonly (readonly [title: string, encoded: string])[] = [
  ['an id that names nothing', '~'],
  ['an id with an encoded slash', '~%2F~'],
  ['an id of encoded dots', '%2e%2e'],
  ['an id with a path in it', '..%2F..%2Fetc%2Fpasswd'],
  ['an id in another script', '%E5%90%8D%E5%89%8D'],
  ['an id with an emoji', '~%F0%9F%9A%80'],
  ['an id with a blank', '~%20~'],
  ['an id with an encoded percent sign', '~%25'],
  ['an id with a quote', "~'%22"],
  ['an id with NUL', '~%00'],
  ['an id that is no valid UTF-8', '~%ff%fe'],
  ['an id with a broken percent-encoding', '~%zz'],
  ['the id __proto__', '__proto__'],
  ['the id constructor', 'constructor'],
  ['an id of 4,000 characters', 'a'.repeat(4000)],
];

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const placeholder = /\{[A-Za-z]+\}/;

const methodsAt = (path: string): ReadonlySet<string> =>
  new Set(
    Object.values(endpoints)
      .filter(row => row.path === path)
      .map(row => row.method),
  );

/**
 * Odd requests write nothing: the ids name nothing, and another method at a path without an id carries a body that is no JSON.
 */
function oddCases({ row, token, readOnly }: CheckContext): readonly OddCase[] {
  const nothing = `conform-${token}-none`;
  const cases: OddCase[] = [];
  const body = row.body === null ? {} : { body: {} };
  if (row.param !== null) {
    for (const [title, encoded] of oddIds) {
      const asks = encoded === '~' ? { asks: { requirement: 'open.unknown-id-status' as const, subject: title } } : {};
      cases.push({
        title,
        request: {
          ...asks,
          ...body,
          rawPath: row.path.replace(placeholder, () => encoded.replaceAll('~', nothing)),
        },
      });
    }
  }
  const path = row.path.replace(placeholder, nothing);
  const documented = methodsAt(row.path);
  for (const method of methods) {
    if (documented.has(method) || (readOnly && method !== 'GET')) continue;
    // DELETE of a whole collection is nobody's consent.
    if (method === 'DELETE' && row.param === null) continue;
    const withBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
    cases.push({
      title: `${method} instead of ${row.method}`,
      request: {
        method,
        rawPath: path,
        ...(withBody ? { raw: '{' } : {}),
        asks: { requirement: 'open.method-status', subject: `${method} instead of ${row.method}` },
      },
    });
  }
  if (row.list) {
    for (const [page, limit] of oddPaging) {
      const query = { ...(page === null ? {} : { page }), ...(limit === null ? {} : { limit }) };
      const title = `page ${page ?? '(none)'} and limit ${limit ?? '(none)'}`;
      cases.push({ title, request: { query, asks: { requirement: 'open.odd-paging', subject: title } } });
    }
  }
  return cases;
}

/** Values of `page` and `limit` that the specification leaves open; `null` leaves the parameter out. */
const oddPaging: readonly (readonly [page: string | null, limit: string | null])[] = [
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['abc', null],
  ['', null],
  ['999999999', null],
  ['99999999999999999999', null],
  [null, '0'],
  [null, '-1'],
  [null, '2.5'],
  [null, 'abc'],
  [null, ''],
  [null, '1000000'],
  [null, '99999999999999999999'],
  ["1' OR '1'='1", null],
];

/** Unknown and odd ids, other methods and odd paging get an answer below 500, in time (RFC 9110 section 15). */
export const oddRequests: ActiveCheck<OddCase> = {
  kind: 'active',
  id: 'odd-requests',
  level: 'MUST',
  title: 'Unknown ids, odd paths, other methods and odd paging get an answer, and no 5xx',
  detects:
    'A lookup that throws on what is not there, a decoder that throws on a broken escape, a page offset that overflows, a method nobody handles.',
  requirements: row => [
    'robust.never-5xx',
    'robust.no-hang',
    'robust.no-drop',
    'robust.alive-after',
    ...(row.list ? (['pagination.odd-values'] as const) : []),
  ],
  appliesTo: () => true,
  plan(context) {
    const cases: readonly (OddCase | 'afterwards')[] = [
      ...oddCases(context),
      ...(context.oneShot ? [] : (['afterwards'] as const)),
    ];
    return {
      cases: cases as readonly OddCase[],
      parallel: false,
      describe: (input: OddCase | 'afterwards') => ({
        title: input === 'afterwards' ? 'the minimal request after all of them' : input.title,
        pointer: '',
      }),
      async run(input: OddCase | 'afterwards', session: Session): Promise<CheckResult> {
        const minimal = minimalApiRequest(context);
        if (input === 'afterwards') return { violations: aliveViolations(await session.send(minimal)), proved: true };
        const paging = input.request.query !== undefined;
        const answer = await session.send(
          paging ? { ...minimal, ...input.request } : { endpoint: context.endpoint, ...input.request },
        );
        const violations = livenessViolations(answer).map(violation =>
          paging && violation.requirement === 'robust.never-5xx'
            ? { ...violation, requirement: 'pagination.odd-values' as const }
            : violation,
        );
        return { violations, proved: true };
      },
    };
  },
};
