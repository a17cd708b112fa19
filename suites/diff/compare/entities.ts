import { endpointRow } from '../../../contracts/endpoints.ts';
import type { Members } from '../../../contracts/json.ts';
import { membersOf } from '../../../contracts/json.ts';
import { join } from '../../../contracts/pointer.ts';
import type { AlignedPair } from '../align/align.ts';
import type { Counterparts } from '../align/counterparts.ts';
import { anyPosition, type Found, type Located, located } from './located.ts';
import type { Origins } from './origins.ts';
import { compareValues } from './values.ts';

/** What entities are compared with. */
export interface EntitiesInput {
  readonly counterparts: Counterparts;
  readonly originsA: ReadonlyMap<string, Origins>;
  readonly originsB: ReadonlyMap<string, Origins>;
  /** Both were reset or seeded alike. */
  readonly sameStart: boolean;
  /** Both are of one server: what moves by itself is looked for, whoever wrote before. */
  readonly isSelf: boolean;
}

/** Two answers to the same request. */
export type AnsweredPair = Pick<AlignedPair, 'a' | 'b' | 'isApart'>;

/** Compares two entities member by member, each as far as its origin allows. */
export function compareEntities(
  { a, b, isApart }: AnsweredPair,
  ofA: Members,
  ofB: Members,
  pointer: string,
  { counterparts, originsA, originsB, sameStart, isSelf }: EntitiesInput,
): Found {
  const row = endpointRow(a.endpoint);
  const schema = 'properties' in row.data ? row.data.properties : undefined;
  const origins = { a: originsA.get(`${a.id} ${pointer}`), b: originsB.get(`${b.id} ${pointer}`) };
  const sent = { a: membersOf(a.request.body), b: membersOf(b.request.body) };
  const bodies = { a: sent.a, b: sent.b, shown: undefined, asked: row.body ?? undefined, name: '' };
  const isSentAlike = (): boolean =>
    counterparts.tentatively(() => compareValues(counterparts, bodies, '').length === 0);
  const differences: Located[] = [];
  const start: string[] = [];
  for (const name of new Set([...Object.keys(ofA), ...Object.keys(ofB)])) {
    const place = join(pointer, name);
    const both = {
      a: ofA[name],
      b: ofB[name],
      sentA: sent.a[name],
      sentB: sent.b[name],
      shown: schema?.[name],
      asked: row.body?.properties?.[name],
      name,
      entity: `${row.resource} ${a.request.param ?? ''}`,
    };
    const found = compareValues(counterparts, both, place);
    if (name === 'version' && !isApart) differences.push(...versionDifference(origins, place));
    if (found.length === 0) continue;
    const from = [origins.a?.of(name) ?? 'start', origins.b?.of(name) ?? 'start'];
    const isOfStart = from.every(origin => origin === 'start');
    const isSent = both.sentA !== undefined || both.sentB !== undefined;
    // What comes of requests that differ, by the names that each target has, differs too; so may what comes of others.
    const isOfOthers = from.includes('sequel') || !(isSent || isSentAlike());
    const isLeft = isApart || from.includes('left') || (!isSelf && isOfOthers);
    // What another case wrote, and one server alone took, is there at that one alone.
    if (isLeft && origins.a?.isTaken(name) !== origins.b?.isTaken(name)) continue;
    // Cases overlap, so which of the values that both runs wrote is there may differ.
    if (isLeft && origins.a?.isKnown(name, ofA[name]) && origins.b?.isKnown(name, ofB[name])) continue;
    if (isLeft || (isOfStart && !sameStart)) {
      const isShape = (one: Located): boolean => one.aspect === 'presence' || one.aspect === 'type';
      const shapes = found.filter(one => isShape(one) && one.pointer === anyPosition(place));
      differences.push(...shapes);
      if (!isLeft && shapes.length === 0) start.push(anyPosition(place));
    } else differences.push(...found);
  }
  return { differences, start };
}

/** By how much each side counts the version on, where both count. */
function versionDifference(
  { a, b }: { readonly a: Origins | undefined; readonly b: Origins | undefined },
  pointer: string,
): Located[] {
  const [one, other] = [a?.versionStep, b?.versionStep];
  if (one === undefined || other === undefined || one === other) return [];
  const inSteps = (step: number): string => (step === 0 ? 'it stays' : `it goes on by ${step}`);
  return [located(pointer, 'value', inSteps(one), inSteps(other))];
}
