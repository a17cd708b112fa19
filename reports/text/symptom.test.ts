import { describe, expect, test } from 'vitest';
import type { DiscrepancyKind, Finding } from '../../contracts/report/evidence.ts';
import { dropped, noContentType, tooLong, wrongType } from '../testing/findings.fixture.ts';
import { exchange } from '../testing/runs.fixture.ts';
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
const value = (
  requirement: string,
  pointer: string,
  expected: string,
  actual: string,
  kind: DiscrepancyKind = 'value',
): Finding => ({ ...wrongType, requirement, pointer, expected, actual, fault: { kind } });

/** Returns a finding about the returned value of a sent field. */
const echoed = (pointer: string, expected: unknown, got: unknown): Finding => ({
  ...value('echo.sent-field', pointer, 'what was sent', 'something else'),
  fault: { kind: 'value', expected, got },
});
const [long, part] = ['x'.repeat(80), 'x'.repeat(24)];

// biome-ignore format: a table
const titles: readonly [finding: Finding, title: string][] = [
  [short,                                                        'accepted `name: "ab"`; expected a 4xx'],
  [tooLong,                                                      'accepted `description` of 1,001 characters; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/environments', [{ id: 'a' }, null], [{ id: 'a' }]) }, 'accepted `environments[1]: null`; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/rules', [{ name: 'a', id: '' }], [{ name: 'a', id: 'b' }]) }, 'accepted `rules[0].id: ""`; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/scores', ['a', 'b'], ['a']) }, 'accepted `scores: ["a","b"]`; expected a 4xx'],
  [{ ...tooLong, counterexample: { ...field('/name', 'x'.repeat(90)), title: 'name: every character of ^[a-z]*$' } }, 'accepted `name` with every character of ^[a-z]*$; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/groups', [], ['a']) },  'accepted `groups: []`; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/groups', ['x'.repeat(60)]) }, 'accepted `groups` of 1 item; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/all_columns', undefined, ['a']), exchange: exchange('{"dryRun":true}', 200, '{}') }, 'accepted a body without `all_columns` in a dry run; expected a 4xx'],
  [{ ...short, counterexample: field('/dryRun', true), fault: { kind: 'refused' }, actual: 'status 400', exchange: exchange('{"dryRun":true}', 400, '{}') }, 'refused `dryRun: true` with status 400; expected a success'],
  [{ ...short, fault: { kind: 'refused' }, actual: 'status 400', exchange: exchange('{"dryRun":true}', 400, '{}') }, 'refused `name: "ab"` in a dry run with status 400; expected a success'],
  [{ ...short, exchange: exchange('{"dryRun":false}', 200, '{}') }, 'accepted `name: "ab"`; expected a 4xx'],
  [{ ...tooLong, counterexample: field('/rules/0/name', undefined, 'a') }, 'accepted a body without `rules[0].name`; expected a 4xx'],
  [{ ...tooLong, counterexample: { ...field('', 1), title: 'with another key' } as never }, 'accepted a request with another key; expected a 4xx'],
  [{ ...short, actual: 'status 400: "No."', fault: { kind: 'refused' } }, 'refused `name: "ab"` with status 400: "No."; expected a success'],
  [{ ...short, actual: 'status 500', fault: { kind: 'failed' }, exchange: exchange('{}', 500, '{}') }, 'answered 500 to `name: "ab"`; expected no 5xx'],
  [{ ...short, actual: 'status 409', fault: { kind: 'refused' }, expected: 'a success, for the name is free', exchange: exchange('{}', 409, '{}'), steps: [] }, 'refused PATCH /console/v1/gates/a_gate with status 409; expected a success, for the name is free'],
  [{ ...short, requirement: 'robust.chunked', actual: 'status 400', fault: { kind: 'refused' }, expected: 'a success: the request in chunks is the same request', exchange: exchange('{}', 400, '{}'), counterexample: { ...field('', 1), title: 'the request written in other ways' } as never }, 'refused the request written in other ways with status 400; expected a success: the request in chunks is the same request'],
  [dropped,                                                      'gave no answer to GET /console/v1/segments?limit=10: the connection was closed; expected an HTTP answer'],
  [noContentType,                                                'answered with content-type text/plain; expected application/json'],
  [{ ...noContentType, actual: '' },                             'answered with an empty content-type; expected application/json'],
  [echoed('/data/tags', ['a', 'b'], ['a', 'c']),                 'returned `tags[1]: "c"`; expected "b"'],
  [echoed('/data/groups', [{ id: 'a', tags: ['b'] }], [{ id: 'a' }]), 'lost `groups[0].tags` of what was sent; expected ["b"]'],
  [echoed('/data/groups', [{ tags: ['b'] }], [{ tags: null }]),  'returned `groups[0].tags: null`; expected ["b"]'],
  [echoed('/data/tags', ['a', 'b'], ['a']),                      'returned `tags: ["a"]`; expected ["a","b"]'],
  [echoed('/data/links', [{ url: 'a', text: 'b' }], [{ url: 'a' }]), 'lost `links[0].text` of what was sent; expected "b"'],
  [echoed('/data/sql', `${long}one${long}`, `${long}two${long}`), `returned \`sql: …${part}two${part}…\`; expected …${part}one${part}…`],
  [echoed('/data/metricEvents', [{ type: 'count_distinct' }], [{ type: 'count' }]), 'returned `metricEvents[0].type: "count"`; expected "count_distinct"'],
  [echoed('/data/sql', long, part),                              'returned `sql` cut after 24 characters; expected all 80'],
  [echoed('/data/tags', ['a é', 'b'], ['a Ã©', 'b']),            'changed the characters beyond ASCII in `tags[0]`: "a Ã©"; expected "a é"'],
  [value('state.patch-only-sent', '/data/name', 'name as it was: "caf\u00e9"', '"cafe\u0301"', 'changed'), 'changed `name` to "cafe\\u{301}"; expected name as it was: "caf\u00e9"'],
  [value('echo.sent-field', '/data/sql', 'a text of 5000 characters', 'a text of 4000 characters'), 'returned `sql` as a text of 4000 characters; expected a text of 5000 characters'],
  [value('pagination.complete', '/data', 'each item on one page, once', 'version 9 came twice'), 'version 9 came twice; expected each item on one page, once'],
  [value('message.is-text', '/message', 'a string', 'nothing'),  '`message` is missing; expected a string'],
  [value('state.patch-every-sent', '/data/tags', '["a"]', 'nothing (the member is absent)', 'lost'), 'lost the update of `tags`: it is missing; expected ["a"]'],
  [wrongType,                                                    '`isEnabled` is 1 (a number); expected a boolean'],
  [value('echo.sent-field', '/data/tags', '["a"]', 'nothing (the member is absent)', 'missing'), 'lost `tags` of what was sent; expected ["a"]'],
  [{ ...value('state.metric-listed', '/data', 'the metric a in the list', 'it is not listed'), fault: { kind: 'missing', expected: 'a' } }, '`data` lacks "a"; expected the metric a in the list'],
  [{ ...value('state.metric-listed', '/data', 'the metric', 'it is not listed'), fault: { kind: 'missing', expected: 'é'.repeat(61) } }, `\`data\` lacks "${'é'.repeat(60)}…"; expected the metric`],
  [{ ...value('state.dry-run-metric', '/data/3', 'no metric a in the list', 'it shows "a"'), fault: { kind: 'present', got: 'a' } }, '`data[3]` shows "a", which must not be there; expected no metric a in the list'],
  [{ ...value('state.dry-run-metric', '/data', 'nothing of what was only tried', '{"id":"a"}'), fault: { kind: 'present', got: { id: 'a' } } }, '`data` shows "a", which must not be there; expected nothing of what was only tried'],
  [{ ...value('state.lineage-truth', '/data/0/lineage', '"a" in it', '{"events":[]}'), fault: { kind: 'present', got: { events: [] } } }, '`data[0].lineage` is {"events":[]}; expected "a" in it'],
  [value('presence.must', '/data/id', 'the member', 'no such member', 'missing'), '`id` is missing'],
  [value('state.metric-as-created', '/data/0/tags', '["a"]', '[]', 'lost'), 'lost `data[0].tags`: it is []; expected ["a"]'],
  [value('state.enable-groups-frame', '/data/tags', '["a"]', '[]', 'lost'), 'lost `tags`, in the update or in enabling groups: it is []; expected ["a"]'],
  [value('state.patch-every-sent', '/data/tags', '["a"]', '[]', 'lost'), 'lost the update of `tags`: it is []; expected ["a"]'],
  [value('state.patch-only-sent', '/data/tags', 'tags as it was', '[] became null', 'changed'), 'changed `tags`: [] became null; expected tags as it was'],
  [value('auth.no-effect', '/data/isEnabled', 'isEnabled as it was: true', 'false', 'trace'), 'a refused request changed `isEnabled` to false; expected isEnabled as it was: true'],
  [value('state.dry-run-qualifying-event', '/data/sql', 'sql as it was: "a"', '"b"', 'trace'), 'a dry run changed `sql` to "b"; expected sql as it was: "a"'],
  [value('state.patch-only-sent', '/data/tags', 'tags as it was: ["a"]', '[]', 'changed'), 'changed `tags` to []; expected tags as it was: ["a"]'],
  [value('state.patch-only-sent', '/data/tags', 'tags as it was: ["a"]', 'nothing (the member is absent)', 'changed'), 'removed `tags`; expected tags as it was: ["a"]'],
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
