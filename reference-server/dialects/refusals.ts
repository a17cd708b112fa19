import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { ErrorBody } from '../api/response.ts';
import { type Outgoing, onText, onWire, refusals, successStatus } from '../decorators/index.ts';
import { all, type DialectTable, lists, usesUpBudget } from './dialect.ts';

/**
 * Other status codes and bodies of refusals, of which section 7 shows none, and success codes that section 4 leaves
 * open.
 */

const otherStatus = (statuses: Readonly<Record<number, number>>) =>
  onWire(outgoing => ({ ...outgoing, status: statuses[outgoing.status] ?? outgoing.status }));

const otherBody = (body: (error: ErrorBody) => unknown, headers: Outgoing['headers'] = {}) =>
  onText(text => JSON.stringify(body(JSON.parse(text) as ErrorBody)), { of: refusals, headers });

const login: Outgoing = { status: 302, headers: { Location: '/login' }, body: undefined };

const isChange = ({ effect, success }: (typeof endpoints)[EndpointId]): boolean =>
  (effect === 'restorable' || effect === 'destructive') && success === '2xx';
const changes = endpointIds.filter(id => isChange(endpoints[id]));

// biome-ignore format: a table
export const refusalDialects: DialectTable = [
  ['refusals-422',          '7',                 all,      'answers 422 to a body that is not valid',                                    otherStatus({ 400: 422 })],
  ['refusals-409',          '7',                 all,      'answers 409 to whatever does not go with what there is',                     otherStatus({ 400: 409, 404: 409 }), usesUpBudget],
  ['key-403',               '5, 7',              all,      'answers 403 to a missing or wrong key, and to entities that nobody may see', otherStatus({ 401: 403, 404: 403 })],
  ['key-404',               '5, 7',              all,      'hides everything behind a 404 from those without the key',                   otherStatus({ 401: 404 })],
  ['key-redirect',          '5, 7',              all,      'sends those without the key to a login page (302, no body)',                 onWire(outgoing => (outgoing.status === 401 ? login : outgoing))],
  ['refusals-empty',        '7',                 all,      'refuses without a body',                                                     onWire(outgoing => (refusals(outgoing.status) ? { ...outgoing, headers: {}, body: '' } : outgoing))],
  ['refusals-nested',       '7',                 all,      'refuses with `{error: {code, message, details}}`',                           otherBody(({ status, message, errors = [] }) => ({ error: { code: `E${status}`, message, details: errors } }))],
  ['refusals-problem-json', '7',                 all,      'refuses with problem details (RFC 9457)',                                    otherBody(({ status, message, errors }) => ({ type: 'about:blank', status, title: message, errors }), { 'Content-Type': 'application/problem+json' })],
  ['refusals-text',         '7',                 all,      'refuses with a JSON text, or a list of them, instead of an object',          otherBody(({ message, errors }) => errors?.map(({ property, errorMessage }) => `${property}: ${errorMessage}`) ?? message)],
  ['created-201',           '4.9, 4.13',         endpointIds.filter(id => endpoints[id].effect === 'additive'), 'answers 201 to creations',                                                   successStatus(201)],
  ['accepted-202',          '4.1, 4.3 to 4.8',   changes,  'answers 202 to changes, but where a code is given',                          successStatus(202)],
  ['lists-203',             '4.2, 4.11 to 4.15', lists,    'answers 203 to lists, for a proxy stands in between',                        successStatus(203)],
];
