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
 * What decides how a row of a catalogue is judged and nobody else's row: how the server is made to differ, what is sent
 * and how answers and state are judged. What every row stands on (contracts, engine, client, the server itself) is left
 * out: a change of it would make all rows stale, and the noted cases of all rows are sent by each `npm test`.
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

/** The sources of folders without types, comments and layout, by their paths from the root. */
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

/** What is covered, read once. */
function coveredSources() {
  if (read !== undefined) return read;
  const texts = sourcesOf(covered);
  read = { reach: reachOf(texts), files: [...texts.keys()] };
  return read;
}

/** The file of a check, which is called as it is. */
function fileOf(id: string): string {
  const file = coveredSources().files.find(path => path.startsWith('suites/checks/') && path.endsWith(`/${id}.ts`));
  if (file === undefined) throw new RangeError(`no file under suites/checks is called as the check ${id}`);
  return file;
}

/** The checks that apply to each endpoint, as roots. */
const checksOf = memoized((units: readonly Unit[]) => {
  const roots = new Map<EndpointId, Root[]>();
  for (const { endpoint, check } of units)
    roots.set(endpoint, [...(roots.get(endpoint) ?? []), { file: fileOf(check.id) }]);
  return roots;
});

const units = allUnits();

/** Everything of a row but its words. */
const dataOf = ({ title: _words, decorator: _code, ...data }: Fault | Dialect): string => JSON.stringify(data);

/** The hash of a row, of how it makes the server differ, and of what judges it. */
const hashed = (row: Fault | Dialect, files: readonly string[], judges: readonly Root[]): string =>
  coveredSources().reach.hash([...files.map(file => ({ file, row: row.id })), ...judges], dataOf(row));

/** The checks that apply to some endpoints. */
const checksOfAll = (endpoints: readonly EndpointId[]): readonly Root[] =>
  endpoints.flatMap(endpoint => checksOf(units).get(endpoint) ?? []);

/** The file in which a fault has its row: it is called as the kind. */
function fileOfFault({ id }: Fault): string {
  const [kind = ''] = Object.entries(faultKinds).find(([, rows]) => rows.some(row => row.id === id)) ?? [];
  return `reference-server/faults/rows/${kind.replaceAll(' ', '-')}.ts`;
}

/** The hash of a fault that the suite looks for. */
export const hashOfFault = (fault: Fault): string => hashed(fault, [fileOfFault(fault)], checksOfAll(fault.endpoints));

/** The hash of a fault that is looked for in traffic: by the checks that send nothing, and what only traffic is judged by. */
export const hashOfSighting = (fault: Fault): string =>
  hashed(
    fault,
    [fileOfFault(fault)],
    [
      ...checksOfAll(fault.endpoints).filter(({ file }) => file.startsWith('suites/checks/passive/')),
      { file: 'suites/traffic/judge/judge.ts' },
    ],
  );

/** The hash of a server that does nothing, judged by all that is sent. */
export const hashOfVacuous = ({ id, title }: Pick<Fault, 'id' | 'title'>): string =>
  coveredSources().reach.hash(checksOfAll(endpointIds), `${id} ${title}`);

/** The hash of a dialect that is judged by what applies to some endpoints. */
export function hashOfDialect(dialect: Dialect, endpoints: readonly EndpointId[]): string {
  const files = coveredSources().files.filter(path => path.startsWith('reference-server/dialects/'));
  const own = files.filter(file => coveredSources().reach.names({ file, row: dialect.id }));
  return hashed(dialect, own.length > 0 ? own : files, checksOfAll(endpoints));
}

/** The hash of a server that is half done, judged by what opens an operation. */
export const hashOfHalfDone = (id: string): string => coveredSources().reach.hash([{ file: fileOf('accepts') }], id);
