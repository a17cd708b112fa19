import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { typeInWords } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { PassiveCheck } from '../../protocol/check.ts';
import type { Violation } from '../../protocol/violation.ts';

const isJsonType = (type: string): boolean => /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type.trim());

/** Section 1: a success carries valid JSON, an object with `message` and `data`, and `pagination` where it is a list. */
export const envelope: PassiveCheck = {
  kind: 'passive',
  id: 'envelope',
  level: 'MUST',
  title: 'A success is a JSON object with message and data, and pagination where it is a list',
  detects:
    'A 204, a bare array, data wrapped once more or not at all, a list where one object belongs, an answer that is no JSON.',
  requirements: (_endpoint, row) => [
    row.success === 200 ? 'envelope.status-200' : 'envelope.success-2xx',
    'envelope.json',
    'envelope.content-type',
    'envelope.object',
    'envelope.message',
    'envelope.data',
    'envelope.data-shape',
    ...(row.list ? (['envelope.pagination'] as const) : []),
  ],
  appliesTo: () => true,
  observe(answer, row) {
    if (!answer.success || !answer.own) return null;
    const violations: Violation[] = [];
    const add = (requirement: RequirementId, pointer: string, expected: string, actual: string): void => {
      violations.push({ requirement, pointer, expected, actual, answer });
    };
    if (row.success === 200 && answer.status !== 200) {
      add('envelope.status-200', 'status', 'status 200', `status ${answer.status}`);
    }
    const { body } = answer.reply;
    if (body.kind !== 'json') {
      const requirement = answer.status === 204 || answer.status === 205 ? 'envelope.success-2xx' : 'envelope.json';
      const got = body.kind === 'empty' ? `status ${answer.status} with an empty body` : `a body that ${body.why}`;
      add(row.success === 200 ? 'envelope.json' : requirement, 'body', 'a JSON body', got);
      return violations;
    }
    const type = answer.reply.headers['content-type'];
    if (!isJsonType(String(type ?? ''))) {
      add(
        'envelope.content-type',
        'header content-type',
        'application/json',
        type === undefined ? 'no content type' : String(type),
      );
    }
    return [...violations, ...objectViolations(answer, row.list)];
  },
};

function objectViolations(answer: Answer, list: boolean): Violation[] {
  const { value } = answer;
  const violation = (requirement: RequirementId, pointer: string, expected: string, actual: string): Violation => ({
    requirement,
    pointer,
    expected,
    actual,
    answer,
  });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [violation('envelope.object', '', 'an object', typeInWords(value))];
  }
  const members = value as Record<string, unknown>;
  const violations: Violation[] = [];
  if (typeof members.message !== 'string') {
    violations.push(violation('envelope.message', '/message', 'a string', typeInWords(members.message)));
  }
  const { data } = answer;
  if (data === undefined) violations.push(violation('envelope.data', '/data', 'a member `data`', 'no such member'));
  else if (list !== Array.isArray(data) || typeof data !== 'object' || data === null) {
    violations.push(violation('envelope.data-shape', '/data', list ? 'an array' : 'one object', typeInWords(data)));
  }
  const { pagination } = members;
  if (list && (typeof pagination !== 'object' || pagination === null || Array.isArray(pagination))) {
    violations.push(violation('envelope.pagination', '/pagination', 'an object', typeInWords(pagination)));
  }
  return violations;
}
