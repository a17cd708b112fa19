import { endpoints } from '../endpoints.ts';
import { constrained, repeatable, takingNull, withBody, writes } from './bindings.ts';
import { conditional, requirementTable, sporadic } from './requirement.ts';

/** That nothing was written shows only where what is written shows. */
const shownByWrites = {
  sporadic: true,
  restsOn: ['state.patch-every-sent', 'state.qualifying-event-visible', 'state.metric-listed'],
} as const;

/**
 * Sections 2, 4, 7 and 8: which requests a target must accept and refuse. It need not accept what it may have to look
 * up (names, features, sums). Rules about single fields are requirements of those fields.
 */
// biome-ignore format: a table
export const requestRequirements = requirementTable([
  ['accept.smallest', 'MUST', '4', 'all',
    'The smallest sensible request of an operation succeeds.'],
  ['accept.optional-absent', 'MUST', '4', ['update-qualifying-event', 'update-experiment', 'patch-gate', 'create-metric'],
    'A request is accepted without the fields that its section does not require.'],
  ['accept.stated-boundary', 'MUST', '8', constrained,
    'A field on a bound that is stated, a character of a pattern and each value of a closed set are accepted.'],
  ['accept.plain-value', 'MUST', '4', withBody,
    'A field that names nothing else, alone on top of an accepted request, is accepted with an ordinary value.'],
  ['accept.documented-null', 'MUST', '2.5', takingNull,
    'Null is accepted in each field that is documented as a type or null.'],
  ['accept.sql-placeholders', 'MUST', '2.6', ['update-qualifying-event'],
    'The query of a qualifying event may contain the placeholders of the first and the last day.'],
  ['accept.skip-validation', 'MUST', '4.3', ['update-qualifying-event'],
    'An update that skips the validation of its query is accepted with the names and types of all columns.', { capability: 'skip-validation' }],
  ['accept.combination', 'SHOULD', '4', withBody,
    'Fields that are accepted one by one are accepted together, and so are extreme values that nothing forbids.'],
  ['accept.metric-count-types', 'MUST', '2.7', ['create-metric'],
    'A metric of type event_count_custom or event_user over an event that exists is created.'],
  ['accept.metric-types', 'SHOULD', '2.7', ['create-metric'],
    'A metric of each other type, with the events or components that the type needs, is created.'],

  ['reject.never-5xx', 'MUST', '7', withBody,
    'A request that breaks a stated rule is refused as the fault of the client, never with a 5xx status.',
    { standard: 'RFC 9110 §15.6', sporadic: true }],
  ['reject.wrong-type', 'SHOULD', '2.1', withBody,
    'A value of another JSON type than the documented one, or a null that is not documented, is refused.'],
  ['reject.well-typed-if-accepted', 'MUST', '2.1', withBody,
    'Where a value of a wrong type is accepted after all, the answer is still of the documented types.', conditional],
  ['reject.body-json', 'MUST', '1', 'all',
    'The body of a refusal on one of the routes of section 4, if it has one, is JSON.', conditional],
  ['reject.no-trace', 'MUST', '4', ['update-qualifying-event', 'update-experiment', 'patch-gate', 'create-metric', 'create-prompt-version', 'archive-config'],
    'A refused write changes nothing, not even the fields of it that were valid.',
    shownByWrites],
  ['reject.metric-event-members', 'SHOULD', '2.7', ['create-metric'],
    'A metric event that lacks its name is refused.'],
  ['reject.ratio-aggregation', 'MUST', '2.7', ['create-metric'],
    'A ratio metric with an event that is aggregated otherwise than by count or count_distinct is refused.'],
  ['reject.skip-validation-columns', 'MUST', '4.3', ['update-qualifying-event'],
    'An update that skips the validation of its query is refused without the names of all columns, and a type for each.', { capability: 'skip-validation' }],
  ['reject.sprt-baseline', 'MUST', '2.5', ['update-experiment'],
    'A manual baseline of a sequential test is refused without mean or deviation of a metric.',
    { remedy: 'vocabulary.metrics: [{ "name": "a_metric", "type": "event_count" }]' }],
]);

const repeatableWithBody = withBody.filter(id => repeatable.includes(id));

/** Section 5: the key that every operation requires. */
// biome-ignore format: a table
export const authenticationRequirements = requirementTable([
  ['auth.missing-key', 'MUST', '5', 'all',
    'A request without the key header does not succeed.', sporadic],
  ['auth.empty-key', 'MUST', '5', 'all',
    'A request whose key header is empty does not succeed.', sporadic],
  ['auth.wrong-key', 'MUST', '5', 'all',
    'A request with another key does not succeed.', sporadic],
  ['auth.near-miss-key', 'MUST', '5', 'all',
    'A key that is nearly right, by a missing or added character or by letter case, does not succeed.', sporadic],
  ['auth.key-in-query', 'MUST', '5', 'all',
    'The right key in the query alone does not succeed.', sporadic],
  ['auth.key-in-body', 'MUST', '5', writes,
    'The right key in the body alone does not succeed.', sporadic],
  ['auth.bearer', 'MUST', '5', 'all',
    'The right key as a bearer token alone does not succeed.', sporadic],
  ['auth.other-carrier', 'MUST', '5', 'all',
    'The right key in another header, under another scheme or in a cookie does not succeed.', sporadic],
  ['auth.other-path', 'MUST', '5', 'all',
    'Without the key no other spelling of the path gives what the operation gives.', sporadic],
  ['auth.header-case', 'MUST', '5', 'all',
    'The right key succeeds whatever the letter case of the name of its header.', { standard: 'RFC 9110 §5.1', restsOn: ['auth.missing-key'] }],
  ['auth.no-effect', 'MUST', '5', writes,
    'A write without the right key in its header has no effect.',
    shownByWrites],
]);

/** Section 7 shows no error, so these requirements rest on HTTP: a service stays up and answers every request. */
// biome-ignore format: a table
export const robustnessRequirements = requirementTable([
  ['robust.same-json', 'MUST', '1', repeatableWithBody,
    'White space, the order of members and the escapes of a JSON body change nothing of what it says.', { standard: 'RFC 8259 §2' }],
  ['robust.same-headers', 'MUST', '1', repeatable,
    'The letter case of header names, an absent or unrestricted `Accept` and an `Accept-Encoding` change nothing of what is done.',
    { standard: 'RFC 9110 §5.1, §12.5' }],
  ['robust.same-path', 'SHOULD', '4', repeatable.filter(id => endpoints[id].param !== null && endpoints[id].effect !== 'additive'),
    'A letter of the path parameter may be percent-encoded: the path names the same entity.', { standard: 'RFC 3986 §2.3' }],
  ['robust.same-number', 'MUST', '1', ['update-experiment'],
    'A number that is accepted with a fraction of zero or an exponent means what it means in digits.',
    { standard: 'RFC 8259 §6', conditional: true }],
  ['robust.chunked', 'MUST', '1', repeatableWithBody,
    'A body that comes in chunks means the same as one that comes with its length, unless it is refused for having none (411).',
    { standard: 'RFC 9112 §7.1', conditional: true }],
  ['robust.malformed-json', 'MUST', '1', withBody,
    'A body that is not JSON never succeeds where the operation has a body.', { standard: 'RFC 8259 §2' }],
  ['robust.never-5xx', 'MUST', '7', 'all',
    'Neither valid requests nor odd bodies, content types, ids, methods and member names ever bring a 5xx status.',
    { standard: 'RFC 9110 §15.6', sporadic: true }],
  ['robust.no-hang', 'MUST', '7', 'all',
    'Every request is answered within the time limit of the run.', { standard: 'RFC 9110 §15', sporadic: true }],
  ['robust.no-drop', 'MUST', '7', 'all',
    'Every request gets an HTTP answer, and no connection ends without one.', { standard: 'RFC 9110 §15', sporadic: true }],
  ['robust.no-leak', 'SHOULD', '7', 'all',
    'No answer shows a stack trace or a path of the file system of the server.', { standard: 'CWE-209', conditional: true }],
  ['robust.alive-after', 'MUST', '7', 'all',
    'After any number of odd requests a plain one still succeeds.', { standard: 'RFC 9110 §15', sporadic: true }],
  ['robust.error-json-elsewhere', 'SHOULD', '1', 'all',
    'The body of a refusal for its method, size or path (405, 413, 414, 431 and beyond the routes of section 4), if it has one, is JSON.',
    { standard: 'RFC 9110 §15.5', conditional: true }],
]);
