import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type AnyNode, type Program, parse } from 'acorn';
import { memoized } from '../../../contracts/memoized.ts';

/** A starting point: a whole file, or the rows of its tables that may belong to an id. */
export interface Root {
  readonly file: string;
  readonly row?: string;
}

/** A part of a source: a statement, or one row of a table. It changes when its tokens change. */
interface Piece {
  readonly file: string;
  /** A digest of its tokens. */
  readonly print: string;
  /** The names that it uses, from its file and its imports. */
  readonly uses: ReadonlySet<string>;
  /** The id of a row; undefined if it is no row or its id is computed. */
  readonly row: string | undefined;
  readonly isRow: boolean;
}

/** A name in another file. */
interface Foreign {
  readonly file: string;
  readonly name: string;
}

interface Source {
  readonly pieces: readonly Piece[];
  /** The pieces that declare a name. A table declares its name with all its rows. */
  readonly declared: ReadonlyMap<string, readonly Piece[]>;
  readonly imported: ReadonlyMap<string, Foreign>;
  /** The exports with another name inside the file, or from another file. */
  readonly exported: ReadonlyMap<string, string | Foreign>;
  readonly passedOn: readonly string[];
}

const digest = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12);

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** True for names of members, which refer to no declaration. */
const isMemberName = (parent: AnyNode, key: string): boolean =>
  key === 'property' && parent.type === 'MemberExpression'
    ? !parent.computed
    : key === 'key' && 'computed' in parent && !parent.computed;

function namesIn(node: AnyNode, names = new Set<string>()): Set<string> {
  if (node.type === 'Identifier') names.add(node.name);
  for (const [key, value] of Object.entries(node))
    for (const inner of [value].flat()) if (isNode(inner) && !isMemberName(node, key)) namesIn(inner, names);
  return names;
}

/** Returns the id in an object literal, or at the front of a list. */
function idOf(node: AnyNode): string | undefined {
  if (node.type === 'ArrayExpression') {
    const [first] = node.elements;
    return first?.type === 'Literal' ? String(first.value) : undefined;
  }
  if (node.type !== 'ObjectExpression') return undefined;
  for (const one of node.properties)
    if (one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'id')
      return one.value.type === 'Literal' ? String(one.value.value) : undefined;
  return undefined;
}

function boundBy(pattern: AnyNode): readonly string[] {
  return pattern.type === 'Identifier' ? [pattern.name] : [...namesIn(pattern)];
}

type Listing = Extract<AnyNode, { type: 'ArrayExpression' }>;

/** Returns the rows of a group: a row of a table that names what its rows share, and lists them. */
const groupedIn = (node: AnyNode): Listing | undefined =>
  node.type === 'ArrayExpression'
    ? node.elements.find(
        (one): one is Listing =>
          one?.type === 'ArrayExpression' &&
          one.elements.length > 0 &&
          one.elements.every(row => row?.type === 'ArrayExpression'),
      )
    : undefined;

/** Returns the rows of a statement that declares a table, otherwise the statement itself. */
function piecesOf(file: string, text: string, node: AnyNode): readonly Piece[] {
  const of = (part: AnyNode, isRow: boolean, shared = '', uses = new Set<string>()): Piece => ({
    file,
    print: digest([shared + text.slice(part.start, part.end)]),
    uses: namesIn(part, new Set(uses)),
    row: idOf(part),
    isRow,
  });
  const rowsOf = (element: AnyNode): readonly Piece[] => {
    const rows = groupedIn(element);
    if (rows === undefined) return [of(element, true)];
    const shared = text.slice(element.start, rows.start) + text.slice(rows.end, element.end);
    const others = (element as Listing).elements.flatMap(one =>
      one === null || one === rows ? [] : [...namesIn(one)],
    );
    return rows.elements.flatMap(row => (row === null ? [] : [of(row, true, shared, new Set(others))]));
  };
  const [only, ...others] = node.type === 'VariableDeclaration' ? node.declarations : [];
  return others.length === 0 && only?.init?.type === 'ArrayExpression' && only.init.elements.length > 0
    ? only.init.elements.flatMap(element => (element === null ? [] : rowsOf(element)))
    : [of(node, false)];
}

const nameOf = (node: AnyNode): string => (node.type === 'Identifier' ? node.name : '*');

/** Parses a source that `esbuild` has stripped of types and comments. */
function readSource(file: string, text: string): Source {
  const pieces: Piece[] = [];
  const declared = new Map<string, readonly Piece[]>();
  const imported = new Map<string, Foreign>();
  const exported = new Map<string, string | Foreign>();
  const passedOn: string[] = [];
  const from = (specifier: unknown): string => posix.join(posix.dirname(file), String(specifier));
  for (const statement of (parse(text, { ecmaVersion: 'latest', sourceType: 'module' }) as Program).body) {
    if (statement.type === 'ImportDeclaration') {
      for (const one of statement.specifiers)
        imported.set(one.local.name, {
          file: from(statement.source.value),
          name: one.type === 'ImportSpecifier' ? nameOf(one.imported) : '*',
        });
      continue;
    }
    if (statement.type === 'ExportAllDeclaration') {
      passedOn.push(from(statement.source.value));
      continue;
    }
    if (statement.type === 'ExportNamedDeclaration' && statement.declaration == null) {
      for (const { exported: as, local } of statement.specifiers)
        exported.set(
          nameOf(as),
          statement.source == null ? nameOf(local) : { file: from(statement.source.value), name: nameOf(local) },
        );
      continue;
    }
    const node = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as AnyNode) : statement;
    const own = piecesOf(file, text, node);
    pieces.push(...own);
    const names =
      node.type === 'VariableDeclaration'
        ? node.declarations.flatMap(one => boundBy(one.id))
        : (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id !== null
          ? [node.id.name]
          : [];
    for (const name of names) declared.set(name, own);
  }
  return { pieces, declared, imported, exported, passedOn };
}

/** What roots reach in some sources. */
export interface Reach {
  /** Returns a hash of a text and everything that the roots reach. Throws if a root is not among the sources. */
  hash(roots: readonly Root[], text?: string): string;
  /** True if the id of a row is written in its file, not computed. */
  names(root: Root): boolean;
}

/**
 * Follows names from declaration to declaration in sources, given by path. Ignores imports from other files. A change
 * therefore affects only those that use what was changed.
 */
export function reachOf(texts: ReadonlyMap<string, string>): Reach {
  const sources = new Map([...texts].map(([file, text]) => [file, readSource(file, text)]));
  const known = new Map<string, string>();

  function exportOf(file: string, name: string): readonly Piece[] {
    const source = sources.get(file);
    if (source === undefined) return [];
    if (name === '*') return source.pieces;
    const as = source.exported.get(name);
    if (typeof as === 'object') return exportOf(as.file, as.name);
    const within = as ?? name;
    const foreign = source.imported.get(within);
    if (foreign !== undefined) return exportOf(foreign.file, foreign.name);
    return source.declared.get(within) ?? source.passedOn.flatMap(other => exportOf(other, name));
  }

  const usedBy = memoized(({ file, uses }: Piece): readonly Piece[] => {
    const source = sources.get(file) as Source;
    return [...uses].flatMap(name => {
      const foreign = source.imported.get(name);
      return foreign === undefined ? (source.declared.get(name) ?? []) : exportOf(foreign.file, foreign.name);
    });
  });

  function begin({ file, row }: Root): readonly Piece[] {
    const source = sources.get(file);
    if (source === undefined) throw new RangeError(`there is no source ${file}`);
    if (row === undefined) return source.pieces;
    const rows = source.pieces.filter(piece => piece.isRow);
    const own = rows.filter(piece => piece.row === row);
    return own.length > 0 ? own : rows.filter(piece => piece.row === undefined);
  }

  function digestFrom(root: Root): string {
    const reached = new Set<Piece>();
    const left = [...begin(root)];
    for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
      if (reached.has(piece)) continue;
      reached.add(piece);
      left.push(...usedBy(piece));
    }
    return digest([...reached].map(({ print }) => print).sort());
  }

  const digestOf = (root: Root): string => {
    const key = JSON.stringify(root);
    const before = known.get(key) ?? digestFrom(root);
    known.set(key, before);
    return before;
  };
  return {
    hash: (roots, text = '') => digest([text, ...roots.map(digestOf)]),
    names: ({ file, row }) => sources.get(file)?.pieces.some(piece => piece.isRow && piece.row === row) ?? false,
  };
}
