import type { ReferenceKind } from '../../../contracts/dialect.ts';
import { resourceNames } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json, membersOf } from '../../../contracts/json.ts';
import { same } from '../../../contracts/pointer.ts';
import type { LearnableKind, Vocabulary } from '../../../contracts/target.ts';
import { referenceIn, references } from '../../generators/index.ts';
import { entryOf } from '../../protocol/entries.ts';
import type { LearnedReference, LearnedWord, Target } from '../../protocol/sut.ts';
import { subjectOf } from '../target.ts';
import { notSentTo } from './lessons.ts';

/** Maximum number of learned words per kind, and per entity for restricted ones. */
export const mostWords = 10;

/** Returns the identity of a word. */
export const keyOf = ({ kind, value, heldBy }: LearnedWord): string => JSON.stringify([kind, value, heldBy ?? null]);

/** Returns the entity to which an endpoint's requests about `subject` are sent, in the form of `heldBy`. */
export function holderOf(endpoint: EndpointId, subject: string | undefined): string {
  const { resource, param } = endpointRow(endpoint);
  return param === null || subject === undefined ? resourceNames[resource] : `${resourceNames[resource]} ${subject}`;
}

/** Keeps one word per person: the one with an email, if there are two. */
function withoutDoubles(words: readonly LearnedWord[]): readonly LearnedWord[] {
  const named = new Set(words.flatMap(({ value }) => ('email' in membersOf(value) ? [membersOf(value).id] : [])));
  return words.filter(({ value }) => !isObject(value) || 'email' in value || !named.has(value.id));
}

/** A word, how often answers showed it, and the sum of its places within entities. */
interface Shown {
  readonly word: LearnedWord;
  times: number;
  places: number;
}

/** Sorts the most frequent words first, then those earlier in their entities, then by text. */
const byRank = ([a, one]: readonly [string, Shown], [b, two]: readonly [string, Shown]): number =>
  two.times - one.times || one.places - two.places || (a < b ? -1 : 1);

/** A word with its position among those of its field in the entity. */
export type ShownWord = LearnedWord & { readonly place: number };

/**
 * Chooses at most `mostWords` distinct words per kind and holder. The choice does not depend on the order of lists: the
 * most frequent first, then by position and text. An entity's own words keep their order.
 */
export function chosenWords(shown: readonly ShownWord[]): readonly LearnedWord[] {
  const groups = new Map<string, Map<string, Shown>>();
  for (const { place, ...word } of shown) {
    const group = JSON.stringify([word.kind, word.heldBy ?? null]);
    const words = entryOf(groups, group, () => new Map<string, Shown>());
    const known = entryOf(words, keyOf(word), () => ({ word, times: 0, places: 0 }));
    known.times += 1;
    known.places += place;
  }
  return [...groups.values()].flatMap(words => {
    const all = [...words];
    const isHeld = all[0]?.[1].word.heldBy !== undefined;
    return withoutDoubles((isHeld ? all : all.sort(byRank)).map(([, { word }]) => word)).slice(0, mostWords);
  });
}

/** Returns a word as a reference of a kind that may be a part of it; undefined if it lacks that part. */
function referenceOf(kind: ReferenceKind, word: LearnedWord): LearnedReference | undefined {
  const value = referenceIn(kind, word.value as Json);
  return value === undefined ? undefined : { what: references[kind].what, value, word };
}

/** Returns references whose value is neither named nor found before. Most values are texts, so a set comes first. */
function withoutKnown(found: readonly LearnedReference[], named: readonly Json[]): readonly LearnedReference[] {
  const scalars = new Set<Json>(named);
  const objects = named.filter(value => typeof value === 'object');
  return found.filter(({ value }) => {
    const isObject = typeof value === 'object';
    if (isObject ? objects.some(known => same(known, value)) : scalars.has(value)) return false;
    if (isObject) objects.push(value);
    scalars.add(value);
    return true;
  });
}

/** True for kinds that are lists of the vocabulary. */
const isListed = (kind: LearnableKind): kind is LearnableKind & keyof Vocabulary =>
  !['groups', 'groupKeys', 'assignmentSources', 'identitySources'].includes(kind);

/** Returns the words that may be sent to an entity: its own and unrestricted ones, except refused ones. */
function wordsFor(
  words: readonly LearnedWord[],
  holder: string,
  isRefused: (word: LearnedWord) => boolean,
): readonly LearnedWord[] {
  const own = words.filter(({ heldBy }) => heldBy === undefined || heldBy === holder);
  const text = ({ kind, value }: LearnedWord): string => JSON.stringify([kind, value]);
  const refused = new Set(own.filter(isRefused).map(text));
  return own.filter(word => !refused.has(text(word)));
}

/**
 * Returns a target as the requests of one endpoint about one subject see it: the words of the target file first, then
 * learned ones that may be sent there.
 *
 * @param isRefused true if the target has refused a word; by default, if the word says so
 */
export function targetWith(
  target: Target,
  words: readonly LearnedWord[],
  endpoint: EndpointId,
  subject = subjectOf(target, endpoint),
  isRefused: (word: LearnedWord) => boolean = ({ refusedBy }) => refusedBy !== undefined,
): Target {
  const without = notSentTo[endpointRow(endpoint).resource] ?? [];
  const own = wordsFor(words, holderOf(endpoint, subject), isRefused);
  if (own.length === 0) return target;
  // Cached per kind, because every node of every body asks for it.
  const byKind = new Map<ReferenceKind, readonly LearnedReference[]>();
  const learned = (kind: ReferenceKind): readonly LearnedReference[] =>
    entryOf(byKind, kind, () => {
      const of = without.includes(kind) ? null : references[kind].learned;
      const found = own.flatMap(word => (word.kind === of ? (referenceOf(kind, word) ?? []) : []));
      return withoutKnown(found, target.references(kind));
    });
  const vocabulary: Record<string, unknown> = { ...target.vocabulary };
  for (const { kind, value } of own) {
    const before = (vocabulary[kind] as readonly Json[] | undefined) ?? [];
    if (isListed(kind) && !before.some(known => same(known, value))) vocabulary[kind] = [...before, value];
  }
  const allByKind = new Map<ReferenceKind, readonly Json[]>();
  const all = (kind: ReferenceKind): readonly Json[] =>
    entryOf(allByKind, kind, () => [...target.references(kind), ...learned(kind).map(({ value }) => value)]);
  return { ...target, vocabulary: vocabulary as Vocabulary, learned, references: all };
}
