import type { Schema } from '../../contracts/dialect.ts';
import type { Infer } from '../../contracts/infer.ts';
import { record } from '../../contracts/object.ts';
import { type CollectionName, collectionNames } from '../entities.ts';
import type { NamedStates } from '../store/backend.ts';
import type { Snapshot, Store } from '../store/store.ts';
import { ControlError, refuseInvalid } from '../tool/refusal.ts';
import { snapshotOf } from '../tool/snapshot.ts';
import { ownSeed } from '../worlds/served-world.ts';

/** The name of a snapshot, its time (milliseconds since 1970) and its number of entities. */
export const snapshotInfo = record({
  name: { type: 'string' },
  savedAt: { type: 'integer' },
  entities: { type: 'integer' },
});

/** The summary of a snapshot. */
export type SnapshotInfo = Infer<typeof snapshotInfo>;

/** A snapshot as a portable document. */
export interface SnapshotDocument {
  /** The version of this format: 1. */
  readonly version: number;
  readonly name: string;
  readonly savedAt: number;
  readonly state: Snapshot;
}

/** The version of the document format; newer documents are refused. */
const snapshotVersion = 1;

/** Names of snapshots: not `.` or `..`, because URLs cannot carry these as path segments. */
const snapshotName = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!\\.{1,2}$)[a-zA-Z0-9_\\-. ]*$',
} as const satisfies Schema;

/** The schema of a snapshot document; its state is validated separately, like any state. */
export const snapshotDocumentSchema = {
  type: 'object',
  properties: {
    version: { type: 'integer', minimum: 1, description: 'The version of this format.' },
    name: snapshotName,
    savedAt: { type: 'integer', description: 'Milliseconds since 1970.' },
    state: { type: 'object', description: 'Per collection the pairs of id and entity, in order.' },
  },
  required: ['version', 'state'],
} as const satisfies Schema;

/** Maximum number of snapshots per world. */
const most = 100;

const sizeOf = (snapshot: Snapshot): number =>
  collectionNames.reduce((sum, name: CollectionName) => sum + snapshot[name].length, 0);

const infoOf = (name: string, savedAt: number, state: Snapshot): SnapshotInfo => ({
  name,
  savedAt,
  entities: sizeOf(state),
});

/** Returns the control of the named snapshots of a world, stored with the world. `now` is its clock. */
export const snapshotControl = (store: Store, states: NamedStates, now: () => number) => {
  const named = async (name: string) => {
    const found = await states.get(name);
    if (found === undefined) throw new ControlError(404, 'There is no snapshot of this name.');
    return { info: found.about as SnapshotInfo, state: found.state };
  };
  const list = async (): Promise<readonly SnapshotInfo[]> =>
    (await states.list()).flatMap(([name, about]) => (name === ownSeed ? [] : [about as SnapshotInfo]));
  const refuseNew = async (name: string): Promise<void> => {
    refuseInvalid(snapshotName, name, 'This is no name for a snapshot.');
    const known = await list();
    if (known.length >= most && !known.some(one => one.name === name))
      throw new ControlError(409, `At most ${most} snapshots are kept; delete one first.`);
  };
  return {
    list,
    /** Saves the present state under a name, replacing the previous snapshot of that name. */
    async save(name: string): Promise<SnapshotInfo> {
      await refuseNew(name);
      const savedAt = now();
      return (await states.save(name, state => infoOf(name, savedAt, state))) as SnapshotInfo;
    },
    /** Restores a snapshot. Throws a `ControlError` (404) if there is none of that name. */
    load: async (name: string): Promise<void> => store.restore((await named(name)).state),
    async remove(name: string): Promise<void> {
      await named(name);
      await states.remove(name);
    },
    /** Returns a snapshot as a document. */
    async read(name: string): Promise<SnapshotDocument> {
      const { info, state } = await named(name);
      return { version: snapshotVersion, name, savedAt: info.savedAt, state };
    },
    /** Saves a document as a snapshot of the given name. */
    async put(name: string, document: unknown): Promise<SnapshotInfo> {
      refuseInvalid(snapshotDocumentSchema, document, 'This is no document of a snapshot.');
      const { version, savedAt = now(), state } = document as { version: number; savedAt?: number; state: unknown };
      if (version > snapshotVersion)
        throw new ControlError(400, `This snapshot was made by a newer version of this server (${version}).`);
      const read = snapshotOf(state);
      if ('problems' in read) {
        const problems = read.problems.map(({ pointer, message }) => ({ pointer: `/state${pointer}`, message }));
        throw new ControlError(400, 'This is no state of this server.', problems);
      }
      await refuseNew(name);
      const info = infoOf(name, savedAt, read.snapshot);
      await states.put(name, info, read.snapshot);
      return info;
    },
  };
};

/** The control of a world's named states. */
export interface SnapshotControl extends ReturnType<typeof snapshotControl> {}
