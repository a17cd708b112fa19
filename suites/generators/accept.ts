import fc from 'fast-check';
import { boundingKeywords, type ObjectSchema } from '../../contracts/dialect.ts';
import { otherNames } from '../../contracts/fields.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { at, putMember, same, steps } from '../../contracts/pointer.ts';
import { compact, present } from '../../contracts/present.ts';
import { shortPlaceholder } from '../protocol/created-names.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { arbitraryIn } from './arbitrary.ts';
import { type AcceptCase, dotted, type Enumeration, topField } from './cases.ts';
import { companionOf, needsOf } from './context.ts';
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
  return compact([base, other !== undefined && field.place(other)]);
}

/** Returns a function that marks cases whose body has a learned name that the template lacks: they may be refused. */
const marking =
  (schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities) =>
  (one: AcceptCase): AcceptCase => {
    const before = one.keyword === 'template' ? undefined : template;
    return { ...one, ...present({ learned: learnedIn(schema, one.body, before, capabilities) }) };
  };

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
  const accompanied: AcceptCase[] = [];
  const { usable, notExercised } = bodyFields(schema, template, capabilities);
  for (const field of usable) {
    const { alone } = field.schema.annotation ?? {};
    const edges = edgesOf(field.schema, field.context, field.current);
    // A long new name has other signs than letters and digits, which may be what is refused.
    const ordinary = alone ? compact([edges[0]?.value ?? null, shortPlaceholder].map(field.place)) : undefined;
    // Each request with it alone creates something: the last value has all characters, and begins with a digit.
    for (const edge of alone ? edges.slice(-1) : edges) {
      const body = field.place(edge.value);
      if (body === undefined) continue;
      const pointer = field.pointer + edge.pointer;
      const controls = ordinary ?? controlsOf(field, edge);
      const needs = needsOf(field.schema, edge.value);
      const one: AcceptCase = {
        title: `${dotted(pointer)}: ${edge.what}`,
        pointer,
        value: at(body, pointer) ?? null,
        body,
        level: field.displaces || needs !== undefined ? 'SHOULD' : edge.level,
        keyword: edge.keyword,
        ...(edge.what === existingName ? { isOneOfMany: true } : {}),
        ...present({ isAlone: alone }),
        ...(controls.length > 0 ? { controls } : {}),
      };
      if (needs === undefined) add(one);
      else accompanied.push(one);
    }
  }
  // The same body may be a case of the field that the value needs.
  accompanied.forEach(add);
  return { cases: [...byBody.values()].map(marking(schema, template, capabilities)), notExercised };
});

/**
 * Draws random valid requests: three in four are the template with one generated field, one in four a combination of
 * fields (a SHOULD). Shrinks to one field at an example, and a combination to fewer fields.
 */
export function acceptArbitrary(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): fc.Arbitrary<AcceptCase> {
  const { usable } = bodyFields(schema, template, capabilities);
  const fields = usable.flatMap(field => {
    if (field.schema.annotation?.alone) return [];
    const values = arbitraryIn(field.schema, field.context, field.current);
    return values === undefined ? [] : [{ field, picks: values.map((value): Pick => ({ field, value })) }];
  });
  if (fields.length === 0) return fc.constant(templateCase(template));
  const mark = marking(schema, template, capabilities);
  const single = fc.oneof(...fields.map(({ picks }) => picks)).map(pick => singleCase(pick, template));
  const free = fields.filter(({ field }) => field.base === template && steps(field.pointer).length === 1);
  if (free.length < 2) return single.map(mark);
  const several = combination(
    free.map(({ picks }) => picks),
    template,
  );
  return fc.oneof({ arbitrary: single, weight: 3 }, { arbitrary: several, weight: 1 }).map(mark);
}

/** A field at a drawn value. */
interface Pick {
  readonly field: BodyField;
  readonly value: Json;
}

function singleCase(pick: Pick, template: JsonObject): AcceptCase {
  const { field, value } = pick;
  const { pointer, schema, context, current } = field;
  const body = field.place(value);
  if (body === undefined) return templateCase(template);
  const isBold = field.displaces || needsOf(schema, value) !== undefined;
  const level = isBold ? 'SHOULD' : acceptanceLevel(schema, value, context, current);
  return { title: `${dotted(pointer)}: a generated value`, pointer, value, body, level, keyword: 'example' };
}

/** Draws several fields at once, mostly few: as a list of picks, so that shrinking removes fields. */
function combination(fields: readonly fc.Arbitrary<Pick>[], template: JsonObject): fc.Arbitrary<AcceptCase> {
  return fc.array(fc.oneof(...fields), { minLength: 2, maxLength: Math.min(fields.length, 6) }).map(picks => {
    let body = template;
    const names = new Set<string>();
    for (const pick of picks) {
      const { pointer } = pick.field;
      const alone = pick.field.place(pick.value);
      // Skip a value that requires other fields (a condition): other cases send it alone.
      if (!alone || Object.keys(alone).some(name => `/${name}` !== pointer && alone[name] !== template[name])) continue;
      if (otherNames(topField(pick.field)).some(name => body[name] !== undefined)) continue;
      body = putMember(body, pointer, pick.value);
      names.add(dotted(pointer));
    }
    const title = `together: ${[...names].join(', ')}`;
    return { title, pointer: '', value: body, body, level: 'SHOULD', keyword: 'combination' };
  });
}
