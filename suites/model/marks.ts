import type { Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { propertiesOf } from '../judge/compared.ts';
import { entryOf } from '../protocol/entries.ts';
import type { ModelOptions } from './exchange.ts';
import type { Write } from './knowledge.ts';

/** Texts that our own requests made up: nobody else can have put such a text into an answer. */
export type Marks = ReturnType<typeof createMarks>;

/** Minimum length of a mark: shorter texts may be anybody's. */
const shortest = 6;

/** True if a text proves its origin: common words are short and have no digits. */
const isTelling = (text: string): boolean => text.length >= 12 || /\d/.test(text);

/** Yields the freely chosen texts in a value: no names of existing things, no members of closed sets. */
function* madeUp(value: unknown, schema: Schema | undefined): Generator<string> {
  const { semantics = 'plain', refersTo } = schema?.annotation ?? {};
  if (semantics !== 'plain' || refersTo !== undefined || schema?.enum !== undefined) return;
  if (typeof value === 'string') {
    if (value.length >= shortest) yield value;
  } else if (Array.isArray(value)) for (const item of value) yield* madeUp(item, schema?.items);
  else if (isObject(value)) {
    const properties = propertiesOf(schema);
    for (const [name, member] of Object.entries(value)) yield* madeUp(member, properties?.[name]);
  }
}

/** Yields every text in a value. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (isObject(value)) for (const member of Object.values(value)) yield* textsIn(member);
}

/** How long a generation of texts lasts, in milliseconds. */
const generationMs = 600_000;

/**
 * Creates an empty set of marks. If others choose the values, no text proves its origin. If values come from a seed, an
 * earlier run may have left the same ones, so only the token proves it.
 */
export function createMarks({ isWatching = false, isSeeded = false, token }: Partial<ModelOptions> = {}) {
  const isProof = (text: string): boolean =>
    isSeeded && token !== undefined ? text.includes(token) : !isWatching && isTelling(text);
  const sent = new Map<string, Write[]>();
  /** Texts that answers showed first, in two generations: each goes with the older one, even if it is still shown. */
  let foreign = new Set<string>();
  let older = new Set<string>();
  let sinceMs = Number.NEGATIVE_INFINITY;
  const origins = (value: unknown): readonly Write[] => [...textsIn(value)].flatMap(text => sent.get(text) ?? []);
  return {
    /** Records the texts that a write sends. */
    send(write: Write, body: Schema | undefined): void {
      const properties = body?.properties;
      for (const [name, value] of Object.entries(write.fields ?? {}))
        for (const text of madeUp(value, properties?.[name]))
          if (!foreign.has(text) && !older.has(text)) entryOf(sent, text, () => []).push(write);
    },
    /** Records texts that an answer showed before we sent them: those are no marks. */
    show(value: unknown): void {
      for (const text of textsIn(value)) if (!sent.has(text)) foreign.add(text);
    },
    /** Returns the writes that made up a text in a value; empty if the value may be anybody's. */
    origins,
    /** True if one of our requests made up the value as a whole. */
    isOurs(value: unknown): boolean {
      if (![...textsIn(value)].some(isProof)) return false;
      if (typeof value === 'string') return sent.has(value);
      return origins(value).some(({ fields = {} }) => Object.values(fields).some(own => same(own, value as Json)));
    },
    /** Forgets the texts that were sent before. */
    forget(beforeMs: number): void {
      if (beforeMs > sinceMs) {
        older = foreign;
        foreign = new Set();
        sinceMs = beforeMs + generationMs;
      }
      for (const [text, writes] of sent) {
        const kept = writes.filter(({ begun }) => begun.ms >= beforeMs);
        if (kept.length === 0) sent.delete(text);
        else sent.set(text, kept);
      }
    },
    size: (): number => [...sent.values()].flat().length + foreign.size + older.size,
  };
}
