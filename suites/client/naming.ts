import { isObject } from '../../contracts/json.ts';
import { type Naming, specificationNaming } from '../../contracts/target.ts';

/** Translates between the names of the specification and those of the target, at the client's edge. */
export interface Translation {
  /** Translates a request value from the specification's names to the target's. */
  toTarget(value: unknown): unknown;
  /** Translates an answer from the target's names to the specification's. */
  fromTarget(value: unknown): unknown;
}

/** Maps old names to new ones. */
type Names = ReadonlyMap<string, string>;

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns a pattern for any of the names; longer ones first, so that a name within another does not match. */
const anyOf = (names: Names): RegExp =>
  new RegExp(
    [...names.keys()]
      .sort((a, b) => b.length - a.length)
      .map(literal)
      .join('|'),
    'g',
  );

function rename(value: unknown, keys: Names, texts: Names, text: RegExp): unknown {
  // Replace in one pass, because names may swap.
  if (typeof value === 'string') return texts.size === 0 ? value : value.replace(text, from => texts.get(from) ?? from);
  if (Array.isArray(value)) return value.map(item => rename(item, keys, texts, text));
  if (!isObject(value)) return value;
  const renamed: [string, unknown][] = Object.entries(value).map(([key, member]) => [
    keys.get(key) ?? key,
    rename(member, keys, texts, text),
  ]);
  // Use entries, not assignment: a member called __proto__ must stay a member.
  return Object.fromEntries(renamed);
}

/**
 * Returns the translation for a target's naming: the unit-id field and the two SQL placeholders (the session sets the
 * header). If nothing differs, values pass untouched.
 */
export function translationFor(naming: Naming): Translation {
  const differing = (names: readonly (keyof Naming)[]): [string, string][] =>
    names
      .filter(name => naming[name] !== specificationNaming[name])
      .map(name => [specificationNaming[name], naming[name]]);
  const keys = differing(['unitIdField']);
  const texts = differing(['startDatePlaceholder', 'endDatePlaceholder']);
  if (keys.length === 0 && texts.length === 0) return { toTarget: value => value, fromTarget: value => value };
  const renaming = (turn: (pair: [string, string]) => [string, string]) => {
    const [keyNames, textNames] = [new Map(keys.map(turn)), new Map(texts.map(turn))];
    const pattern = anyOf(textNames);
    return (value: unknown) => rename(value, keyNames, textNames, pattern);
  };
  return { toTarget: renaming(pair => pair), fromTarget: renaming(([ours, theirs]) => [theirs, ours]) };
}
