import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** What is called to change something, by name. */
type Operations = Record<string, (...given: unknown[]) => unknown>;

/** What Emscripten makes of a program, as far as its files go. */
interface Program {
  readonly NODEFS: { readonly node_ops: Operations; readonly stream_ops: Operations };
  readonly FS: { readonly ErrnoError: new (errno: number) => Error };
}

/** EIO, as Emscripten counts. */
const inputOutputError = 29;

const changing = {
  node_ops: ['mknod', 'rename', 'unlink', 'rmdir', 'setattr', 'symlink'],
  stream_ops: ['write'],
} as const;

/** No permissions for anybody but the owner. */
const forOwner = 0o7777_7700;

/** The mode among what an operation is given, which PGlite would open to everybody. */
const closed = (name: string, given: unknown[]): unknown[] => {
  if (name === 'mknod') return given.map((value, index) => (index === 2 ? Number(value) & forOwner : value));
  const [node, attributes] = given as [unknown, { mode?: number }];
  if (name !== 'setattr' || attributes.mode === undefined) return given;
  return [node, { ...attributes, mode: attributes.mode & forOwner }];
};

/**
 * The files of an embedded database, which only their owner may read, and which change only while `mayWrite` says so. It
 * is asked before each single change, since the process may have been stopped in the midst of a statement.
 */
export class GuardedFiles extends NodeFS {
  readonly #mayWrite: () => boolean;
  constructor(folder: string, mayWrite: () => boolean) {
    super(folder);
    this.#mayWrite = mayWrite;
  }

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const guard = (program: unknown): void => {
      const { NODEFS, FS } = program as Program;
      for (const [kind, names] of Object.entries(changing)) {
        const operations = NODEFS[kind as keyof typeof changing];
        for (const name of names) {
          const change = operations[name];
          operations[name] = (...given) => {
            if (!this.#mayWrite()) throw new FS.ErrnoError(inputOutputError);
            return change?.(...closed(name, given));
          };
        }
      }
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [guard, ...(emscriptenOpts.preRun ?? [])] } };
  }
}
