import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';

/** One way in which what came back is not what was sent. */
export interface Mismatch {
  readonly pointer: string;
  /**
   * `soft`: only order, letter case, duplicates or white space at the ends differ. `type`: another JSON type, which the schema of the answer judges
   * wherever it documents one.
   */
  readonly kind: 'wrong' | 'missing' | 'soft' | 'order' | 'free-form' | 'type';
  readonly sent: unknown;
  readonly got: unknown;
}

type ObjectValue = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is ObjectValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (value: ObjectValue, key: string): boolean => Object.hasOwn(value, key);

const member = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`;

function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> | undefined {
  if (schema === undefined) return undefined;
  if ('anyOf' in schema && schema.anyOf !== undefined) {
    return schema.anyOf.map(branch => propertiesOf(branch)).find(found => found !== undefined);
  }
  return 'properties' in schema ? schema.properties : undefined;
}

const itemsOf = (schema: Schema | undefined): Schema | undefined =>
  schema !== undefined && 'items' in schema ? schema.items : undefined;

/** Equal as JSON values: numbers as numbers (RFC 8259 has no negative zero worth telling from zero), members in any order. */
function same(sent: unknown, got: unknown): boolean {
  if (Array.isArray(sent)) {
    return Array.isArray(got) && sent.length === got.length && sent.every((item, index) => same(item, got[index]));
  }
  if (!isObject(sent)) return sent === got;
  if (!isObject(got)) return false;
  const keys = Object.keys(sent);
  return keys.length === Object.keys(got).length && keys.every(key => own(got, key) && same(sent[key], got[key]));
}

/** A null is a value of its own (it may be documented beside the type); any other type is the schema's business. */
const otherType = (sent: Json, got: unknown, pointer: string): Mismatch => ({
  pointer,
  kind: got === null || sent === null ? 'wrong' : 'type',
  sent,
  got,
});

/** What a check of state accuses: neither what is SHOULD only nor what the schema of the answer judges. */
export const isWrongState = ({ kind }: Mismatch): boolean => kind !== 'soft' && kind !== 'type';

/** A list in any order: elements that agree are struck out pairwise. */
function sameElements(sent: readonly Json[], got: readonly unknown[], items: Schema | undefined): boolean {
  if (sent.length !== got.length) return false;
  const left = [...got];
  return sent.every(item => {
    const at = left.findIndex(other => compareEcho(item, other, items, '').length === 0);
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}

const folded = (list: readonly unknown[]): string =>
  JSON.stringify([...new Set(list.map(item => String(item).trim().toLowerCase()))].sort());

/** A text or a list of texts as a set: `a,b`, `["a","b"]` and `["b","a"]` say the same. */
const asSet = (value: unknown): string =>
  folded((Array.isArray(value) ? value : String(value).split(',')).filter(item => String(item).trim() !== ''));

function compareLists(
  sent: readonly Json[],
  got: readonly unknown[],
  schema: Schema | undefined,
  pointer: string,
): Mismatch[] {
  const how = schema?.annotation?.compare;
  if (same(sent, got)) return [];
  if (how === 'tags') {
    return [{ pointer, kind: folded(sent) === folded(got) ? 'soft' : 'wrong', sent, got }];
  }
  if (sent.length !== got.length) return [{ pointer, kind: 'wrong', sent, got }];
  const mismatches = sent.flatMap((item, index) =>
    compareEcho(item, got[index], itemsOf(schema), member(pointer, index)),
  );
  if (mismatches.some(({ kind }) => kind !== 'soft') && sameElements(sent, got, itemsOf(schema))) {
    return [{ pointer, kind: how === 'unordered' ? 'soft' : 'order', sent, got }];
  }
  return mismatches;
}

/**
 * Compares a sent value with the one that came back (undefined: absent), guided by the schema of the request: objects with documented members by the members that were
 * sent, free-form objects and lists as a whole, texts code point for code point, numbers as numbers. Returns every difference with its place.
 */
export function compareEcho(sent: Json, got: unknown, schema: Schema | undefined, pointer: string): Mismatch[] {
  const how = schema?.annotation?.compare;
  if (how === 'never') return [];
  if (got === undefined) return sent === null ? [] : [{ pointer, kind: 'missing', sent, got }];
  if (how === 'faithful') return asSet(sent) === asSet(got) ? [] : [{ pointer, kind: 'wrong', sent, got }];
  if (Array.isArray(sent)) {
    if (!Array.isArray(got)) return [otherType(sent, got, pointer)];
    return compareLists(sent, got, schema, pointer);
  }
  if (isObject(sent)) {
    if (!isObject(got)) return [otherType(sent, got, pointer)];
    const properties = propertiesOf(schema);
    if (properties === undefined) {
      return same(sent, got) ? [] : [{ pointer, kind: 'free-form', sent, got }];
    }
    return Object.entries(sent)
      .filter(([key]) => own(properties, key))
      .flatMap(([key, value]) =>
        compareEcho(value, own(got, key) ? got[key] : undefined, properties[key], member(pointer, key)),
      );
  }
  if (sent === got) return [];
  if (typeof sent !== typeof got || got === null) return [otherType(sent, got, pointer)];
  const soft = typeof sent === 'string' && typeof got === 'string' && sent.trim() === got.trim();
  return [{ pointer, kind: soft ? 'soft' : 'wrong', sent, got }];
}
