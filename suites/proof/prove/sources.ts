import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { type EndpointId, endpointIds } from '../../../contracts/endpoints.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { type Dialect, type Fault, faultKinds } from '../../../reference-server/index.ts';
import { allUnits, type Unit } from '../../checks/units.ts';
import { type Reach, type Root, reachOf } from './reach.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The folders that decide how single rows of a catalogue are judged: how the server differs, what is sent, and how
 * answers and state are judged. The basis of all rows (contracts, engine, client, the server itself) is left out,
 * because a change of it would make every row stale. Each `npm test` sends the noted cases of all rows anyway.
 */
export const covered: readonly string[] = [
  'reference-server/decorators',
  'reference-server/dialects',
  'reference-server/faults',
  'suites/checks',
  'suites/generators',
  'suites/judge',
  'suites/model',
  'suites/state',
  'suites/traffic',
];

/** Returns the sources of folders without types, comments and layout, by path from the root. */
export function sourcesOf(folders: readonly string[]): ReadonlyMap<string, string> {
  const files = folders.flatMap(folder =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter(path => /(?<!\.test|\.fixture)\.ts$/.test(path))
      .map(path => `${folder}/${path}`),
  );
  const { outputFiles } = buildSync({
    entryPoints: files,
    absWorkingDir: root,
    outdir: 'out',
    outbase: '.',
    write: false,
    bundle: false,
    format: 'esm',
    target: 'esnext',
    minifyWhitespace: true,
    legalComments: 'none',
  });
  return new Map(
    outputFiles.map(({ path, text }) => [
      relative(`${root}out`, path).replaceAll('\\', '/').replace(/js$/, 'ts'),
      text,
    ]),
  );
}

let read: { readonly reach: Reach; readonly files: readonly string[] } | undefined;

/** Returns the covered sources, read once. */
function coveredSources() {
  if (read !== undefined) return read;
  const texts = sourcesOf(covered);
  read = { reach: reachOf(texts), files: [...texts.keys()] };
  return read;
}

/** Returns the file of a check, which is named like its id. */
function fileOf(id: string): string {
  const file = coveredSources().files.find(path => path.startsWith('suites/checks/') && path.endsWith(`/${id}.ts`));
  if (file === undefined) throw new RangeError(`no file under suites/checks is called as the check ${id}`);
  return file;
}

/** Returns the checks of each endpoint as roots. */
const checksOf = memoized((units: readonly Unit[]) => {
  const roots = new Map<EndpointId, Root[]>();
  for (const { endpoint, check } of units)
    roots.set(endpoint, [...(roots.get(endpoint) ?? []), { file: fileOf(check.id) }]);
  return roots;
});

const units = allUnits();

/** Returns the properties of a row except its title and decorator. */
const dataOf = ({ title: _words, decorator: _code, ...data }: Fault | Dialect): string => JSON.stringify(data);

/** Returns the hash of a row, its decorator, and the checks that judge it. */
const hashed = (row: Fault | Dialect, files: readonly string[], judges: readonly Root[]): string =>
  coveredSources().reach.hash([...files.map(file => ({ file, row: row.id })), ...judges], dataOf(row));

/** Returns the checks of some endpoints. */
const checksOfAll = (endpoints: readonly EndpointId[]): readonly Root[] =>
  endpoints.flatMap(endpoint => checksOf(units).get(endpoint) ?? []);

/** Returns the file with the row of a fault, which is named like its kind. */
function fileOfFault({ id }: Fault): string {
  const [kind = ''] = Object.entries(faultKinds).find(([, rows]) => rows.some(row => row.id === id)) ?? [];
  return `reference-server/faults/rows/${kind.replaceAll(' ', '-')}.ts`;
}

/** Returns the hash of a fault that the suite must find. */
export const hashOfFault = (fault: Fault): string => hashed(fault, [fileOfFault(fault)], checksOfAll(fault.endpoints));

/**
 * Returns the hash of a fault that must be found in traffic: with the passive checks, and the sources that judge only
 * traffic.
 */
export const hashOfSighting = (fault: Fault): string =>
  hashed(
    fault,
    [fileOfFault(fault)],
    [
      ...checksOfAll(fault.endpoints).filter(({ file }) => file.startsWith('suites/checks/passive/')),
      { file: 'suites/traffic/judge/judge.ts' },
    ],
  );

/** Returns the hash of a vacuous server, with all checks. */
export const hashOfVacuous = ({ id, title }: Pick<Fault, 'id' | 'title'>): string =>
  coveredSources().reach.hash(checksOfAll(endpointIds), `${id} ${title}`);

/** Returns the hash of a dialect, with the checks of some endpoints. */
export function hashOfDialect(dialect: Dialect, endpoints: readonly EndpointId[]): string {
  const files = coveredSources().files.filter(path => path.startsWith('reference-server/dialects/'));
  const own = files.filter(file => coveredSources().reach.names({ file, row: dialect.id }));
  return hashed(dialect, own.length > 0 ? own : files, checksOfAll(endpoints));
}

/** Returns the hash of a half-finished server, with the check that opens an operation. */
export const hashOfHalfDone = (id: string): string => coveredSources().reach.hash([{ file: fileOf('accepts') }], id);
