import { decoded } from '../../../contracts/decoded.ts';
import { type Endpoint, hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { urlText } from '../../../contracts/url-text.ts';
import { livenessViolations } from '../../judge/outcome.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { fixtureNames } from '../../sut/target.ts';
import { citing, type OddCase, planOfOddCases, robustness } from './robustness.ts';

/** Percent-encoded path parameters that name nothing; `~` stands for a name of this run that exists nowhere. */
const oddIds: readonly (readonly [title: string, encoded: string])[] = [
  ['an id that names nothing', '~'],
  ['an id with an encoded slash', '~%2F~'],
  ['an id of encoded dots', '%2e%2e'],
  ['an id with a path in it', '..%2F..%2Fetc%2Fpasswd'],
  ['an id in another script', '~%E5%90%8D%E5%89%8D'],
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
  ['an id of wildcards', '~%25_*%3F'],
  ['an id that is no regular expression', '~%5B(%2B'],
  ['an id with a line break at its end', '~%0A'],
];

/** Unknown ids made from an existing one, which a careless lookup would still match. */
const nearIds: readonly (readonly [title: string, make: (id: string) => string])[] = [
  ['the id without its last character', id => id.slice(0, -1)],
  ['the id with a wildcard in it (%)', id => `${id.slice(0, -1)}%${id.slice(-1)}`],
  ['the id with a wildcard in it (*)', id => `${id.slice(0, -1)}*${id.slice(-1)}`],
  ['the id as a regular expression', id => `^${id}$`],
];

/**
 * Other spellings of an existing id, which a database may hold to be the same: the usual collations of MySQL know
 * neither letter case nor blanks at the end. Whether a service finds the entity by them is open.
 */
const equalIds: typeof nearIds = [
  ['the id in another letter case', id => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase())],
  ['the id with a blank at its end', id => `${id} `],
];

/** Values of `page` and `limit` that the specification leaves open; absent: not sent. */
const oddPaging: readonly { readonly page?: string; readonly limit?: string }[] = [
  ...['0', '-1', '1.5', 'abc', '', '999999999', '99999999999999999999'].map(page => ({ page })),
  ...['0', '-1', '2.5', 'abc', '', '1000000', '99999999999999999999'].map(limit => ({ limit })),
  { page: "1' OR '1'='1" },
];

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const withBody: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** Returns the endpoint's path with an encoded parameter. */
const pathWith = ({ path }: Endpoint, encoded: string): string => path.replace(/\{[A-Za-z]+\}/, () => encoded);

/**
 * Returns the body for an id that names nothing. It is valid, as a server may look at that first; it is a dry run where
 * there is one, and empty where another would create something.
 */
function bodyForNothing({ row, minimal }: CheckContext): ApiRequest['body'] {
  if (row.body === null) return undefined;
  if (row.effect === 'additive' || row.action === 'patch') return {};
  return { ...minimal.body, ...(hasDryRun(row) && { dryRun: true }) };
}

/** True if a server that resolves dots takes the id for the path of another operation, which may create something. */
const leadsElsewhere = (encoded: string): boolean => decoded(encoded).startsWith('..');

/**
 * Cases with ids that name nothing, so that nothing is written: not even an entity that is called `constructor`. A body
 * that is valid gets them as far as the lookup, but a service may create what it does not find: it is sent as a dry run
 * alone.
 */
function idCases(context: CheckContext, unknownId: string): OddCase[] {
  const { endpoint, row, target } = context;
  const named = row.fixture === null ? [] : fixtureNames(target, row.fixture);
  const body = bodyForNothing(context);
  return oddIds
    .filter(([, encoded]) => !named.includes(encoded))
    .map(([title, encoded]) => {
      const rawPath = pathWith(row, encoded.replaceAll('~', unknownId));
      const asks = { requirement: 'open.unknown-id-status', subject: title } as const;
      const request =
        encoded === '~'
          ? { endpoint, body, param: unknownId, asks }
          : { endpoint, body: body && (leadsElsewhere(encoded) || !hasDryRun(row)) ? {} : body, rawPath };
      return { title, request, judge: livenessViolations };
    });
}

/**
 * Cases with near ids, of operations that can be sent so that they only read: a near id may be that of an entity which
 * the target file does not name. The identity checks judge what they find, as in every answer.
 */
function nearCases(context: CheckContext): OddCase[] {
  const { row, minimal } = context;
  const { param = '' } = minimal;
  if (param.length < 3 || !readsAlone(row)) return [];
  const minimalRequest = minimalApiRequest(context, row.body === null ? undefined : {});
  const casesOf = (ids: typeof nearIds, sendTo: (id: string) => Partial<OddCase['request']>): OddCase[] =>
    ids
      .map(([title, make]) => ({ title, id: make(param) }))
      .filter(({ id }) => id !== param)
      .map(({ title, id }) => ({
        title,
        request: { ...minimalRequest, ...sendTo(id) },
        judge: livenessViolations,
      }));
  return [
    ...casesOf(nearIds, id => ({ param: id })),
    // A path of its own: what is found there may have the id that the service knows.
    ...casesOf(equalIds, id => ({ rawPath: pathWith(row, urlText(id)) })),
  ];
}

/** True if the operation can be sent so that it only reads. */
const readsAlone = (row: Endpoint): boolean => row.effect === 'read' || isOperation(row, 'gate', 'patch');

/** Sends a body where the operation has none. If the effect cannot be undone, the id names nothing. */
const bodyCases = (context: CheckContext, unknownId: string): OddCase[] =>
  ['{"conform_extra":1}', '{', ...(context.row.effect === 'read' ? [] : ['[null,null]'])].map(raw => ({
    title: `a body where there is none: ${raw}`,
    request: {
      ...minimalApiRequest(context),
      raw,
      ...(context.row.effect === 'read' ? {} : { rawPath: pathWith(context.row, unknownId) }),
    },
    judge: livenessViolations,
  }));

/**
 * Names of groups that are valid and say nothing new: none, and then one twice. Enabling the groups of the minimal
 * request is what the target file consents to; whether these are accepted is open.
 */
function groupCases(context: CheckContext): OddCase[] {
  const { row, minimal } = context;
  const named = minimal.body?.group_names;
  if (!isOperation(row, 'experiment', 'enable') || !Array.isArray(named)) return [];
  const [name] = named;
  return [
    { title: 'no group is named', names: [] },
    ...(name === undefined ? [] : [{ title: 'one group is named twice', names: [name, name] }]),
  ].map(({ title, names }) => ({
    title,
    request: minimalApiRequest(context, { group_names: names }),
    judge: livenessViolations,
  }));
}

/** Sends methods that no operation has at the path, with a body that is not JSON, so that nothing is written. */
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

/** Pages and limits about which the specification says nothing. */
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
      ...nearCases(context),
      ...groupCases(context),
      ...(row.body === null ? bodyCases(context, unknownId) : []),
      ...methodCases(context, unknownId),
      ...(row.list ? pagingCases(context) : []),
    ]);
  },
};
