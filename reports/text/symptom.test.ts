import { describe, expect, test } from 'vitest';
import type { Finding } from '../../contracts/report/evidence.ts';
import { dropped, noContentType, tooLong, wrongType } from '../testing/findings.ts';
import { exchange } from '../testing/runs.ts';
import { isUnshowable } from './safe-text.ts';
import { symptomOf } from './symptom.ts';

const field = (pointer: string, sent: unknown, control?: unknown): NonNullable<Finding['counterexample']> => ({
  path: 'p',
  index: 0,
  title: 'the title',
  pointer,
  ...(sent === undefined ? {} : { sent }),
  ...(control === undefined ? {} : { control }),
  shrinks: 0,
});
const short: Finding = { ...tooLong, counterexample: field('/name', 'ab') };
const value = (requirement: string, pointer: string, expected: string, actual: string): Finding => ({
  ...wrongType,
  requirement,
  pointer,
  expected,
  actual,
});

// biome-ignore format: a table
const titles: readonly [finding: Finding, title: string][] = [
  [short,                                                        'accepted `name: "ab"`; expected a 4xx'],
  [tooLong,                                                      'accepted `description` of 1,001 characters; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/rules/0/name', undefined, 'a') }, 'accepted a body without `rules[0].name`; expected a 4xx'],
  [{ ...tooLong, counterexample: { ...field('', 1), title: 'with another key' } as never }, 'accepted a request with another key; expected a 4xx'],
  [{ ...short, actual: 'status 400: "No."', exchange: exchange('{}', 400, '{}') }, 'refused `name: "ab"` with 400: "No."; expected a success'],
  [{ ...short, actual: 'status 500', exchange: exchange('{}', 500, '{}') }, 'answered 500 to `name: "ab"`; expected no 5xx'],
  [{ ...short, actual: 'status 409', expected: 'a success, for the name is free', exchange: exchange('{}', 409, '{}'), steps: [] }, 'refused PATCH /console/v1/gates/a_gate with 409; expected a success, for the name is free'],
  [dropped,                                                      'gave no answer to GET /console/v1/segments?limit=10: the connection was closed; expected an HTTP answer'],
  [noContentType,                                                'answered with content-type text/plain; expected application/json'],
  [wrongType,                                                    '`isEnabled` is 1 (a number); expected a boolean'],
  [value('echo.sent-field', '/data/tags', '["a"]', 'nothing (the member is absent)'), 'lost `tags` of what was sent; expected ["a"]'],
  [value('presence.must', '/data/id', 'the member', 'no such member'), '`id` is missing; expected the member'],
  [value('state.patch-every-sent', '/data/tags', '["a"]', '[]'), 'lost the update of `tags`: it is []; expected ["a"]'],
  [value('state.patch-only-sent', '/data/tags', 'tags as it was', 'tags: [] became null'), 'changed tags: [] became null; expected tags as it was'],
  [value('auth.no-effect', '/data/isEnabled', 'isEnabled as it was: true', 'false'), 'a refused request changed `isEnabled`, which is false; expected isEnabled as it was: true'],
  [value('gate.owner', '/data/owner', 'must be an object', '"Ada"'), '`owner` is "Ada"; expected an object'],
];

describe('a finding is told by what happened, and what was expected', () => {
  test.each(titles)('%#', (finding, title) => {
    expect(symptomOf(finding)).toBe(title);
  });

  test('a title is one bounded line, whatever a target sent', () => {
    const title = symptomOf(value('gate.owner', '/data/owner', 'a text', `\n\u001b[2J${'x'.repeat(5_000)}`));
    expect(isUnshowable(title)).toBe(false);
    expect(title.length).toBeLessThan(400);
  });
});
