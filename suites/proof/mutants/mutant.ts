import { allMutants, type Described, productionFiles, sampled } from '../../../tools/mutate/sample.ts';
import { seedOf } from '../../generators/seed.ts';
import { type AnswerMutant, answerMutants, answerTitle } from './answers.ts';
import { type Change, type ServerName, servers } from './changes.ts';
import { nameOf } from './places.ts';
import { type RequestMutant, requestMutants, requestTitle } from './requests.ts';

/** A server with one change. */
export type Mutant = Change & {
  /** Stable as long as the place exists. */
  readonly id: string;
  readonly server: ServerName;
  /** What the server does, or the change of its source. */
  readonly title: string;
};

/** The mutated sources of each server: its behaviour, its storage, and how it reads and sends. */
// biome-ignore format: a table
const sources: Readonly<Record<ServerName, readonly string[]>> = {
  reference: ['reference-server/{handlers,api,experiment}/*.ts', 'reference-server/store/memory.ts', 'reference-server/http/{admission,naming,read-body,routes,send}.ts'],
  independent: ['suites/proof/independent/{bodies,experiment-body,incoming,lists,measures,metric-body,outcome,outgoing,routes,seed,server,state,switches,trials}.ts'],
};

const isOfTests = (file: string): boolean => /\.(test|fixture)\.ts$/.test(file);

/** Every mutant of a server's sources. */
export const sourceMutants = (server: ServerName): readonly Described[] =>
  allMutants(productionFiles(sources[server], isOfTests));

/** Picks `count` items by a seed: the operators in turn, then one of their operations, then one of its places. */
function spread<T extends AnswerMutant | RequestMutant>(all: readonly T[], count: number, seed: number, salt: string) {
  const left = new Map<string, Map<string, T[]>>();
  for (const one of all) {
    const own = left.get(one.operator) ?? new Map<string, T[]>();
    own.set(one.endpoint, [...(own.get(one.endpoint) ?? []), one]);
    left.set(one.operator, own);
  }
  const drawn = <V>(list: readonly V[], ...parts: readonly string[]): V =>
    list[(seedOf(seed, salt, ...parts) >>> 0) % list.length] as V;
  const picked: T[] = [];
  for (let turn = 0; picked.length < count && left.size > 0; turn += 1) {
    const operators = [...left.keys()];
    const operator = operators[turn % operators.length] as string;
    const own = left.get(operator) as Map<string, T[]>;
    const endpoint = drawn([...own.keys()], operator, `${turn}`);
    const places = own.get(endpoint) as T[];
    const one = drawn(places, operator, endpoint, `${turn}`);
    picked.push(one);
    places.splice(places.indexOf(one), 1);
    if (places.length === 0) own.delete(endpoint);
    if (own.size === 0) left.delete(operator);
  }
  return picked;
}

const placed = ({ operator, endpoint, path, value }: AnswerMutant & { readonly value?: unknown }): string =>
  `${endpoint}/${operator}/${nameOf(path)}${value === undefined ? '' : `=${JSON.stringify(value)}`}`;

/** Returns the mutant for a change of a server. */
export function mutantOf(server: ServerName, change: Change): Mutant {
  if (change.kind === 'answer')
    return { ...change, server, id: `${server}/answer/${placed(change.mutant)}`, title: answerTitle(change.mutant) };
  if (change.kind === 'request')
    return { ...change, server, id: `${server}/request/${placed(change.mutant)}`, title: requestTitle(change.mutant) };
  const { place, change: text, start } = change.mutant;
  return { ...change, server, id: `${server}/source/${place}@${start} ${text}`, title: `${place}: ${text}` };
}

/**
 * Returns a sample by seed: half from places of answers and requests, half from sources, each split between the
 * servers. Every part of the list has the same mix.
 *
 * @param differing the numbers of the mutants of answers that have an effect on a server
 */
export function sampleOf(
  seed: number,
  count: number,
  differing: (server: ServerName) => readonly number[],
): readonly Mutant[] {
  const quarter = Math.ceil(count / 4);
  const columns = servers.flatMap(server => {
    const known = new Set(differing(server));
    const shown = answerMutants().filter((_, number) => known.has(number));
    const eighth = Math.ceil(quarter / 2);
    return [
      spread(shown, eighth, seed, server).map(mutant => mutantOf(server, { kind: 'answer', mutant })),
      sampled(sourceMutants(server), quarter, seed)
        .filter((_, index) => index % 2 === 0)
        .map(mutant => mutantOf(server, { kind: 'source', mutant })),
      spread(requestMutants(), eighth, seed, server).map(mutant => mutantOf(server, { kind: 'request', mutant })),
      sampled(sourceMutants(server), quarter, seed)
        .filter((_, index) => index % 2 === 1)
        .map(mutant => mutantOf(server, { kind: 'source', mutant })),
    ];
  });
  const longest = Math.max(...columns.map(column => column.length));
  return Array.from({ length: longest }, (_, index) => columns.flatMap(column => column[index] ?? []))
    .flat()
    .slice(0, count);
}
