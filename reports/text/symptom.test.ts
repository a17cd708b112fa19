import { describe, expect, test } from 'vitest';
import type { DiscrepancyKind, Finding } from '../../contracts/report/evidence.ts';
import { dropped, noContentType, tooLong, wrongType } from '../testing/findings.fixture.ts';
import { exchange } from '../testing/runs.fixture.ts';
import { symptomOf } from './finding-text.ts';
import { isUnshowable } from './safe-text.ts';

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
const value = (
  requirement: string,
  pointer: string,
  expected: string,
  actual: string,
  kind: DiscrepancyKind = 'value',
): Finding => ({ ...wrongType, requirement, pointer, expected, actual, fault: { kind } });

// biome-ignore format: a table
const titles: readonly [finding: Finding, title: string][] = [
  [short,                                                        'accepted `name: "ab"`; expected a 4xx'],
  [tooLong,                                                      'accepted `description` of 1,001 characters; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/rules/0/name', undefined, 'a') }, 'accepted a body without `rules[0].name`; expected a 4xx'],
  [{ ...tooLong, counterexample: { ...field('', 1), title: 'with another key' } as never }, 'accepted a request with another key; expected a 4xx'],
  [{ ...short, actual: 'status 400: "No."', fault: { kind: 'refused' } }, 'refused `name: "ab"` with status 400: "No."; expected a success'],
  [{ ...short, actual: 'status 500', fault: { kind: 'failed' }, exchange: exchange('{}', 500, '{}') }, 'answered 500 to `name: "ab"`; expected no 5xx'],
  [{ ...short, actual: 'status 409', fault: { kind: 'refused' }, expected: 'a success, for the name is free', exchange: exchange('{}', 409, '{}'), steps: [] }, 'refused PATCH /console/v1/gates/a_gate with status 409; expected a success, for the name is free'],
  [dropped,                                                      'gave no answer to GET /console/v1/segments?limit=10: the connection was closed; expected an HTTP answer'],
  [noContentType,                                                'answered with content-type text/plain; expected application/json'],
  [wrongType,                                                    '`isEnabled` is 1 (a number); expected a boolean'],
  [value('echo.sent-field', '/data/tags', '["a"]', 'nothing (the member is absent)', 'missing'), 'lost `tags` of what was sent; expected ["a"]'],
  [{ ...value('state.metric-listed', '/data', 'the metric a in the list', 'it is not listed'), fault: { kind: 'missing', expected: 'a' } }, '`data` lacks "a"; expected the metric a in the list'],
  [{ ...value('state.dry-run-metric', '/data/3', 'no metric a in the list', 'it shows "a"'), fault: { kind: 'present', got: 'a' } }, '`data[3]` shows "a", which must not be there; expected no metric a in the list'],
  [{ ...value('state.dry-run-metric', '/data', 'nothing of what was only tried', '{"id":"a"}'), fault: { kind: 'present', got: { id: 'a' } } }, '`data` shows "a", which must not be there; expected nothing of what was only tried'],
  [{ ...value('state.lineage-truth', '/data/0/lineage', '"a" in it', '{"events":[]}'), fault: { kind: 'present', got: { events: [] } } }, '`data[0].lineage` is {"events":[]}; expected "a" in it'],
  [value('presence.must', '/data/id', 'the member', 'no such member', 'missing'), '`id` is missing; expected the member'],
  [value('state.patch-every-sent', '/data/tags', '["a"]', '[]', 'lost'), 'lost the update of `tags`: it is []; expected ["a"]'],
  [value('state.patch-only-sent', '/data/tags', 'tags as it was', '[] became null', 'changed'), 'changed `tags`: [] became null; expected tags as it was'],
  [value('auth.no-effect', '/data/isEnabled', 'isEnabled as it was: true', 'false', 'trace'), 'a refused request changed `isEnabled`, which is false; expected isEnabled as it was: true'],
  [value('state.dry-run-qualifying-event', '/data/sql', 'sql as it was: "a"', '"b"', 'trace'), 'a request without effect changed `sql`, which is "b"; expected sql as it was: "a"'],
  [{ ...short, fault: undefined, exchange: exchange('{}', 400, '{}'), actual: 'status 400' } as never, 'refused `name: "ab"` with status 400; expected a success'],
  [value('gate.owner', '/data/owner', 'an object', '"Ada"'), '`owner` is "Ada"; expected an object'],
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
