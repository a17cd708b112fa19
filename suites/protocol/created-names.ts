import { isObject, type Json } from '../../contracts/json.ts';

/**
 * Stands for the name of a created entity, alone or as a part of a text that has to be of some length or to have some
 * characters. When the body is sent, a new name takes its place each time, with the token of the run and a number: no
 * two creations collide, in this run or the next, and everything that the suite created can be recognised.
 */
export const namePlaceholder = 'conform_name_placeholder';

/** Stands for a name that is too short for a token: three letters and digits, which differ from send to send. */
export const shortPlaceholder = 'c0n';

const radix = 36;
const shortNames = radix ** shortPlaceholder.length;

/** FNV-1a over the UTF-16 units of a text, as a number of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

const isTemplate = (text: string): boolean => text === shortPlaceholder || text.includes(namePlaceholder);

/** A new name. Alone it is `conform_TOKEN_NUMBER`; in a longer text it is as long as the placeholder, where it fits. */
function named(text: string, token: string, number: number): string {
  if (text === shortPlaceholder)
    return ((hashOf(token) + number) % shortNames).toString(radix).padStart(shortPlaceholder.length, '0');
  const start = `conform_${token}_`;
  if (text === namePlaceholder) return start + number;
  return text.replace(namePlaceholder, start + String(number).padStart(namePlaceholder.length - start.length, '0'));
}

/**
 * A body with new names in the place of the placeholders among its own members; all of one body have the same number.
 * @param nextNumber the next number of the run; asked for only where there is something to name.
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

/** The same of a body that is sent as it is, of which only a name alone is replaced. */
export const withNewName = (raw: string, token: string, nextNumber: () => number): string =>
  raw.includes(namePlaceholder) ? raw.replace(namePlaceholder, named(namePlaceholder, token, nextNumber())) : raw;
