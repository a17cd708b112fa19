import { constrained, repeatable, takingNull, withBody, writes } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/**
 * Sections 2, 4, 7 and 8: which requests a target accepts and which it refuses. What it may have to look up (names,
 * features, sums) need not be accepted. The rules that a request can break are requirements of single fields.
 */
// biome-ignore format: a table
export const requestRequirements = [
  { id: 'accept.smallest', section: '4', level: 'MUST', endpoints: 'all',
    statement: 'The smallest sensible request of an operation succeeds.' },
  { id: 'accept.stated-boundary', section: '8', level: 'MUST', endpoints: constrained,
    statement: 'A field on a bound that is stated, a character of a pattern and each value of a closed set are accepted.' },
  { id: 'accept.plain-value', section: '4', level: 'MUST', endpoints: withBody,
    statement: 'A field that names nothing else, alone on top of an accepted request, is accepted with an ordinary value.' },
  { id: 'accept.documented-null', section: '2.5', level: 'MUST', endpoints: takingNull,
    statement: 'Null is accepted in each field that is documented as a type or null.' },
  { id: 'accept.sql-placeholders', section: '2.6', level: 'MUST', endpoints: ['update-qualifying-event'],
    statement: 'The query of a qualifying event may contain the placeholders of the first and the last day.' },
  { id: 'accept.combination', section: '4', level: 'SHOULD', endpoints: withBody,
    statement: 'Fields that are accepted one by one are accepted together, and so are extreme values that nothing forbids.' },
  { id: 'accept.metric-count-types', section: '2.7', level: 'MUST', endpoints: ['create-metric'],
    statement: 'A metric of type event_count_custom or event_user over an event that exists is created.' },
  { id: 'accept.metric-types', section: '2.7', level: 'SHOULD', endpoints: ['create-metric'],
    statement: 'A metric of each other type, with the events or components that the type needs, is created.' },

  { id: 'reject.never-5xx', section: '7', standard: 'RFC 9110 §15.6', level: 'MUST', sporadic: true, endpoints: withBody,
    statement: 'A request that breaks a stated rule is refused as the fault of the client, never with a 5xx status.' },
  { id: 'reject.wrong-type', section: '2.1', level: 'SHOULD', endpoints: withBody,
    statement: 'A value of another JSON type than the documented one, or a null that is not documented, is refused.' },
  { id: 'reject.well-typed-if-accepted', section: '2.1', level: 'MUST', endpoints: withBody, conditional: true,
    statement: 'Where a value of a wrong type is accepted after all, the answer is still of the documented types.' },
  { id: 'reject.body-json', section: '1', level: 'MUST', endpoints: 'all', conditional: true,
    statement: 'The body of a refusal on one of the routes of section 4, if it has one, is JSON.' },
  { id: 'reject.no-trace', section: '4', level: 'MUST', sporadic: true, endpoints: ['update-qualifying-event', 'update-experiment', 'patch-gate', 'create-metric', 'create-prompt-version', 'archive-config'],
    restsOn: ['state.patch-every-sent', 'state.qualifying-event-visible', 'state.metric-listed'],
    statement: 'A refused write changes nothing, not even the fields of it that were valid.' },
  { id: 'reject.metric-event-members', section: '2.7', level: 'SHOULD', endpoints: ['create-metric'],
    statement: 'A metric event that lacks its name is refused.' },
  { id: 'reject.ratio-aggregation', section: '2.7', level: 'MUST', endpoints: ['create-metric'],
    statement: 'A ratio metric with an event that is aggregated otherwise than by count or count_distinct is refused.' },
  { id: 'reject.skip-validation-columns', section: '4.3', level: 'MUST', endpoints: ['update-qualifying-event'], capability: 'skip-validation',
    statement: 'An update that skips the validation of its query is refused without the names and types of all columns.' },
] as const satisfies RequirementTable;

const repeatableWithBody = withBody.filter(id => repeatable.includes(id));

/** Section 5: the key that every operation requires. */
// biome-ignore format: a table
export const authenticationRequirements = [
  { id: 'auth.missing-key', section: '5', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'A request without the key header does not succeed.' },
  { id: 'auth.empty-key', section: '5', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'A request whose key header is empty does not succeed.' },
  { id: 'auth.wrong-key', section: '5', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'A request with another key does not succeed.' },
  { id: 'auth.near-miss-key', section: '5', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'A key that is nearly right, by a missing or added character or by letter case, does not succeed.' },
  { id: 'auth.key-in-query', section: '5', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'The right key in the query alone does not succeed.' },
  { id: 'auth.key-in-body', section: '5', level: 'MUST', sporadic: true, endpoints: writes,
    statement: 'The right key in the body alone does not succeed.' },
  { id: 'auth.bearer', section: '5', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'The right key as a bearer token alone does not succeed.' },
  { id: 'auth.other-carrier', section: '5', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'The right key in another header, under another scheme or in a cookie does not succeed.' },
  { id: 'auth.other-path', section: '5', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'Without the key no other spelling of the path gives what the operation gives.' },
  { id: 'auth.header-case', section: '5', standard: 'RFC 9110 §5.1', level: 'MUST', endpoints: 'all',
    restsOn: ['auth.missing-key'],
    statement: 'The right key succeeds whatever the letter case of the name of its header.' },
  { id: 'auth.no-effect', section: '5', level: 'MUST', sporadic: true, endpoints: writes,
    restsOn: ['state.patch-every-sent', 'state.qualifying-event-visible', 'state.metric-listed'],
    statement: 'A write without the right key in its header has no effect.' },
] as const satisfies RequirementTable;

/** Section 7 shows no error, so these requirements rest on HTTP: a service stays up and answers whatever it is sent. */
// biome-ignore format: a table
export const robustnessRequirements = [
  { id: 'robust.same-json', section: '1', standard: 'RFC 8259 §2', level: 'MUST', endpoints: repeatableWithBody,
    statement: 'White space, the order of members and the escapes of a JSON body change nothing of what it says.' },
  { id: 'robust.same-headers', section: '1', standard: 'RFC 9110 §5.1, §12.5', level: 'MUST', endpoints: repeatable,
    statement: 'The letter case of header names, an absent or unrestricted `Accept` and an `Accept-Encoding` change nothing of what is done.' },
  { id: 'robust.same-number', section: '1', standard: 'RFC 8259 §6', level: 'MUST', endpoints: ['update-experiment'], conditional: true,
    statement: 'A number that is accepted with a fraction of zero or an exponent means what it means in digits.' },
  { id: 'robust.chunked', section: '1', standard: 'RFC 9112 §7.1', level: 'MUST', endpoints: repeatableWithBody, conditional: true,
    statement: 'A body that comes in chunks means the same as one that comes with its length, unless it is refused for having none (411).' },
  { id: 'robust.malformed-json', section: '1', standard: 'RFC 8259 §2', level: 'MUST', endpoints: withBody,
    statement: 'A body that is not JSON never succeeds where the operation has a body.' },
  { id: 'robust.never-5xx', section: '7', standard: 'RFC 9110 §15.6', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'Neither valid requests nor odd bodies, content types, ids, methods and member names ever bring a 5xx status.' },
  { id: 'robust.no-hang', section: '7', standard: 'RFC 9110 §15', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'Every request is answered within the time limit of the run.' },
  { id: 'robust.no-drop', section: '7', standard: 'RFC 9110 §15', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'Every request gets an HTTP answer, and no connection ends without one.' },
  { id: 'robust.no-leak', section: '7', standard: 'CWE-209', level: 'SHOULD', endpoints: 'all', conditional: true,
    statement: 'No answer shows a stack trace or a path of the file system of the server.' },
  { id: 'robust.alive-after', section: '7', standard: 'RFC 9110 §15', level: 'MUST', sporadic: true, endpoints: 'all',
    statement: 'After any number of odd requests a plain one still succeeds.' },
  { id: 'robust.error-json-elsewhere', section: '1', standard: 'RFC 9110 §15.5', level: 'SHOULD', endpoints: 'all', conditional: true,
    statement: 'The body of a refusal for its method, size or path (405, 413, 414, 431 and beyond the routes of section 4), if it has one, is JSON.' },
] as const satisfies RequirementTable;
