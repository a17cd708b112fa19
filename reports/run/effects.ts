import { grouped } from '../../contracts/grouped.ts';
import type { PlannedEffect, PlannedEffects } from '../../contracts/report/journal.ts';
import { counted, entry, type Line, proseWidth, wrapped } from '../text/page.ts';

/** So many names of one kind are shown. */
const mostNames = 4;

/** The entities of one kind to which the same happens, in words. */
function entitiesText([first, ...others]: readonly PlannedEffect[]): string {
  if (first === undefined) return '';
  const names = [first, ...others].flatMap(({ id }) => id ?? []);
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return names.length === 0 ? first.kind : `${first.kind} ${names.slice(0, mostNames).join(', ')}${more}`;
}

/** Each kind of effect: the label of its line, and its entities in words. */
// biome-ignore format: a table
const kinds: readonly (readonly [PlannedEffect['effect'], string, (own: readonly PlannedEffect[]) => string])[] = [
  ['changed-for-good', 'will change', own => `for good: ${phrases(own, alike => `${entitiesText(alike)} (${alike[0]?.what})`)}`],
  ['created',          'will create', own => `at most ${phrases(own, alike => counted(alike[0]?.most ?? 0, alike[0]?.kind ?? ''))}`],
  ['put-back',         'will restore', own => phrases(own, entitiesText)],
];

const phrases = (own: readonly PlannedEffect[], phrase: (alike: readonly PlannedEffect[]) => string): string =>
  [...grouped(own, ({ kind, what }) => `${kind}\n${what}`).values()].map(phrase).join('; ');

/** Returns what the run is about to do to its target: shown before the first request, so that it can be stopped. */
export function effectLines({ effects }: PlannedEffects, columns: number | undefined): Line[] {
  return kinds.flatMap(([effect, label, text]) => {
    const own = effects.filter(one => one.effect === effect);
    return own.length === 0 ? [] : entry(label, wrapped(text(own), proseWidth(columns)), 2);
  });
}
