import type { ObjectSchema } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { isValid } from '../../contracts/validation.ts';
import type { BodyField } from './fields.ts';
import { nodeOf, sendableBooleans, valuesAlone } from './node.ts';
import type { WideBody } from './wide-body.ts';

/** Returns the values of a closed set or of a flag that may take the place of each other; none of another field. */
function choicesOf({ schema }: BodyField): readonly Json[] {
  const node = nodeOf(schema);
  const { uncertain, semantics } = schema.annotation ?? {};
  if (uncertain !== undefined || semantics === 'guarded') return [];
  if (node.kind === 'boolean') return sendableBooleans(schema);
  return node.kind === 'enum' ? valuesAlone(node.schema).filter(value => value !== null) : [];
}

/**
 * Returns a wide body in which every closed set and every flag has the next of its values: what a service does not check
 * beside one of them alone, it may check beside another. Those that other fields need stay. Undefined if none turns.
 */
export function turnedChoices({ fields, body }: WideBody, schema: ObjectSchema): JsonObject | undefined {
  let turned = body;
  for (const { name, field } of fields) {
    const now = body[name];
    const choices = choicesOf(field);
    const next = choices[(choices.findIndex(one => same(one, now ?? null)) + 1) % choices.length];
    if (now === undefined || next === undefined || same(next, now) || isNeeded(name, now, fields)) continue;
    const made = { ...turned, [name]: next };
    if (isValid(schema, made)) turned = made;
  }
  return turned === body ? undefined : turned;
}

/** True if a field of the body brings this value along, or is brought by it: `analyticsType=bayesian`. */
const isNeeded = (name: string, value: Json, fields: WideBody['fields']): boolean =>
  fields.some(one => one.name !== name && one.changes[name] !== undefined && same(one.changes[name], value));
