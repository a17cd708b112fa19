import type { NumberSchema, Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { type Node, nodeOf, takesNull } from './node.ts';
import { inRange, isWhole } from './numbers.ts';

/** A wrong value and what is wrong with it. */
export type Wrong = readonly [what: string, sent: Json];

/**
 * Returns values of another JSON type than the schema's, the likeliest confusions first, and null if undocumented.
 * @param brief only the likeliest confusion and null, as for nested values.
 */
export function wrongTypes(schema: Schema, valid: Json, brief: boolean): Wrong[] {
  const node = nodeOf(schema);
  const all = confusions(node, valid);
  const nulls: Wrong[] = takesNull(schema) || node.kind === 'any' ? [] : [['null', null]];
  return [...(brief ? all.slice(0, isWhole(schema) ? 2 : 1) : all), ...nulls];
}

/** The confusions that do not depend on the schema or on the right value. */
// biome-ignore format: a table
const fixed: Partial<Record<Node['kind'], readonly Wrong[]>> = {
  null:    [['a text for null', 'null']],
  boolean: [['1 for a boolean', 1], ['0 for a boolean', 0], ['a text for a boolean', 'true']],
  object:  [['an array for an object', []], ['a text for an object', 'text'], ['a number for an object', 1]],
};

function confusions(node: Node, valid: Json): readonly Wrong[] {
  switch (node.kind) {
    case 'enum':
    case 'const': {
      const members: readonly Json[] = node.kind === 'enum' ? node.schema.enum : [node.schema.const];
      const wrong: Wrong[] = [
        ['a number for one of a set', numeric(members) ?? 0],
        ['an array for one of a set', [members[0] ?? null]],
        ['a boolean for one of a set', true],
      ];
      return wrong.filter(([, sent]) => !members.includes(sent));
    }
    case 'string':
      return [
        ['a number for a text', 12345],
        ['a boolean for a text', true],
        ['an array for a text', [valid]],
        ['an object for a text', {}],
      ];
    case 'number': {
      const text: Wrong = ['a text for a number', String(valid ?? 1)];
      const fraction = typeof valid === 'number' && isWhole(node.schema) ? fractionNear(valid, node.schema) : [];
      return [text, ...fraction, ['a boolean for a number', true], ['an array for a number', [valid]]];
    }
    case 'array': {
      // A service that makes a list of a single item knows this one.
      const [item] = Array.isArray(valid) ? valid : [];
      const text = typeof item === 'string' ? item : 'text';
      return [
        ['an object for an array', {}],
        ['a text for an array', text],
        ['a number for an array', 1],
      ];
    }
    default:
      return fixed[node.kind] ?? [];
  }
}

/** Returns a fraction that rounds to the number, within the bounds if possible. */
function fractionNear(whole: number, bounds: NumberSchema): Wrong[] {
  const found = [whole + 0.5, whole - 0.5].filter(value => !Number.isInteger(value));
  const fraction = found.find(value => inRange(bounds, value, false)) ?? found[0];
  return fraction === undefined ? [] : [['a fraction for an integer', fraction]];
}

/** Returns the first member of a set that reads as a number ("80"), as a number. */
function numeric(members: readonly Json[]): number | undefined {
  const text = members.find(member => typeof member === 'string' && /^\d+$/.test(member));
  return text === undefined ? undefined : Number(text);
}
