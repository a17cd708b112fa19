import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type JsonObject, membersOf } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { right, type Wrong } from '../../proof/testing/model.ts';
import { courses } from './courses.ts';

/** Stores the content of a request without effect along with the next write. */
const keptForNext =
  (endpoint: EndpointId, status: number, ...fields: readonly string[]): Wrong =>
  model => {
    let kept: JsonObject = {};
    return (request, body) => {
      const sent = membersOf(body) as JsonObject;
      const isWrite = request.endpoint === endpoint && Object.keys(sent).length > 0;
      const given = model(request, isWrite && request.key === undefined ? { ...kept, ...sent } : body);
      if (!isWrite) return given;
      const isKept = given.status === status && (status !== 200 || sent.dryRun === true);
      kept = isKept ? Object.fromEntries(Object.entries(sent).filter(([name]) => fields.includes(name))) : {};
      return given;
    };
  };

/** Takes a name that differs in letter case for the name that a gate has already. */
const ignoringCase: Wrong = model => (request, body) => {
  const { name, ...rest } = membersOf(body) as JsonObject;
  if (request.endpoint !== 'patch-gate' || request.key !== undefined || typeof name !== 'string')
    return model(request, body);
  const shown = membersOf(membersOf(model(request, {}).value).data).name;
  if (name === shown || String(shown).toLowerCase() !== name.toLowerCase()) return model(request, body);
  const given = model(request, rest);
  const value = membersOf(given.value);
  return { ...given, value: { ...value, data: { ...membersOf(value.data), name } } };
};

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                                   'patch-gate',              right,                                                        []],
  ['a right server',                                   'update-qualifying-event', right,                                                        []],
  ['a right server',                                   'update-experiment',       right,                                                        []],
  ['a right server',                                   'create-metric',           right,                                                        []],
  ['a right server',                                   'create-prompt-version',   right,                                                        []],
  ['a refused patch that is stored with the next one', 'patch-gate',              keptForNext('patch-gate', 400, 'tags'),                       ['reject.no-trace']],
  ['a keyless patch that is stored with the next one', 'patch-gate',              keptForNext('patch-gate', 401, 'tags'),                       ['auth.no-effect']],
  ['a refused update that is stored with the next',    'update-qualifying-event', keptForNext('update-qualifying-event', 400, 'tags'),          ['reject.no-trace']],
  ['a keyless update that is stored with the next',    'update-qualifying-event', keptForNext('update-qualifying-event', 401, 'tags'),          ['auth.no-effect']],
  ['a metric with the description of a dry run',       'create-metric',           keptForNext('create-metric', 200, 'description'),             ['state.dry-run-metric']],
  ['a prompt with the description of a keyless one',   'create-prompt-version',   keptForNext('create-prompt-version', 401, 'description'),     ['auth.no-effect']],
])('%s, at %s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(courses, endpoint, wrong)).told).toEqual(cited);
});

test('every course is carried out', async () => {
  const { results } = await judgedBy(courses, 'patch-gate');
  expect(results.filter(({ proved }) => !proved)).toEqual([]);
  expect(results.map(({ title }) => title)).toContain('two written in turn');
});

test('a name that differs in letter case alone is another one', async () => {
  const gates = new Map([['gate_a', { id: 'gate_a', name: 'gate_a' }]]);
  const discovered = { qualifyingEvents: new Map(), gates };
  const { suspected } = await judgedBy(courses, 'patch-gate', ignoringCase, { discovered });
  expect(suspected).toEqual(['state.patch-every-sent /data/name']);
  const { sent, told } = await judgedBy(courses, 'patch-gate', right, { discovered });
  expect(told).toEqual([]);
  expect(sent.flatMap(({ body }) => membersOf(body).name ?? [])).toEqual(['GATE_A', 'gate_a']);
});

test('a name without letters becomes one with letters', async () => {
  const gates = new Map([['gate_a', { id: 'gate_a', name: '1.0' }]]);
  const { sent } = await judgedBy(courses, 'patch-gate', right, { discovered: { qualifyingEvents: new Map(), gates } });
  expect(sent.flatMap(({ body }) => membersOf(body).name ?? [])).toEqual([expect.stringMatching(/[a-z]/i), '1.0']);
});
