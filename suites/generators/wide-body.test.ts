import { describe, expect, test } from 'vitest';
import type { Annotation, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { type JsonObject, objectsIn } from '../../contracts/json.ts';
import { isValid } from '../../contracts/validation.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import { bodyFields } from './fields.ts';
import { wideBodies } from './wide-body.ts';

const text = (annotation: Annotation = {}): Schema => ({ type: 'string', annotation });
const schema: ObjectSchema = {
  type: 'object',
  properties: {
    kind: { enum: ['x', 'y'] },
    own: text({ creates: true }),
    query: text({ formatHint: 'sql' }),
    a: text(),
    b: text(),
    list: { type: 'array', items: { type: 'string' } },
    onlyX: text({ beside: ['kind=x'] }),
    onlyY: text({ beside: ['kind=y'] }),
    unseen: text({ compare: 'never', beside: ['a'] }),
  },
  required: ['kind', 'query', 'own'],
};
const template = { kind: 'x', query: 'SELECT 1', own: 'mine', a: 'before' };
const bodies = wideBodies(schema, template, everythingDeclared);

describe('the wide bodies of a schema', () => {
  test('are as few as can be: one, and one for what needs another choice', () => {
    expect(bodies.map(({ body }) => body.kind)).toEqual(['x', 'y']);
    expect(Object.keys(bodies[0]?.body ?? {}).sort()).toEqual(['a', 'b', 'kind', 'list', 'onlyX', 'own', 'query']);
    expect(Object.keys(bodies[1]?.body ?? {}).sort()).toEqual(['a', 'kind', 'onlyY', 'own', 'query']);
  });

  test('keep what the template chose, its query and the name of what is created', () => {
    expect(bodies[0]?.body).toMatchObject({ kind: 'x', query: 'SELECT 1', own: 'mine' });
    expect(bodies[0]?.body.a).not.toBe('before');
  });

  test('have no two texts alike, in lists neither', () => {
    const { a, b, list, onlyX } = bodies[0]?.body ?? {};
    const texts = [a, b, onlyX, ...((list ?? []) as string[])];
    expect(texts).toHaveLength(6);
    expect(new Set(texts).size).toBe(6);
  });

  test('have no two numbers alike, and another name than the template has', () => {
    const unit: Schema = { type: 'string', annotation: { semantics: 'reference', refersTo: 'idType' } };
    const wide = (properties: Record<string, Schema>, from: JsonObject) =>
      wideBodies({ type: 'object', properties }, from, everythingDeclared)[0]?.body;
    const days: Schema = { type: 'integer', exclusiveMinimum: 1 };
    const limit: Schema = { type: 'object', properties: { days, size: { type: 'number' } } };
    const numbers = wide({ days, more: days, limit }, {}) as { days: number; more: number; limit: JsonObject };
    expect(new Set([numbers.days, numbers.more, ...Object.values(numbers.limit)]).size).toBe(4);
    expect(wide({ unit }, { unit: 'userID' })).toEqual({ unit: 'stableID' });
    const second: Schema = { ...unit, annotation: { ...unit.annotation, differsFrom: 'unit' } as Annotation };
    const { unit: one, second: other } = wide({ unit, second }, { unit: 'userID' }) ?? {};
    expect(one).not.toBe(other);
  });

  test('map no two items to one name, also where the template does', () => {
    const reference = (refersTo: 'idType' | 'column'): Schema => ({
      type: 'string',
      annotation: { semantics: 'reference', refersTo },
    });
    const items: ObjectSchema = {
      type: 'object',
      properties: { unit: reference('idType'), column: reference('column') },
    };
    const from = { list: ['userID', 'stableID'].map(unit => ({ unit, column: 'user_id' })) };
    const [wide] = wideBodies(
      { type: 'object', properties: { list: { type: 'array', items } } },
      from,
      everythingDeclared,
    );
    const columns = objectsIn(wide?.body.list).map(({ column }) => column);
    expect(columns.slice(0, 2)).toEqual(['ts', 'user_id']);
  });

  test('name the same team in each field that names one', () => {
    const team: Schema = { type: 'string', annotation: { semantics: 'reference', refersTo: 'team' } };
    const { team: one, teamID: other } =
      wideBodies({ type: 'object', properties: { a: team, team, teamID: team } }, {}, everythingDeclared)[0]?.body ??
      {};
    expect(one).toBe(other);
  });

  test('are without the fields that are left out, and those that would come with them', () => {
    const [one, ...others] = wideBodies(schema, template, everythingDeclared, name => name === 'b' || name === 'kind');
    expect(Object.keys(one?.body ?? {})).not.toContain('b');
    expect(others).toEqual([]);
  });
});

test.each(endpointIds.filter(id => templates[id] !== undefined))(
  '%s: the bodies are valid and have every field, but those that are sent alone',
  id => {
    const body: ObjectSchema = endpoints[id].body ?? { type: 'object' };
    const made = wideBodies(body, templates[id] ?? {}, everythingDeclared);
    for (const one of made) expect(isValid(body, one.body)).toBe(true);
    const held = new Set(made.flatMap(one => Object.keys(one.body)));
    const usable = bodyFields(body, templates[id] ?? {}, everythingDeclared).usable.filter(
      ({ pointer, schema: { annotation = {} } }) =>
        !pointer.slice(1).includes('/') && annotation.compare !== 'never' && !annotation.alone,
    );
    expect(usable.map(({ pointer }) => pointer.slice(1)).filter(name => !held.has(name))).toEqual([]);
  },
);
