import type { Finding } from '../../contracts/report/evidence.ts';
import { baseUrl, exchange } from './runs.fixture.ts';

/** An accepted description of 1001 characters. */
export const tooLong: Finding = {
  requirement: 'gate.description.maxLength',
  level: 'MUST',
  pointer: 'status',
  expected: 'a refusal (4xx)',
  actual: 'status 200, accepted',
  fault: { kind: 'accepted' },
  occurrences: 3,
  seen: { times: 3, of: 3 },
  counterexample: {
    path: '16:0:2',
    title: 'description of 1001 characters',
    pointer: '/description',
    sent: 'a'.repeat(1001),
    control: 'a'.repeat(1000),
    shrinks: 4,
  },
  exchange: exchange(
    JSON.stringify({ description: 'a'.repeat(1001) }),
    200,
    JSON.stringify({
      message: 'Gate updated successfully.',
      data: { id: 'a_gate', isEnabled: true, description: 'a'.repeat(1001), rules: [], tags: ['checkout', 'mobile'] },
    }),
  ),
};

/** A flag that is a number. */
export const wrongType: Finding = {
  requirement: 'gate.isEnabled.type',
  level: 'MUST',
  pointer: '/data/isEnabled',
  expected: 'a boolean',
  actual: '1 (a number)',
  fault: { kind: 'type', got: 1, constraint: { keyword: 'type', limit: ['boolean'] } },
  occurrences: 1,
  seen: { times: 1, of: 3 },
  counterexample: { path: '0', title: 'the smallest sensible request', pointer: '', sent: { isEnabled: true } },
  exchange: exchange(
    '{"isEnabled":true}',
    200,
    '{"message":"Gate updated successfully.","data":{"id":"a_gate","isEnabled":1}}',
  ),
};

/** An answer without a content type: a SHOULD. */
export const noContentType: Finding = {
  requirement: 'answer.content-type',
  level: 'SHOULD',
  pointer: 'header content-type',
  expected: 'application/json',
  actual: 'text/plain',
  fault: { kind: 'header' },
  occurrences: 12,
};

/** No HTTP answer at all. */
export const dropped: Finding = {
  requirement: 'auth.required',
  level: 'MUST',
  pointer: 'connection',
  expected: 'an HTTP answer',
  actual: 'the connection was closed',
  fault: { kind: 'unanswered' },
  occurrences: 1,
  exchange: {
    id: 'list-segments/auth#1',
    request: { method: 'GET', url: `${baseUrl}/console/v1/segments?limit=10`, headers: [] },
    failure: 'socket hang up',
    durationMs: 3,
  },
};
