import { type Naming, specificationNaming } from '../../contracts/target.ts';

/** Translates between the names of the specification and those of the target, at the client's edge. */
export interface Translation {
  /** A request value in the specification's names → as the target wants it. */
  toTarget(value: unknown): unknown;
  /** An answer of the target → in the specification's names. */
  fromTarget(value: unknown): unknown;
}

type Pairs = readonly (readonly [from: string, to: string])[];

function rename(value: unknown, keys: Pairs, texts: Pairs): unknown {
  if (typeof value === 'string') {
    let text = value;
    for (const [from, to] of texts) if (text.includes(from)) text = text.split(from).join(to);
    return text;
  }
  if (Array.isArray(value)) return value.map(item => rename(item, keys, texts));
  if (value === null || typeof value !== 'object') return value;
  const renamed: [string, unknown][] = Object.entries(value).map(([key, member]) => [
    keys.find(([from]) => from === key)?.[1] ?? key,
    rename(member, keys, texts),
  ]);
  // Through entries, never by assignment: a member called __proto__ must stay a member.
  return Object.fromEntries(renamed);
}

/**
 * The translation for a target's naming (the unit-id field and the two SQL placeholders; the header is the client's own business).
 * A target that uses the specification's names costs nothing: values pass untouched.
 */
export function translationFor(naming: Naming): Translation {
  const keys: Pairs =
    naming.unitIdField === specificationNaming.unitIdField
      ? []
      : [[specificationNaming.unitIdField, naming.unitIdField]];
  const texts: Pairs = (['startDatePlaceholder', 'endDatePlaceholder'] as const)
    .filter(name => naming[name] !== specificationNaming[name])
    .map(name => [specificationNaming[name], naming[name]] as const);
  if (keys.length === 0 && texts.length === 0) return { toTarget: value => value, fromTarget: value => value };
  const back = (pairs: Pairs): Pairs => pairs.map(([from, to]) => [to, from] as const);
  return {
    toTarget: value => rename(value, keys, texts),
    fromTarget: value => rename(value, back(keys), back(texts)),
  };
}
