import { isObject, type Json } from '../../contracts/json.ts';

/**
 * Stands for the name of a created entity, alone or within a longer text. Each time the body is sent, a new name
 * replaces it, with the token of the run and a number. So no two creations collide, in this run or the next, and what
 * the suite created can be recognised. Only short names (see `shortPlaceholder`) have no token, and may collide.
 */
export const namePlaceholder = 'conform_name_placeholder';

/** Stands for a name that is too short for a token: three letters or digits that differ from send to send. */
export const shortPlaceholder = 'c0n';

const radix = 36;
const shortNames = radix ** shortPlaceholder.length;

/** Returns the 32-bit FNV-1a hash of a text's UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

const isTemplate = (text: string): boolean => text === shortPlaceholder || text.includes(namePlaceholder);

/** Returns the beginning of all names of a run. */
const startOf = (token: string): string => `conform_${token}_`;

/** The token of a run, in the names and texts that the run made up. */
const marked = /conform[-_ ]([0-9a-f]{8})[-_ ]/gi;

/** Returns the tokens of runs whose marks stand in a value. */
export function marksIn(value: unknown): ReadonlySet<string> {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return new Set([...text.matchAll(marked)].map(([, token = '']) => token.toLowerCase()));
}

/**
 * Returns a new name. Alone it is `conform_TOKEN_NUMBER`; within a text it is as long as the placeholder, if possible.
 */
function named(text: string, token: string, number: number): string {
  if (text === shortPlaceholder)
    return ((hashOf(token) + number) % shortNames).toString(radix).padStart(shortPlaceholder.length, '0');
  const start = startOf(token);
  if (text === namePlaceholder) return start + number;
  return text.replace(namePlaceholder, start + String(number).padStart(namePlaceholder.length - start.length, '0'));
}

/**
 * Returns a body with new names for the placeholders among its own members, all with the same number.
 * @param nextNumber returns the next number of the run; called only if there is something to name.
 */
export function withNewNames(body: Json | undefined, token: string, nextNumber: () => number): Json | undefined {
  if (!isObject(body) || !Object.values(body).some(value => typeof value === 'string' && isTemplate(value)))
    return body;
  const templates = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && isTemplate(entry[1]),
  );
  const number = nextNumber();
  return { ...body, ...Object.fromEntries(templates.map(([member, text]) => [member, named(text, token, number)])) };
}

/** Returns a body with a placeholder for its name, if the run has made that; undefined of any other body. */
export function withPlaceholder(body: Json | undefined, token: string): Json | undefined {
  if (!isObject(body) || typeof body.name !== 'string') return undefined;
  const start = startOf(token);
  const isOfRun = body.name.startsWith(start) && /^\d+$/.test(body.name.slice(start.length));
  return isOfRun ? { ...body, name: namePlaceholder } : undefined;
}

/** `withNewNames` for a raw body, of which only one name is replaced. */
export const withNewName = (raw: string, token: string, nextNumber: () => number): string =>
  raw.includes(namePlaceholder) ? raw.replace(namePlaceholder, named(namePlaceholder, token, nextNumber())) : raw;
