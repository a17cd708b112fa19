import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { Answer } from '../../engine/answer.ts';
import { typeInWords } from '../../judge/words.ts';
import type { Draft, WatchingCheck } from '../check.ts';

const isJsonType = (type: string): boolean => /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type.trim());

/** Section 1: a success carries valid JSON, an object with `message` and `data`, and `pagination` where it is a list. */
export const envelope: WatchingCheck = {
  kind: 'watching',
  id: 'envelope',
  level: 'MUST',
  title: 'A success is a JSON object with message and data, and pagination where it is a list',
  hunts:
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
    const drafts: Draft[] = [];
    const add = (requirement: RequirementId, pointer: string, expected: string, actual: string): void => {
      drafts.push({ requirement, pointer, expected, actual, answer });
    };
    if (row.success === 200 && answer.status !== 200) {
      add('envelope.status-200', 'status', 'status 200', `status ${answer.status}`);
    }
    const { body } = answer.reply;
    if (body.kind !== 'json') {
      const requirement = answer.status === 204 || answer.status === 205 ? 'envelope.success-2xx' : 'envelope.json';
      const got = body.kind === 'empty' ? `status ${answer.status} with an empty body` : `a body that ${body.why}`;
      add(row.success === 200 ? 'envelope.json' : requirement, 'body', 'a JSON body', got);
      return drafts;
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
    return [...drafts, ...objectDrafts(answer, row.list)];
  },
};

function objectDrafts(answer: Answer, list: boolean): Draft[] {
  const { value } = answer;
  const draft = (requirement: RequirementId, pointer: string, expected: string, actual: string): Draft => ({
    requirement,
    pointer,
    expected,
    actual,
    answer,
  });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [draft('envelope.object', '', 'an object', typeInWords(value))];
  }
  const members = value as Record<string, unknown>;
  const drafts: Draft[] = [];
  if (typeof members.message !== 'string') {
    drafts.push(draft('envelope.message', '/message', 'a string', typeInWords(members.message)));
  }
  const { data } = answer;
  if (data === undefined) drafts.push(draft('envelope.data', '/data', 'a member `data`', 'no such member'));
  else if (list !== Array.isArray(data) || typeof data !== 'object' || data === null) {
    drafts.push(draft('envelope.data-shape', '/data', list ? 'an array' : 'one object', typeInWords(data)));
  }
  const { pagination } = members;
  if (list && (typeof pagination !== 'object' || pagination === null || Array.isArray(pagination))) {
    drafts.push(draft('envelope.pagination', '/pagination', 'an object', typeInWords(pagination)));
  }
  return drafts;
}
