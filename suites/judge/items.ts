import { type Endpoint, type Resource, resourceNames } from '../../contracts/endpoint.ts';
import { canonicalJson, membersOf } from '../../contracts/json.ts';
import { inWords } from './words.ts';

/** True if every item has an identity. */
export const haveIdentity = (items: readonly unknown[], { itemKey }: Endpoint): boolean =>
  itemKey.length > 0 && items.every(item => itemKey.every(field => (membersOf(item)[field] ?? null) !== null));

/** Returns an item's key: its identity, or else all documented members, since other members may vary by answer. */
export function keyOf(item: unknown, row: Endpoint): string {
  const fields = haveIdentity([item], row) ? row.itemKey : Object.keys(row.data.properties ?? {});
  return canonicalJson(fields.map(field => membersOf(item)[field] ?? null));
}

/**
 * The kinds of which two different items may have one key: the specification does not say how a version counts on
 * (section 9), nor that no two metrics have one name and type (section 2.7).
 */
const mayShareKeys: readonly Resource[] = ['config-version', 'metric'];

/** Returns what two items have in common only if they are one item: the key, and if that may be shared, all members. */
export function copyKeyOf(item: unknown, row: Endpoint): string {
  if (!mayShareKeys.includes(row.resource)) return keyOf(item, row);
  const fields = [...row.itemKey, ...Object.keys(row.data.properties ?? {})];
  return canonicalJson(fields.map(field => membersOf(item)[field] ?? null));
}

/** Returns an item in words, by its key: `version 9`, `the metric "x"`. */
export function itemInWords(key: string, { resource }: Endpoint): string {
  const [id] = partsOf(key);
  if (id === undefined) return `one ${resourceNames[resource]}`;
  return resource === 'config-version' ? `version ${inWords(id)}` : `the ${resourceNames[resource]} ${inWords(id)}`;
}

/** Returns the values that make up a key; none if only a digest of the key is kept. */
function partsOf(key: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Returns the first key that comes a second time; undefined if none does. */
export function repeatedIn(keys: readonly string[]): string | undefined {
  const met = new Set<string>();
  return keys.find(key => met.size === met.add(key).size);
}
