import type { Schema } from '../../contracts/dialect.ts';
import type { Infer } from '../../contracts/infer.ts';
import { record } from '../../contracts/object.ts';
import { type CollectionName, collectionNames } from '../entities.ts';
import type { NamedStates } from '../store/backend.ts';
import type { Snapshot, Store } from '../store/store.ts';
import { ControlError, refuseInvalid } from '../tool/refusal.ts';
import { snapshotOf } from '../tool/snapshot.ts';
import { ownSeed } from '../worlds/served-world.ts';

/** What a snapshot is called, when it was taken (milliseconds since 1970), and how many entities it has. */
export const snapshotInfo = record({
  name: { type: 'string' },
  savedAt: { type: 'integer' },
  entities: { type: 'integer' },
});

/** What is told of a snapshot. */
export type SnapshotInfo = Infer<typeof snapshotInfo>;

/** A snapshot as a document that can be carried elsewhere. */
export interface SnapshotDocument {
  /** The version of this format: 1. */
  readonly version: number;
  readonly name: string;
  readonly savedAt: number;
  readonly state: Snapshot;
}

/** The version of the format of documents; one of a newer version is refused. */
const snapshotVersion = 1;

/** What a snapshot may be called: not `.` or `..`, which no URL can carry as a part of its path. */
const snapshotName = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!\\.{1,2}$)[a-zA-Z0-9_\\-. ]*$',
} as const satisfies Schema;

/** The document of a snapshot; its state is validated as the state of a server is. */
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

/** So many snapshots are kept of a world. */
const most = 100;

const sizeOf = (snapshot: Snapshot): number =>
  collectionNames.reduce((sum, name: CollectionName) => sum + snapshot[name].length, 0);

const infoOf = (name: string, savedAt: number, state: Snapshot): SnapshotInfo => ({
  name,
  savedAt,
  entities: sizeOf(state),
});

/** States of a world that were given a name. They are kept where the world is kept; `now` is its clock. */
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
    /** Keeps the present state under a name, in the place of what was kept under it. */
    async save(name: string): Promise<SnapshotInfo> {
      await refuseNew(name);
      const savedAt = now();
      return (await states.save(name, state => infoOf(name, savedAt, state))) as SnapshotInfo;
    },
    /** Goes back to a state. A `ControlError` (404) where there is none of that name. */
    load: async (name: string): Promise<void> => store.restore((await named(name)).state),
    async remove(name: string): Promise<void> {
      await named(name);
      await states.remove(name);
    },
    /** A snapshot as a document. */
    async read(name: string): Promise<SnapshotDocument> {
      const { info, state } = await named(name);
      return { version: snapshotVersion, name, savedAt: info.savedAt, state };
    },
    /** Keeps a document that was read, under a name. */
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
