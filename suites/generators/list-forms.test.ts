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
  ]);
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
