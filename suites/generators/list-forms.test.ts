import { expect, test } from 'vitest';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { isValid } from '../../contracts/validation.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import { listSteps } from './list-forms.ts';
import { mergedBody } from './packs.ts';
import { wideBodies } from './wide-body.ts';

const text = { type: 'string' } as const;
const unit = { ...text, annotation: { semantics: 'reference', refersTo: 'idType' } } as const;
const schema: ObjectSchema = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: text },
    units: { type: 'array', items: unit },
    days: { type: 'array', items: { type: 'integer' } },
    living: { type: 'array', items: { type: 'object', properties: { name: text } }, annotation: { varies: 'name=a' } },
    note: text,
  },
};
const stepsOf = (body: ObjectSchema, template = {}) => {
  const [wide] = wideBodies(body, template, everythingDeclared);
  return wide === undefined ? [] : listSteps(wide);
};

test('each step begins where the one before it ended, and changes every list in one respect', () => {
  const steps = stepsOf(schema);
  for (const [index, { from }] of steps.entries()) if (index > 0) expect(from).toEqual(steps[index - 1]?.to);
  const [a, b, c] = (steps[0]?.from[0]?.value ?? []) as string[];
  const tags = steps.map(({ to }) => to[0]?.value);
  expect(tags).toEqual([
    [c, b, a],
    [c, b],
    [c, a],
    [b, a],
    [b, a, b],
    [b, a, b],
  ]);
});

test('the last step has an item with the key of the last and all else of the first', () => {
  const names = { ...text, annotation: { semantics: 'reference', refersTo: 'column' } } as const;
  const pair = (key: object) => ({ type: 'array', items: { type: 'object', properties: { key, of: names } } }) as const;
  const schemaOf = (key: object): ObjectSchema => ({ type: 'object', properties: { pairs: pair(key) } });
  const lastOf = (body: ObjectSchema, template = {}) => stepsOf(body, template).at(-1)?.to[0]?.value;
  const named = lastOf(schemaOf(text)) as { key: string; of: string }[];
  expect(named).toHaveLength(2);
  expect(named[0]?.of).toBe(named[1]?.of);
  expect(named[0]?.key).not.toBe(named[1]?.key);
  // What is part of every request keeps its items until this step.
  const kept = stepsOf(schemaOf(unit), { pairs: [{ key: 'userID', of: 'user_id' }] }).map(({ to }) => to[0]?.value);
  for (const one of kept.slice(0, -1)) expect(one).toEqual([{ key: 'userID', of: 'user_id' }]);
  const after = kept.at(-1) as { key: string; of: string }[];
  expect(after.map(({ key }) => key)).toEqual(['userID', 'stableID']);
  expect(after[0]?.of).toBe(after[1]?.of);
  const titled = { type: 'array', items: { type: 'object', properties: { url: text, title: text } } } as const;
  const links = lastOf({ type: 'object', properties: { links: titled } }) as { url: string; title: string }[];
  const [first, last, added] = [links[0], links.at(-2), links.at(-1)];
  expect(added).toEqual({ url: last?.url, title: first?.title });
  expect(first?.title).not.toBe(last?.title);
});

test('names and numbers are not sent twice, and what lives is left alone', () => {
  const last = stepsOf(schema).at(-1);
  expect(last?.to.map(({ pointer }) => pointer)).toEqual(['/tags', '/units', '/days']);
  for (const one of last?.to.slice(1) ?? []) expect(new Set(one.value as string[]).size).toBe((one.value as []).length);
  expect(stepsOf({ type: 'object', properties: { note: text } })).toEqual([]);
});

test.each(endpointIds.filter(id => templates[id] !== undefined))('%s: the bodies of all steps are valid', id => {
  const body: ObjectSchema = endpoints[id].body ?? { type: 'object' };
  const template = templates[id] ?? {};
  for (const { from, to } of stepsOf(body, template))
    for (const cases of [from, to]) expect(isValid(body, mergedBody(cases, template))).toBe(true);
});

test('a text that a list of names may stand for is such a list in the first step alone', () => {
  const app = { ...text, annotation: { semantics: 'reference', refersTo: 'app' } } as const;
  const apps = { anyOf: [app, { type: 'array', items: app }] } as const;
  const steps = stepsOf({ type: 'object', properties: { tags: { type: 'array', items: text }, apps } });
  const namesOf = (cases: readonly { pointer: string; value: unknown }[]) =>
    cases.filter(({ pointer }) => pointer === '/apps').map(({ value }) => value);
  const [first, ...others] = steps;
  const [all] = namesOf(first?.from ?? []) as string[][];
  expect(all?.length).toBeGreaterThan(1);
  expect(namesOf(first?.to ?? [])).toEqual([all?.toReversed()]);
  expect(others.flatMap(({ from, to }) => namesOf([...from, ...to]))).toEqual([]);
});
