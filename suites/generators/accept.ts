import fc from 'fast-check';
import { boundingKeywords, type ObjectSchema } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { at, putMember, same, steps } from '../../contracts/pointer.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { arbitraryIn } from './arbitrary.ts';
import type { AcceptCase, Enumeration } from './cases.ts';
import { companionOf, lacksCompanions } from './context.ts';
import { type Edge, edgesOf, existingName } from './edges.ts';
import { enumeratedOnce } from './enumerated-once.ts';
import { exampleOf } from './examples.ts';
import { type BodyField, bodyFields } from './fields.ts';
import { acceptanceLevel } from './levels.ts';
import { learnedIn } from './references.ts';

const templateCase = (template: JsonObject): AcceptCase => ({
  title: 'the minimal request',
  pointer: '',
  value: template,
  body: template,
  level: 'MUST',
  keyword: 'template',
});

const stated: ReadonlySet<string> = new Set([...boundingKeywords, 'null']);

/**
 * Returns the controls of a stated value whose field stands beside others, which may themselves be refused: those
 * alone, and with the field at another value. None if one of the others cannot be sent.
 */
function controlsOf(field: BodyField, { keyword, level, value }: Edge): readonly JsonObject[] {
  const { schema, base, context, displaces } = field;
  const needs = (schema.annotation?.beside ?? []).map(entry => at(base, companionOf(entry).pointer));
  if (!displaces || level === 'SHOULD' || !stated.has(keyword) || needs.includes(undefined)) return [];
  const other = [exampleOf(schema, context), ...(schema.enum ?? [])].find(
    one => one !== undefined && one !== null && !same(one, value),
  );
  return [base, ...(other === undefined ? [] : [field.place(other) ?? []].flat())];
}

/** Marks a case whose body holds a learned name that its template lacks: a target may refuse it. */
function marked(one: AcceptCase, schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities) {
  const before = one.pointer === '' && one.keyword === 'template' ? undefined : template;
  const learned = learnedIn(schema, one.body, before, capabilities);
  return learned === undefined ? one : { ...one, learned };
}

/**
 * Enumerates the requests that the target is expected to accept, in a fixed order: the template itself, then one field
 * at a time at each value worth sending. Fields that cannot be sent to such a target are listed instead.
 * @param template the minimal request: valid, and accepted before anything else is judged.
 */
export const acceptCases = enumeratedOnce((schema, template, capabilities): Enumeration<AcceptCase> => {
  const byBody = new Map<string, AcceptCase>();
  const add = (one: AcceptCase) => {
    const text = JSON.stringify(one.body);
    if (!byBody.has(text)) byBody.set(text, one);
  };
  add(templateCase(template));
  const { usable, notExercised } = bodyFields(schema, template, capabilities);
  for (const field of usable) {
    for (const edge of edgesOf(field.schema, field.context, field.current)) {
      const body = field.place(edge.value);
      if (body === undefined || lacksCompanions(field.schema, edge.value, body)) continue;
      const pointer = field.pointer + edge.pointer;
      const controls = controlsOf(field, edge);
      add({
        title: `${steps(pointer).join('.')}: ${edge.what}`,
        pointer,
        value: at(body, pointer) ?? null,
        body,
        level: field.displaces ? 'SHOULD' : edge.level,
        keyword: edge.keyword,
        ...(edge.what === existingName ? { isOneOfMany: true } : {}),
        ...(controls.length > 0 ? { controls } : {}),
      });
    }
  }
  return { cases: [...byBody.values()].map(one => marked(one, schema, template, capabilities)), notExercised };
});

interface VariedField {
  readonly field: BodyField;
  readonly values: fc.Arbitrary<Json>;
}

/**
 * Draws random valid requests: three in four are the template with one generated field, one in four a combination of
 * fields (a SHOULD). Shrinks to one field at an example, and a combination to fewer fields.
 */
export function acceptArbitrary(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): fc.Arbitrary<AcceptCase> {
  const fields = bodyFields(schema, template, capabilities).usable.flatMap((field): VariedField[] => {
    const values = arbitraryIn(field.schema, field.context, field.current);
    return values === undefined ? [] : [{ field, values }];
  });
  if (fields.length === 0) return fc.constant(templateCase(template));
  const mark = (one: AcceptCase): AcceptCase => marked(one, schema, template, capabilities);
  const single = fc.oneof(...fields.map(varied => singleCase(varied, template)));
  const free = fields.filter(({ field }) => field.base === template && steps(field.pointer).length === 1);
  if (free.length < 2) return single.map(mark);
  return fc.oneof({ arbitrary: single, weight: 3 }, { arbitrary: combination(free, template), weight: 1 }).map(mark);
}

function singleCase({ field, values }: VariedField, template: JsonObject): fc.Arbitrary<AcceptCase> {
  const title = `${steps(field.pointer).join('.')}: a generated value`;
  return values.map(value => {
    const body = field.place(value);
    if (body === undefined || lacksCompanions(field.schema, value, body)) return templateCase(template);
    const level = field.displaces ? 'SHOULD' : acceptanceLevel(field.schema, value, field.context, field.current);
    return { title, pointer: field.pointer, value, body, level, keyword: 'example' };
  });
}

/** Draws several fields at once, mostly few: as a list of picks, so that shrinking removes fields. */
function combination(fields: readonly VariedField[], template: JsonObject): fc.Arbitrary<AcceptCase> {
  const pick = fc.oneof(...fields.map(({ field, values }) => values.map(value => ({ field, value }))));
  return fc.array(pick, { minLength: 2, maxLength: Math.min(fields.length, 6) }).map(picks => {
    let body = template;
    const names = new Set<string>();
    for (const { field, value } of picks) {
      const alone = field.place(value);
      if (alone === undefined || lacksCompanions(field.schema, value, alone)) continue;
      // Skip a value that requires other fields (a condition): other cases send it alone.
      if (Object.keys(alone).some(name => `/${name}` !== field.pointer && alone[name] !== template[name])) continue;
      body = putMember(body, field.pointer, value);
      names.add(steps(field.pointer).join('.'));
    }
    const title = `together: ${[...names].join(', ')}`;
    return { title, pointer: '', value: body, body, level: 'SHOULD', keyword: 'combination' };
  });
}
