import type { Endpoint } from '../../../contracts/endpoint.ts';
import { isObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { ofType, typeSaid } from '../../judge/words.ts';
import { type Answer, isAccepted } from '../../protocol/answer.ts';
import { covering, notJudged, type PassiveCheck, type Violation, violation } from '../../protocol/check.ts';

const isJsonType = (type: string): boolean => /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type.trim());

/** Returns what is wrong with the answer as HTTP: its status, its content type, a body that is not JSON. */
function bodyViolations(answer: Answer, { success }: Endpoint): Violation[] {
  const { body, headers } = answer.reply;
  const wrong: Violation[] = [];
  if (success === 200 && answer.status !== 200) {
    const expected = { words: 'status 200', kind: 'status' } as const;
    wrong.push(violation(answer, 'envelope.status-200', 'status', expected, `status ${answer.status}`));
  }
  if (body.kind !== 'json') {
    const hasNoContent = answer.status === 204 || answer.status === 205;
    const requirement = hasNoContent && success !== 200 ? 'envelope.success-2xx' : 'envelope.json';
    const got = body.kind === 'empty' ? `status ${answer.status} with an empty body` : `a body that ${body.why}`;
    return [...wrong, violation(answer, requirement, 'body', 'a JSON body', got)];
  }
  const type = headers['content-type'];
  if (!isJsonType(String(type ?? ''))) {
    const got = type === undefined ? 'no content type' : String(type);
    wrong.push(violation(answer, 'envelope.content-type', 'header content-type', 'application/json', got));
  }
  return wrong;
}

/** Returns what is wrong with the members of the JSON value. */
function memberViolations(answer: Answer, { list }: Endpoint): Violation[] {
  const { value, data } = answer;
  const [object, array] = [ofType('an object', 'object'), ofType('an array', 'array')];
  if (!isObject(value)) return [violation(answer, 'envelope.object', '', object, typeSaid(value))];
  const { message, pagination } = value;
  const wrong: Violation[] = [];
  if (typeof message !== 'string')
    wrong.push(violation(answer, 'envelope.message', '/message', ofType('a string', 'string'), typeSaid(message)));
  if (data === undefined) {
    const member = { words: 'a member `data`', kind: 'missing' } as const;
    wrong.push(violation(answer, 'envelope.data', '/data', member, 'no such member'));
  } else if (!(list ? Array.isArray(data) : isObject(data))) {
    const shape = list ? array : ofType('one object', 'object');
    wrong.push(violation(answer, 'envelope.data-shape', '/data', shape, typeSaid(data)));
  }
  if (list && !isObject(pagination))
    wrong.push(violation(answer, 'envelope.pagination', '/pagination', object, typeSaid(pagination)));
  return wrong;
}

/** The requirements of an operation's envelope. */
const citedOf = (row: Endpoint): readonly RequirementId[] => [
  row.success === 200 ? 'envelope.status-200' : 'envelope.success-2xx',
  'envelope.json',
  'envelope.content-type',
  'envelope.object',
  'envelope.message',
  'envelope.data',
  'envelope.data-shape',
  ...(row.list ? (['envelope.pagination'] as const) : []),
];

/** Section 1: a success is a JSON object with `message` and `data`, and with `pagination` if it is a list. */
export const envelope: PassiveCheck = {
  kind: 'passive',
  id: 'envelope',
  role: 'envelope',
  level: 'MUST',
  title: 'A success is a JSON object with message and data, and pagination where it is a list',
  detects:
    'A 204, a bare array, data wrapped once more or not at all, a list where one object belongs, an answer that is no JSON.',
  requirements: citedOf,
  appliesTo: () => true,
  observe(answer, row) {
    if (!answer.success || !answer.own) return notJudged;
    const isJson = answer.reply.body.kind === 'json';
    const violations = [...bodyViolations(answer, row), ...(isJson ? memberViolations(answer, row) : [])];
    // A broken answer shows nothing about its other parts: an empty object has no wrong member only by chance.
    return covering(violations, isAccepted(answer) ? citedOf(row) : []);
  },
};
