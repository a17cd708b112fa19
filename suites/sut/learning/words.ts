import type { ReferenceKind } from '../../../contracts/dialect.ts';
import { resourceNames } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json, membersOf } from '../../../contracts/json.ts';
import { same } from '../../../contracts/pointer.ts';
import type { LearnableKind, Vocabulary } from '../../../contracts/target.ts';
import { referenceIn, references } from '../../generators/index.ts';
import { entryOf } from '../../protocol/entries.ts';
import type { LearnedReference, LearnedWord, Target } from '../../protocol/sut.ts';
import { notSentTo } from './lessons.ts';

/** So many words of a kind are learned at most, of each entity that holds its own. */
export const mostWords = 10;

/** What tells a word from another. */
export const keyOf = ({ kind, value, heldBy }: LearnedWord): string => JSON.stringify([kind, value, heldBy ?? null]);

/** The entity that an endpoint's requests about `subject` are sent to, as `heldBy` names it. */
export function holderOf(endpoint: EndpointId, subject: string | undefined): string {
  const { resource, param } = endpointRow(endpoint);
  return param === null || subject === undefined ? resourceNames[resource] : `${resourceNames[resource]} ${subject}`;
}

/** One word for each person: the one that has an email, where there are two. */
function withoutDoubles(words: readonly LearnedWord[]): readonly LearnedWord[] {
  const named = new Set(words.flatMap(({ value }) => ('email' in membersOf(value) ? [membersOf(value).id] : [])));
  return words.filter(({ value }) => !isObject(value) || 'email' in value || !named.has(value.id));
}

/** A word, how often answers showed it, and the sum of its places among the words of one entity. */
interface Shown {
  readonly word: LearnedWord;
  times: number;
  places: number;
}

/** The most frequent first; then what stood first in its entity more often; then by the text. */
const byRank = ([a, one]: readonly [string, Shown], [b, two]: readonly [string, Shown]): number =>
  two.times - one.times || one.places - two.places || (a < b ? -1 : 1);

/** A word as an answer showed it: the how-manieth of its kind in its entity. */
export type ShownWord = LearnedWord & { readonly place: number };

/**
 * Chooses among the words that answers showed, at most `mostWords` of a kind and holder, each once, by a rule that does
 * not depend on the order of a list: the most frequent first, then by their text. What an entity holds itself keeps its
 * order.
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

/** A word as a reference of a kind that may be a part of it; undefined where it lacks that part. */
function referenceOf(kind: ReferenceKind, word: LearnedWord): LearnedReference | undefined {
  const value = referenceIn(kind, word.value as Json);
  return value === undefined ? undefined : { what: references[kind].what, value, word };
}

/** References whose value is neither among those named nor that of an earlier one. Most values are texts. */
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

/** The lists of the vocabulary that words can be added to. */
const isListed = (kind: LearnableKind): kind is LearnableKind & keyof Vocabulary =>
  !['groups', 'groupKeys', 'assignmentSources', 'identitySources'].includes(kind);

/** The words that may be sent to an entity: its own and nobody's, without those that it has refused. */
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
 * A target as the requests of one endpoint about one subject see it: the words of the target file first, then those
 * that were learned and may be sent there.
 *
 * @param isRefused whether the target has refused a word; absent: where it says so
 */
export function targetWith(
  target: Target,
  words: readonly LearnedWord[],
  endpoint: EndpointId,
  subject: string | undefined,
  isRefused: (word: LearnedWord) => boolean = ({ refusedBy }) => refusedBy !== undefined,
): Target {
  const without = notSentTo[endpointRow(endpoint).resource] ?? [];
  const own = wordsFor(words, holderOf(endpoint, subject), isRefused);
  if (own.length === 0) return target;
  // Asked for at every node of every body: what there is of a kind is found out once.
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
    if (isListed(kind) && !before.some(known => same(known, value as Json))) vocabulary[kind] = [...before, value];
  }
  const allByKind = new Map<ReferenceKind, readonly Json[]>();
  const all = (kind: ReferenceKind): readonly Json[] =>
    entryOf(allByKind, kind, () => [...target.references(kind), ...learned(kind).map(({ value }) => value)]);
  return { ...target, vocabulary: vocabulary as Vocabulary, learned, references: all };
}
