import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { ErrorBody } from '../api/response.ts';
import { successStatus } from '../decorators/responses.ts';
import { type Outgoing, onText, onWire, refusals } from '../decorators/wire.ts';
import { type Dialect, lists, usesUpBudget } from './dialect.ts';

/**
 * Other codes and bodies of refusals, of which section 7 shows none, and other codes of success, where section 4 gives
 * none.
 */

const otherStatus = (statuses: Readonly<Record<number, number>>) =>
  onWire(outgoing => ({ ...outgoing, status: statuses[outgoing.status] ?? outgoing.status }));

const otherBody = (body: (error: ErrorBody) => unknown, headers: Outgoing['headers'] = {}) =>
  onText(text => JSON.stringify(body(JSON.parse(text) as ErrorBody)), { of: refusals, headers });

const login: Outgoing = { status: 302, headers: { Location: '/login' }, body: undefined };
const loginPage = onWire(outgoing => (outgoing.status === 401 ? login : outgoing));
const noBody = onWire(outgoing => (refusals(outgoing.status) ? { ...outgoing, headers: {}, body: '' } : outgoing));

const problemType = { 'Content-Type': 'application/problem+json' };

const additive = endpointIds.filter(id => endpoints[id].effect === 'additive');
const isChange = ({ effect, success }: (typeof endpoints)[EndpointId]): boolean =>
  (effect === 'restorable' || effect === 'destructive') && success === '2xx';
const changes = endpointIds.filter(id => isChange(endpoints[id]));

// biome-ignore format: a table
export const refusalDialects: readonly Dialect[] = [
  { id: 'refusals-422',          section: '7',    title: 'answers 422 to a body that is not valid',                                 decorator: otherStatus({ 400: 422 }) },
  { id: 'refusals-409',          section: '7',    title: 'answers 409 to whatever does not go with what there is',                  mayBeUntested: usesUpBudget, decorator: otherStatus({ 400: 409, 404: 409 }) },
  { id: 'key-403',               section: '5, 7', title: 'answers 403 to a missing or wrong key, and to entities that nobody may see', decorator: otherStatus({ 401: 403, 404: 403 }) },
  { id: 'key-404',               section: '5, 7', title: 'hides everything behind a 404 from those without the key',                decorator: otherStatus({ 401: 404 }) },
  { id: 'key-redirect',          section: '5, 7', title: 'sends those without the key to a login page (302, no body)',              decorator: loginPage },
  { id: 'refusals-empty',        section: '7',    title: 'refuses without a body',                                                  decorator: noBody },
  { id: 'refusals-nested',       section: '7',    title: 'refuses with `{error: {code, message, details}}`',                        decorator: otherBody(({ status, message, errors = [] }) => ({ error: { code: `E${status}`, message, details: errors } })) },
  { id: 'refusals-problem-json', section: '7',    title: 'refuses with problem details (RFC 9457)',                                 decorator: otherBody(({ status, message, errors }) => ({ type: 'about:blank', status, title: message, errors }), problemType) },
  { id: 'refusals-text',         section: '7',    title: 'refuses with a JSON text, or a list of them, instead of an object',       decorator: otherBody(({ message, errors }) => errors?.map(({ property, errorMessage }) => `${property}: ${errorMessage}`) ?? message) },
  { id: 'created-201',           section: '4.9, 4.13',         title: 'answers 201 to creations',                                  endpoints: additive, decorator: successStatus(201) },
  { id: 'accepted-202',          section: '4.1, 4.3 to 4.8',   title: 'answers 202 to changes, but where a code is given',         endpoints: changes,  decorator: successStatus(202) },
  { id: 'lists-203',             section: '4.2, 4.11 to 4.15', title: 'answers 203 to lists, for a proxy stands in between',       endpoints: lists,    decorator: successStatus(203) },
];
