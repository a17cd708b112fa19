import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { sameThing } from '../../contracts/fields.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { lastResults } from '../../contracts/memoized.ts';
import { same, steps } from '../../contracts/pointer.ts';
import { isValid } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { topField } from './cases.ts';
import { type GenerationContext, isGroups, wordsFor } from './context.ts';
import { enumeratedOnce } from './enumerated-once.ts';
import { exampleOf } from './examples.ts';
import { type BodyField, bodyFields } from './fields.ts';
import { changesTo } from './packs.ts';
import { withFurther } from './several-items.ts';
import { firstUnlike, keepsItems, namingMembers, turnedItems, variedGroups, variedOf } from './varied.ts';

/** A field of a wide body: its changes to the template, with the fields that it must stand beside. */
export interface WideField {
  readonly name: string;
  readonly field: BodyField;
  readonly changes: JsonObject;
}

/** A body with every field that may stand beside the others, at ordinary values, no two of them alike. */
export interface WideBody {
  readonly template: JsonObject;
  readonly fields: readonly WideField[];
  readonly body: JsonObject;
}

/**
 * Returns the items of a template, and further ones for what else can be named. The last reference of each (a column
 * that a unit type is mapped to) becomes another existing name, of no two items the same while there are as many: what
 * one item shows of another would be right by chance.
 */
function otherColumns(schema: Schema, context: GenerationContext, current: readonly Json[]): Json {
  const [, ...others] = namingMembers(schema.items);
  const last = others.at(-1);
  if (last === undefined) return [...current];
  const [name, member] = last;
  const words = wordsFor(member, context);
  const used = new Set<Json>();
  return withFurther(schema, context, current).map(one => {
    if (!isObject(one)) return one;
    const next = words.indexOf(one[name] ?? null) + 1;
    const inTurn = [...words.slice(next), ...words.slice(0, next)];
    const free = inTurn.filter(word => !used.has(word));
    const other = free.find(word => word !== one[name]) ?? free[0] ?? inTurn[0];
    if (other === undefined) return one;
    used.add(other);
    return { ...one, [name]: other };
  });
}

/**
 * Returns an ordinary value of a field. Lists have several items, which differ; lists of the template's references
 * stay.
 */
function ordinary({ schema, context, current }: BodyField, turn: number): Json | undefined {
  if (isGroups(schema) && Array.isArray(current)) return variedGroups(schema, context, current, turn);
  const turned = Array.isArray(current) ? turnedItems(schema, current) : undefined;
  if (turned !== undefined) return turned;
  if (keepsItems(schema, current)) return otherColumns(schema, context, current);
  // Keep the template's choice from a closed set, its query, and the name of a new entity.
  const { creates, formatHint } = schema.annotation ?? {};
  const isChosen = schema.enum !== undefined || creates === true || formatHint === 'sql';
  return current !== undefined && isChosen ? current : variedOf(schema, context, turn);
}

/** Returns the texts and numbers of a value, by which it is told from others. */
function tellingIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [JSON.stringify(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(tellingIn) : [];
}

/** Returns the values that a field must not have, because another one, which must differ from it, has them. */
const reserved = (name: string, fields: readonly BodyField[]): readonly string[] =>
  fields
    .filter(({ schema: { annotation } }) => annotation?.differsFrom === name)
    .flatMap(({ schema, context }) => tellingIn(exampleOf(schema, context)));

/** True if a field stands beside others and is never shown: nobody would see what it adds to them. */
const isUnshown = ({ schema: { annotation } }: BodyField): boolean =>
  annotation?.compare === 'never' && annotation.beside !== undefined;

/**
 * Returns each field at a value whose texts and numbers stand in no other field, so that none can be shown in the place
 * of another. Fields that name the same thing name the same.
 */
function unlikeFields(fields: readonly BodyField[], template: JsonObject): readonly WideField[] {
  const used = new Set<string>();
  return fields.flatMap((field, index): WideField[] => {
    const { schema, current } = field;
    const name = topField(field);
    const alike = sameThing.find(group => group.includes(name));
    const first = alike === undefined ? index : fields.findIndex(one => alike.includes(topField(one)));
    const isText = schema.type === 'string' || schema.type?.[0] === 'string' || schema.items?.type === 'string';
    const others = new Set([...used, ...tellingIn(current), ...reserved(name, fields)]);
    const inCommon = (value: Json): number =>
      alike === undefined ? tellingIn(value).filter(one => others.has(one)).length : 0;
    const value = firstUnlike(turn => ordinary(field, turn), isText ? first * 3 : 0, inCommon);
    const body = value === undefined ? undefined : field.place(value);
    if (body === undefined) return [];
    for (const one of tellingIn(value)) used.add(one);
    return [{ name, field, changes: changesTo(template, body) }];
  });
}

/** Maximum number of sets of bodies that are remembered, which differ in the fields that are left out. */
const mostSets = 4;

/** The fields that a wide body may have, and the bodies that were made of them. */
const wideFields = enumeratedOnce((schema, template, capabilities) => ({
  fields: unlikeFields(
    bodyFields(schema, template, capabilities).usable.filter(
      field => steps(field.pointer).length === 1 && !isUnshown(field) && field.schema.annotation?.alone === undefined,
    ),
    template,
  ),
  known: lastResults<readonly WideBody[]>(mostSets),
}));

/**
 * Returns the fewest bodies that together have every field. Most are in one. Those that need another value of what the
 * others have (another type of metric, another kind of analysis) are in further ones, which have no more than they
 * need.
 * @param isLeftOut true of the fields that none of them has.
 */
export function wideBodies(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
  isLeftOut: (field: string) => boolean = () => false,
): readonly WideBody[] {
  const { fields, known } = wideFields(schema, template, capabilities);
  const kept = fields.filter(({ name, changes }) => ![name, ...Object.keys(changes)].some(isLeftOut));
  return known(kept.map(({ name }) => name).join('\n'), () => packed(schema, template, kept));
}

/** Packs the fields into as few bodies as possible. */
function packed(schema: ObjectSchema, template: JsonObject, fields: readonly WideField[]): readonly WideBody[] {
  const bodies: { template: JsonObject; fields: WideField[]; body: JsonObject }[] = [];
  // Fields that change nothing but themselves come first, so that the first body has as much as possible.
  const isAlone = ({ changes }: WideField): boolean => Object.keys(changes).every(name => template[name] === undefined);
  for (const one of [...fields.filter(isAlone), ...fields.filter(field => !isAlone(field))]) {
    const own = one.field.current === undefined ? undefined : one.name;
    const fits = ({ body }: { body: JsonObject }): boolean => {
      const agrees = Object.entries(one.changes).every(
        ([name, value]) => name === own || body[name] === undefined || same(body[name], value),
      );
      return agrees && isValid(schema, { ...body, ...one.changes });
    };
    let into = bodies.find(fits);
    if (into === undefined) {
      into = { template, fields: [], body: template };
      bodies.push(into);
    }
    into.fields.push(one);
    into.body = { ...into.body, ...one.changes };
  }
  return bodies;
}
