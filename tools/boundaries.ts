/**
 * Who may import whom, as tables, and the judge that holds a source file against them. Imports point down only:
 * contracts, then the middle floor (reference-server, suites, reports), whose three parts never see each other, then
 * the command line.
 */

/** The top-level folders that hold code, and what each may import besides itself. */
// biome-ignore format: a table
export const folders = {
  'contracts':        [],
  'reference-server': ['contracts'],
  'suites':           ['contracts'],
  'reports':          ['contracts'],
  'cli':              ['contracts', 'reference-server', 'suites', 'reports'],
  'bench':            ['contracts', 'reference-server', 'suites', 'reports', 'cli'],
  // What is a unit test stands in the configuration of the tests alone.
  'tools':            ['contracts', 'reference-server', 'suites', 'reports', 'cli', 'vitest.config.ts'],
  'examples':         [],
} as const satisfies Record<string, readonly string[]>;

/**
 * The folders inside `suites/` and `reports/`, from the ground up, and what each may import besides itself. `.` is the
 * files that lie in the top-level folder itself: what is exported.
 */
// biome-ignore format: a table
export const floors: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
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
    'engine':       ['protocol', 'client', 'generators', 'judge', 'observations', 'state', 'model', 'sut', 'checks'],
    'doctor':       ['protocol', 'client', 'generators', 'judge', 'state', 'sut', 'checks'],
    'diff':         ['protocol', 'client', 'generators', 'judge', 'state', 'observations', 'sut', 'checks', 'engine'],
    'traffic':      ['protocol', 'client', 'judge', 'model', 'sut', 'checks', 'engine'],
    'conformance':  ['protocol', 'sut', 'checks', 'engine'],
    '.':            ['protocol', 'sut', 'checks', 'engine', 'conformance', 'traffic', 'diff'],
  },
  'reports': {
    'text':         [],
    'journal':      ['text'],
    'baseline':     ['text', 'journal'],
    'formats':      ['text', 'journal'],
    'terminal':     ['text', 'journal'],
    'html':         ['text', 'journal'],
    'repro':        ['text', 'journal'],
    'badge':        ['text', 'journal'],
    'site':         ['text', 'journal', 'html'],
    'compare':      ['text', 'journal', 'formats', 'terminal', 'html'],
    'difference':   ['text', 'journal', 'formats', 'terminal', 'html'],
    '.':            ['text', 'journal', 'baseline', 'formats', 'terminal', 'html', 'repro', 'badge', 'site', 'compare'],
  },
};

/** Where tests, and the files that only tests import, may cross besides, and why. */
// biome-ignore format: a table
export const testCrossings: readonly { readonly from: string; readonly to: string; readonly why: string }[] = [
  { from: 'suites', to: 'reference-server', why: 'a check is proved by a server that is right and by ones that are wrong' },
  { from: 'suites', to: 'reports',          why: 'what a whole run found is read from the folded report' },
  { from: 'reference-server', to: 'reports', why: 'its page is looked at in the browser in which reports are' },
  { from: 'suites', to: 'cli',              why: 'the target of the suite as tests is chosen as that of `run` is' },
];

/** Packages, and the folders whose shipped files may import them: each rests on a decision that has one home. */
// biome-ignore format: a table
export const packageHomes: Readonly<Record<string, readonly string[]>> = {
  '@electric-sql/pglite': ['reference-server/store/sql'],
  '@faker-js/faker': ['suites/generators'],
  '@koa/cors':       ['reference-server/http'],
  '@koa/router':     ['reference-server/control', 'reference-server/http'],
  'ajv':             ['contracts'],
  'cli-progress':    ['reports/terminal'],
  'commander':       ['cli'],
  'eta':             ['reports/html'],
  'fast-check':      ['suites'],
  'fast-xml-builder': ['reports/formats'],
  'fastest-levenshtein': ['cli'],
  'koa':             ['reference-server'],
  'pg':              ['reference-server/store/sql'],
  'picocolors':       ['reports/text'],
  'picomatch':       ['suites/engine', 'cli'],
  'type-is':         ['reference-server/http'],
  'undici':          ['suites/client', 'suites/traffic'],
  'vitest':          ['suites/conformance', 'reference-server/vitest'],
};

/** Packages that are types and nothing else, so that nothing of them ships, and who may import them. */
// biome-ignore format: a table
export const typesOnly: Readonly<Record<string, readonly string[]>> = {
  'har-format': ['reports/formats', 'suites/traffic'],
};

/** Packages of the build: bundled into what ships, or used from the sources alone, so that nobody installs them. */
// biome-ignore format: a table
export const bundled: Readonly<Record<string, readonly string[]>> = {
  'esbuild': ['reference-server/page'],
  'preact':  ['reference-server/page/client'],
};

/** Modules that nobody imports, and what stands in their place. */
// biome-ignore format: a table
export const forbidden: Readonly<Record<string, string>> = {
  'node:test':   'tests are written for vitest',
  'node:assert': 'tests use expect; code returns findings or throws a named error',
  'node:sqlite': 'the store speaks the SQL of PostgreSQL, embedded or shared',
};

/** Files that only tests import: they never ship. */
export const isTestSupport = (file: string): boolean =>
  /\.(test|fixture)\.ts$/.test(file) || /(^|\/)(testing|proof)\//.test(file);

/** A specifier that is a literal, or null for a dynamic import of something computed. */
type Specifier = string | null;

const statements = [
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s+(['"])(?<name>[^'"]+)\1/gm,
  /^\s*import\s+(['"])(?<name>[^'"]+)\1/gm,
  /\bimport\(\s*(?:(['"])(?<name>[^'"]+)\1|[^)'"])/g,
  /\brequire\(\s*(['"])(?<name>[^'"]+)\1/g,
] as const;

/**
 * What a source imports: statically, for its types, or while it runs. Formatted sources only: a statement begins its
 * line.
 */
export function importsOf(source: string): readonly Specifier[] {
  return statements.flatMap(pattern => [...source.matchAll(pattern)].map(match => match.groups?.name ?? null));
}

const folderOf = (file: string): string => file.split('/')[0] ?? '';

/** The path of a relative specifier from the root of the repository; `..` at the front when it leads out. */
function resolved(file: string, specifier: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') {
      if (parts.length === 0 || parts.at(-1) === '..') parts.push('..');
      else parts.pop();
    } else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const floorOf = (file: string): string => file.split('/').slice(1, -1)[0] ?? '.';

/** An import from one floor of a folder to another. */
function floorProblem(folder: string, file: string, target: string): string | null {
  const table = floors[folder];
  const from = floorOf(file);
  const to = floorOf(target);
  if (table === undefined || from === to) return null;
  const below = table[from];
  if (below === undefined) return `${folder}/${from} is no floor of ${folder}`;
  return below.includes(to) ? null : `${folder}/${from} must not import ${folder}/${to} (${target})`;
}

function folderProblem(file: string, target: string): string | null {
  const from = folderOf(file);
  const to = folderOf(target);
  const support = isTestSupport(file);
  // What measures the project may stand on what tests it; neither is in the package.
  const measures = from === 'tools' || from === 'bench';
  if (!support && !measures && isTestSupport(target)) return `${target} is there for tests only`;
  if (from === to) return support || measures ? null : floorProblem(from, file, target);
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
  // None of these ships as code of ours; an example is a package of its own.
  if (['bench', 'tools', 'examples'].includes(folderOf(file))) return null;
  const homes = packageHomes[bare] ?? typesOnly[bare] ?? bundled[bare];
  if (homes === undefined) return `${bare} has no home in the table of packages`;
  return homes.some(home => file.startsWith(`${home}/`)) ? null : `${bare} is imported in ${homes.join(' and ')} only`;
}

/**
 * Why the imports of a source file are not allowed; empty when they are. `file` is its path from the root of the
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
