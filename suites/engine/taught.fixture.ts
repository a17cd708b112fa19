import type { Learned } from '../../contracts/report/journal.ts';
import type { LearnableKind, TargetFile } from '../../contracts/target.ts';
import { allUnits } from '../checks/units.ts';
import type { WireRequest } from '../protocol/reply.ts';
import type { LearnedWord } from '../protocol/sut.ts';
import { learn } from './learn.ts';
import { type Answers, type DoubleOptions, runDouble } from './run.fixture.ts';
import type { Snapshot } from './snapshot.ts';

/** A snapshot in which nothing was read. */
export const nothingRead: Snapshot = { entities: new Map(), overwritten: new Map(), qualifyingEvents: new Map() };

/** A target file that has only fixtures. */
export const file: TargetFile = {
  fixtures: {
    gates: ['a_gate', 'another_gate'],
    dynamicConfigs: ['a_config'],
    experiments: [{ id: 'an_experiment', groups: ['Control', 'Test'] }],
    qualifyingEvents: ['a_source'],
    events: ['an_event'],
    environments: [
      { name: 'production', isProduction: true },
      { name: 'development', isProduction: false },
      { name: 'of a kind that nobody told' },
    ],
  },
};

/** Returns a list on one page. */
export const listed = (data: readonly unknown[]) => ({
  message: '',
  data,
  pagination: {
    itemsPerPage: 100,
    pageNumber: 1,
    totalItems: data.length,
    nextPage: null,
    previousPage: null,
    all: '',
  },
});

/** Returns a metric source with one unit type. */
export const source = (name: unknown, idType: unknown, more: object = {}) => ({
  name,
  timestampColumn: 'ts',
  idTypeMapping: [{ serviceUnitID: idType, column: 'user_id' }],
  ...more,
});

/** Returns answers chosen by the end of the path; other paths get an empty list. */
export const answering =
  (answers: Readonly<Record<string, (request: WireRequest) => unknown>>): Answers =>
  request => {
    const path = request.path.split('?')[0] ?? '';
    const found = Object.entries(answers).find(([end]) => path.endsWith(end));
    return { value: found === undefined ? listed([]) : found[1](request) };
  };

/** The words that a run learned, its `learned` events and its requests. */
interface Taught {
  readonly words: readonly LearnedWord[];
  readonly events: readonly Learned[];
  readonly sent: readonly string[];
  of(kind: LearnableKind): readonly unknown[];
}

/** Learns as a run does whose unit ids begin with `only`. */
export async function taught(double: DoubleOptions, snapshot: Snapshot = nothingRead, only = ''): Promise<Taught> {
  const run = runDouble({ file, ...double });
  const units = allUnits().filter(({ id }) => id.startsWith(only));
  const words = await learn({ ...run, units }, snapshot);
  const events = run.events.flatMap(event => (event.event === 'learned' ? [event] : []));
  return { words, events, sent: run.sent, of: kind => words.flatMap(word => (word.kind === kind ? [word.value] : [])) };
}
