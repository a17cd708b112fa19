import type { ErrorBody } from '../api/answer.ts';
import type { Dialect } from './dialect.ts';
import { type Outgoing, outgoing, outgoingRefusals } from './outgoing.ts';

/** Other codes and bodies of refusals: section 7 shows none. */

const otherStatus = (statuses: Readonly<Record<number, number>>) =>
  outgoing(answer => ({ ...answer, status: statuses[answer.status] ?? answer.status }));

const otherBody = (body: (error: ErrorBody) => unknown, headers?: Outgoing['headers']) =>
  outgoingRefusals((_status, error) => ({
    body: JSON.stringify(body(error as ErrorBody)),
    ...(headers && { headers }),
  }));

const problemType = { 'Content-Type': 'application/problem+json' };

// biome-ignore format: a table
export const refusalDialects: readonly Dialect[] = [
  { id: 'refusals-422',          section: '7',    title: 'answers 422 to a body that is not valid',                                 ...otherStatus({ 400: 422 }) },
  { id: 'refusals-409',          section: '7',    title: 'answers 409 to whatever does not go with what there is',                  ...otherStatus({ 400: 409, 404: 409 }) },
  { id: 'key-403',               section: '5, 7', title: 'answers 403 to a missing or wrong key, and to entities that nobody may see', ...otherStatus({ 401: 403, 404: 403 }) },
  { id: 'key-404',               section: '5, 7', title: 'hides everything behind a 404 from those without the key',                ...otherStatus({ 401: 404 }) },
  { id: 'key-redirect',          section: '5, 7', title: 'sends those without the key to a login page (302, no body)',              ...outgoing(answer => answer.status === 401 ? { status: 302, headers: { Location: '/login' }, body: undefined } : answer) },
  { id: 'refusals-empty',        section: '7',    title: 'refuses without a body',                                                  ...outgoing(answer => answer.status >= 400 ? { ...answer, headers: {}, body: '' } : answer) },
  { id: 'refusals-nested',       section: '7',    title: 'refuses with `{error: {code, message, details}}`',                        ...otherBody(({ status, message, errors = [] }) => ({ error: { code: `E${status}`, message, details: errors } })) },
  { id: 'refusals-problem-json', section: '7',    title: 'refuses with problem details (RFC 9457)',                                 ...otherBody(({ status, message, errors }) => ({ type: 'about:blank', status, title: message, errors }), problemType) },
  { id: 'refusals-text',         section: '7',    title: 'refuses with a JSON text, or a list of them, instead of an object',       ...otherBody(({ message, errors }) => errors?.map(({ property, errorMessage }) => `${property}: ${errorMessage}`) ?? message) },
];
