import type { ObjectSchema } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { same, steps } from '../../contracts/pointer.ts';
import { isValid } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { isGroups } from './context.ts';
import { type BodyField, bodyFields } from './fields.ts';
import { nodeOf } from './node.ts';
import { keepsItems, variedGroups, variedOf } from './varied.ts';

/** A field of a wide body: what it changes of the template, with the fields that it must stand beside. */
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

/** An ordinary value of a field: lists have several items, which differ; what names things in the template stays. */
function ordinary({ schema, context, current }: BodyField, index: number): Json | undefined {
  const node = nodeOf(schema);
  if (node.kind === 'array' && isGroups(schema) && Array.isArray(current))
    return variedGroups(node.schema, context, current);
  if (keepsItems(schema, current)) return current;
  // What the template chose from a closed set stays, and so do its query and the name of what is created.
  const isChosen =
    node.kind === 'enum' || schema.annotation?.creates === true || schema.annotation?.formatHint === 'sql';
  if (current !== undefined && isChosen) return current;
  // Texts of other fields are others, so that none can be shown in the place of another.
  const isText = node.kind === 'string' || (node.kind === 'array' && node.schema.items?.type === 'string');
  return variedOf(schema, context, isText ? index * 3 : 0);
}

/** True of a field that stands beside others and is never shown: what it adds to them nobody would see. */
const isUnshown = ({ schema: { annotation } }: BodyField): boolean =>
  annotation?.compare === 'never' && annotation.beside !== undefined;

function wideField(field: BodyField, index: number, template: JsonObject): WideField[] {
  const value = ordinary(field, index);
  const body = value === undefined ? undefined : field.place(value);
  if (body === undefined) return [];
  const changed = Object.entries(body).filter(([name, member]) => !same(member, template[name]));
  return [{ name: steps(field.pointer)[0] ?? '', field, changes: Object.fromEntries(changed) }];
}

/**
 * The fewest bodies that together have every field: most in one, and those that need another value of what the others
 * have (another type of metric, another kind of analysis) in further ones, which have no more than they need.
 * @param isLeftOut true of the fields that none of them has.
 */
export function wideBodies(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
  isLeftOut: (field: string) => boolean = () => false,
): readonly WideBody[] {
  const bodies: { fields: WideField[]; body: JsonObject }[] = [];
  const fields = bodyFields(schema, template, capabilities)
    .usable.filter(field => steps(field.pointer).length === 1 && !isUnshown(field))
    .flatMap((field, index) => wideField(field, index, template))
    .filter(({ name, changes }) => ![name, ...Object.keys(changes)].some(isLeftOut));
  // What changes nothing but itself comes first, so that the one body has as much as possible.
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
      into = { fields: [], body: template };
      bodies.push(into);
    }
    into.fields.push(one);
    into.body = { ...into.body, ...one.changes };
  }
  return bodies.map(({ fields: own, body }) => ({ template, fields: own, body }));
}
