import { expect, test } from 'vitest';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import { everythingDeclared } from './capabilities.fixture.ts';
import { turnedChoices } from './turned-choices.ts';
import { wideBodies } from './wide-body.ts';

const schema: ObjectSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    kind: { enum: ['full', 'incremental'] },
    flag: { type: 'boolean' },
    doubtful: { type: 'boolean', annotation: { uncertain: [true] } },
    analysis: { enum: ['frequentist', 'bayesian'] },
    prior: { type: 'number', annotation: { beside: ['analysis=bayesian'] } },
  },
};

/** Returns what the choices of the first wide body turn into. */
const turnedIn = (own: ObjectSchema) => {
  const [wide] = wideBodies(own, {}, everythingDeclared);
  return wide && { body: wide.body, turned: turnedChoices(wide, own) };
};

test('each choice has another value, but for one that is uncertain or that another field needs', () => {
  const { body, turned } = turnedIn(schema) ?? {};
  const differing = Object.keys(body ?? {}).filter(name => body?.[name] !== turned?.[name]);
  expect(differing).toEqual(expect.arrayContaining(['kind', 'flag']));
  expect(differing).not.toContain('text');
  expect(differing).not.toContain('doubtful');
  if (body?.prior !== undefined) expect(turned?.analysis).toBe('bayesian');
});

test('a body without choices has none that turns', () => {
  expect(turnedIn({ type: 'object', properties: { text: { type: 'string' } } })?.turned).toBeUndefined();
});
