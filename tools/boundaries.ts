import { importsOf, resolved } from './imports.ts';

/**
 * The allowed imports as tables, and the function that checks a source file against them. Imports point down only:
 * contracts, then the middle floor (reference-server, suites, reports), whose three parts never see each other, then
 * the command line.
 */

/** The top-level folders with code, and what each may import besides itself. */
// biome-ignore format: a table
export const folders = {
  'contracts':        [],
  'reference-server': ['contracts'],
  'suites':           ['contracts'],
  'reports':          ['contracts'],
  'cli':              ['contracts', 'reference-server', 'suites', 'reports'],
  'bench':            ['contracts', 'reference-server', 'suites', 'reports', 'cli', 'tools'],
  // Only the configuration of the tests tells which are unit tests.
  'tools':            ['contracts', 'reference-server', 'suites', 'reports', 'cli', 'vitest.config.ts'],
  'examples':         [],
} as const satisfies Record<string, readonly string[]>;

const ground = ['entities.ts', 'directory.ts', 'store'];
const server = [...ground, 'api', 'experiment', 'handlers', 'fixtures', 'seed', 'http'];
const emulator = [...server, 'decorators', 'log', 'tool', 'behaviours', 'worlds', 'page', 'control'];

/**
 * The folders inside a folder, from the ground up, and what each may import besides itself. A floor may be a nested
 * folder, or one file; `.` is the other files directly in the folder: its exports.
 */
// biome-ignore format: a table
export const floors: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // The server keeps the contract; the emulator adds worlds, control and log; the catalogue has the faults and
  // dialects.
  'reference-server': {
    'entities.ts':  [],
    'directory.ts': ['entities.ts'],
    'store':        ['entities.ts'],
    'api':          ground,
    'experiment':   [...ground, 'api'],
    'handlers':     [...ground, 'api', 'experiment'],
    'fixtures':     [...ground, 'experiment', 'handlers'],
    'seed':         [...ground, 'api', 'experiment', 'handlers', 'fixtures'],
    'http':         ['store', 'api'],
    'decorators':   ['entities.ts', 'store', 'api'],
    'log':          ['api'],
    'tool':         ['entities.ts', 'store', 'api', 'fixtures'],
    'behaviours':   ['store', 'api', 'decorators', 'tool'],
    'worlds':       ['store', 'api', 'log', 'tool', 'behaviours'],
    'page':         [],
    'control':      [...ground, 'api', 'seed', 'http', 'log', 'tool', 'behaviours', 'worlds', 'page'],
    'page/client':  ['entities.ts', 'log', 'behaviours', 'worlds', 'page', 'control'],
    'faults':       [...ground, 'api', 'decorators'],
    'dialects':     [...ground, 'api', 'decorators'],
    '.':            [...emulator, 'faults', 'dialects'],
    'vitest':       ['.', 'control'],
  },
  'suites': {
    'protocol':     [],
    'client':       ['protocol'],
    'generators':   ['protocol'],
    'judge':        ['protocol'],
    'observations': ['protocol', 'judge'],
    'state':        ['protocol', 'judge'],
    'model':        ['protocol', 'judge', 'state'],
    'sut':          ['protocol', 'client', 'generators', 'judge', 'state', 'model'],
    'checks':       ['protocol', 'generators', 'judge', 'state', 'model', 'sut'],
    'ledger':       ['protocol', 'generators', 'judge'],
    'engine':       ['protocol', 'client', 'generators', 'judge', 'ledger', 'observations', 'state', 'model', 'sut', 'checks'],
    'doctor':       ['protocol', 'client', 'generators', 'judge', 'ledger', 'state', 'sut', 'checks'],
    'diff':         ['protocol', 'client', 'generators', 'judge', 'state', 'observations', 'sut', 'checks', 'engine'],
    'traffic':      ['protocol', 'client', 'judge', 'model', 'sut', 'checks', 'engine'],
    'conformance':  ['protocol', 'sut', 'checks', 'engine'],
    '.':            ['protocol', 'sut', 'checks', 'engine', 'conformance', 'traffic', 'diff'],
  },
  'suites/diff': {
    'record':       [],
    'align':        ['record'],
    'compare':      ['record', 'align'],
    'explain':      ['record', 'align', 'compare'],
    '.':            ['record', 'align', 'compare', 'explain'],
  },
  'suites/traffic': {
    'exchange':     [],
    'wire':         ['exchange'],
    'recordings':   ['exchange'],
    'client':       ['exchange'],
    'server':       ['exchange', 'client'],
    'judge':        ['exchange', 'client', 'server'],
    'in-process':   ['exchange', 'wire', 'judge'],
    '.':            ['exchange', 'recordings', 'judge', 'in-process'],
  },
  'reports': {
    'text':         [],
    'journal':      ['text'],
    'baseline':     ['text', 'journal'],
    'repro':        ['text', 'journal'],
    'badge':        ['text', 'journal'],
    'document':     ['text'],
    'run':          ['text', 'journal', 'document'],
    'site':         ['text', 'journal', 'document'],
    'compare':      ['text', 'journal', 'document'],
    'formats':      ['text', 'journal', 'document', 'run'],
    'difference':   ['text', 'journal', 'baseline', 'formats', 'document'],
    '.':            ['text', 'journal', 'baseline', 'formats', 'run', 'repro', 'badge', 'site', 'compare'],
  },
};

/** Folders without circular imports, including those of types. */
export const withoutCircles: readonly string[] = ['cli', 'contracts/redaction', 'suites/diff', 'suites/traffic'];

/** Additional imports allowed for tests and for files that only tests import, and why. */
// biome-ignore format: a table
export const testCrossings: readonly { readonly from: string; readonly to: string; readonly why: string }[] = [
  { from: 'suites', to: 'reference-server', why: 'a check is proved by a server that is right and by ones that are wrong' },
  { from: 'suites', to: 'reports',          why: 'what a whole run found is read from the folded report' },
  { from: 'reference-server', to: 'reports', why: 'its page is looked at in the browser in which reports are' },
  { from: 'suites', to: 'cli',              why: 'the target of the suite as tests is chosen as that of `run` is' },
  { from: 'suites', to: 'tools',            why: 'mutants of sources are those that `npm run mutate` makes' },
];

/** Packages, and the folders whose shipped files may import them: each implements a decision that has one home. */
// biome-ignore format: a table
export const packageHomes: Readonly<Record<string, readonly string[]>> = {
  '@commander-js/extra-typings': ['cli'],
  '@faker-js/faker': ['suites/generators'],
  '@koa/cors':       ['reference-server/http'],
  '@koa/router':     ['reference-server/control', 'reference-server/http'],
  'ajv':             ['contracts'],
  'cli-progress':    ['reports/run'],
  'eta':             ['reports/document', 'reports/text'],
  'fast-check':      ['suites'],
  'fast-xml-builder': ['reports/formats'],
  'fastest-levenshtein': ['cli'],
  'jsonc-parser':    ['contracts', 'cli'],
  'koa':             ['reference-server'],
  'pg':              ['reference-server/store/sql'],
  'picocolors':       ['reports/text'],
  'picomatch':       ['suites/engine', 'cli'],
  'type-is':         ['reference-server/http'],
  'undici':          ['suites/client', 'suites/traffic'],
  'vitest':          ['suites/conformance', 'reference-server/vitest'],
};

/** Packages without an import, required as peers of another package. */
export const besideOthers: Readonly<Record<string, string>> = { commander: '@commander-js/extra-typings' };

/** Packages that are only types, so that nothing of them ships, and the folders that may import them. */
// biome-ignore format: a table
export const typesOnly: Readonly<Record<string, readonly string[]>> = {
  'har-format': ['reports/formats', 'suites/traffic'],
};

/** Packages of the build: bundled into the result or used only from the sources, so no user installs them. */
// biome-ignore format: a table
export const bundled: Readonly<Record<string, readonly string[]>> = {
  'esbuild': ['reference-server/page'],
  'preact':  ['reference-server/page/client'],
};

/** Modules that must not be imported, and why. */
// biome-ignore format: a table
export const forbidden: Readonly<Record<string, string>> = {
  'node:test':   'tests are written for vitest',
  'node:assert': 'tests use expect; code returns findings or throws a named error',
  'node:sqlite': 'the store speaks the SQL of PostgreSQL, embedded or shared',
};

/** True for files that only tests import: they never ship. */
export const isTestSupport = (file: string): boolean => /\.(test|fixture)\.ts$|(^|\/)proof\//.test(file);

const folderOf = (file: string): string => file.split('/')[0] ?? '';

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Returns the floor of a file in a folder: the most specific row that includes it. */
function floorOf(table: Readonly<Record<string, readonly string[]>>, path: string): string {
  const steps = path.split('/');
  for (let count = steps.length; count > 0; count -= 1) {
    const row = steps.slice(0, count).join('/');
    if (Object.hasOwn(table, row)) return row;
  }
  return steps.length > 1 ? (steps[0] as string) : '.';
}

/** Returns the problem of an import between floors, for the outermost folder in which it is not allowed. */
function floorProblem(file: string, target: string): string | null {
  for (const [folder, table] of Object.entries(floors)) {
    if (![file, target].every(one => one.startsWith(`${folder}/`))) continue;
    const [from = '.', to = '.'] = [file, target].map(one => floorOf(table, one.slice(folder.length + 1)));
    if (from === to) continue;
    const below = table[from];
    if (below === undefined) return `${folder}/${from} is no floor of ${folder}`;
    if (!below.includes(to)) return `${folder}/${from} must not import ${folder}/${to} (${target})`;
  }
  return null;
}

function folderProblem(file: string, target: string): string | null {
  const from = folderOf(file);
  const to = folderOf(target);
  const support = isTestSupport(file);
  // Tools and benchmarks may use test support, because none of them is in the package.
  const measures = from === 'tools' || from === 'bench';
  if (!support && !measures && isTestSupport(target)) return `${target} is there for tests only`;
  if (from === to) return support || measures ? null : floorProblem(file, target);
  const below: readonly string[] = Object.hasOwn(folders, from) ? folders[from as keyof typeof folders] : [];
  if (below.includes(to)) return null;
  if (support && testCrossings.some(row => row.from === from && row.to === to)) return null;
  return `${from} must not import ${to} (${target})`;
}

function packageProblem(file: string, specifier: string): string | null {
  const bare = packageOf(specifier);
  const instead = forbidden[bare];
  if (instead !== undefined) return `nobody imports ${bare}: ${instead}`;
  if (specifier.startsWith('node:') || isTestSupport(file)) return null;
  // None of these ships as our code; an example is a package of its own.
  if (['bench', 'tools', 'examples'].includes(folderOf(file))) return null;
  const homes = packageHomes[bare] ?? typesOnly[bare] ?? bundled[bare];
  if (homes === undefined) return `${bare} has no home in the table of packages`;
  return homes.some(home => file.startsWith(`${home}/`)) ? null : `${bare} is imported in ${homes.join(' and ')} only`;
}

/**
 * Returns why the imports of a source file are not allowed; empty if they are. `file` is its path from the root of the
 * repository.
 */
export function problems(file: string, source: string): readonly string[] {
  return importsOf(source).flatMap(specifier => {
    if (specifier === null) return [`${file}: a dynamic import of a computed name, which nobody can check`];
    const problem = specifier.startsWith('.')
      ? folderProblem(file, resolved(file, specifier))
      : packageProblem(file, specifier);
    return problem === null ? [] : [`${file}: ${problem}`];
  });
}
