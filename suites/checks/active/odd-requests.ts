import type { Endpoint } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { livenessViolations } from '../../judge/outcome.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { citing, type OddCase, planOfOddCases, robustness } from './robustness.ts';

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

/** Values of `page` and `limit` that the specification leaves open; an absent one is not sent. */
const oddPaging: readonly { readonly page?: string; readonly limit?: string }[] = [
  ...['0', '-1', '1.5', 'abc', '', '999999999', '99999999999999999999'].map(page => ({ page })),
  ...['0', '-1', '2.5', 'abc', '', '1000000', '99999999999999999999'].map(limit => ({ limit })),
  { page: "1' OR '1'='1" },
];

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const withBody: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** The path of an endpoint with a parameter, percent-encoded, in it. */
const pathWith = ({ path }: Endpoint, encoded: string): string => path.replace(/\{[A-Za-z]+\}/, () => encoded);

/** Ids that name nothing, so that nothing is written. */
const idCases = ({ endpoint, row }: CheckContext, unknownId: string): OddCase[] =>
  oddIds.map(([title, encoded]) => ({
    title,
    request: {
      endpoint,
      ...(row.body === null ? {} : { body: {} }),
      rawPath: pathWith(row, encoded.replaceAll('~', unknownId)),
      ...(encoded === '~' ? { asks: { requirement: 'open.unknown-id-status', subject: title } } : {}),
    },
    judge: livenessViolations,
  }));

/** Methods that no operation has at the path, with a body that is no JSON, so that nothing is written. */
function methodCases({ endpoint, row, readOnly }: CheckContext, unknownId: string): OddCase[] {
  const documented = Object.values(endpoints).filter(({ path }) => path === row.path);
  return (
    methods
      .filter(method => !documented.some(one => one.method === method) && (!readOnly || method === 'GET'))
      // Naming a fixture is no consent to delete a whole collection.
      .filter(method => method !== 'DELETE' || row.param !== null)
      .map(method => {
        const title = `${method} instead of ${row.method}`;
        return {
          title,
          request: {
            endpoint,
            method,
            rawPath: pathWith(row, unknownId),
            ...(withBody.includes(method) ? { raw: '{' } : {}),
            asks: { requirement: 'open.method-status', subject: title },
          },
          judge: livenessViolations,
        };
      })
  );
}

/** Pages and limits of which the specification says nothing. */
const pagingCases = (context: CheckContext): OddCase[] =>
  oddPaging.map(query => {
    const title = `page ${query.page ?? '(none)'} and limit ${query.limit ?? '(none)'}`;
    return {
      title,
      request: { ...minimalApiRequest(context), query, asks: { requirement: 'open.odd-paging', subject: title } },
      judge: answer => citing(livenessViolations(answer), 'robust.never-5xx', 'pagination.odd-values'),
      covers: ['pagination.odd-values'],
    };
  });

/** Section 7, RFC 9110 section 15: odd ids, methods and paging get an answer below 500, in time. */
export const oddRequests: ActiveCheck<OddCase> = {
  kind: 'active',
  id: 'odd-requests',
  level: 'MUST',
  title: 'Unknown ids, odd paths, other methods and odd paging get an answer, and no 5xx',
  detects:
    'A lookup that throws on what is not there, a decoder that throws on a broken escape, a page offset that overflows, a method nobody handles.',
  requirements: row => [...robustness, ...(row.list ? (['pagination.odd-values'] as const) : [])],
  appliesTo: () => true,
  plan(context) {
    const { row, token } = context;
    const unknownId = `conform-${token}-none`;
    return planOfOddCases(context, [
      ...(row.param === null ? [] : idCases(context, unknownId)),
      ...methodCases(context, unknownId),
      ...(row.list ? pagingCases(context) : []),
    ]);
  },
};
