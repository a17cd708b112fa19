import type { Schema } from '../../contracts/dialect.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { type CollectionName, collectionNames } from '../entities.ts';
import type { NamedStates } from '../store/backend.ts';
import type { Snapshot, Store } from '../store/store.ts';
import { ControlError, refuseInvalid } from '../tool/refusal.ts';
import { snapshotOf } from '../tool/snapshot.ts';
import { ownSeed } from '../worlds/served-world.ts';

/** What a snapshot is called, when it was taken (milliseconds since 1970), and how many entities it has. */
export interface SnapshotInfo {
  readonly name: string;
  readonly savedAt: number;
  readonly entities: number;
}

/** A snapshot as a document that can be carried elsewhere. */
export interface SnapshotDocument {
  /** The version of this format: 1. */
  readonly version: number;
  readonly name: string;
  readonly savedAt: number;
  readonly state: Snapshot;
}

/** States of a world that were given a name. They are kept where the world is kept. */
export interface SnapshotControl {
  list(): Promise<readonly SnapshotInfo[]>;
  /** Keeps the present state under a name, in the place of what was kept under it. */
  save(name: string): Promise<SnapshotInfo>;
  /** Goes back to a state. A `ControlError` (404) where there is none of that name. */
  load(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** A snapshot as a document. */
  read(name: string): Promise<SnapshotDocument>;
  /** Keeps a document that was read, under a name. */
  put(name: string, document: unknown): Promise<SnapshotInfo>;
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

const infoOf = (name: string, savedAt: number, state: Snapshot): SnapshotInfo & JsonObject => ({
  name,
  savedAt,
  entities: sizeOf(state),
});

/** The controls of the snapshots of a world; `now` is its clock. */
export const snapshotControl = (store: Store, states: NamedStates, now: () => number): SnapshotControl => {
  const named = async (name: string) => {
    const found = await states.get(name);
    if (found === undefined) throw new ControlError(404, 'There is no snapshot of this name.');
    return { info: found.about as unknown as SnapshotInfo, state: found.state };
  };
  const list: SnapshotControl['list'] = async () =>
    (await states.list()).flatMap(([name, about]) => (name === ownSeed ? [] : [about as unknown as SnapshotInfo]));
  const refuseNew = async (name: string): Promise<void> => {
    refuseInvalid(snapshotName, name, 'This is no name for a snapshot.');
    const known = await list();
    if (known.length >= most && !known.some(one => one.name === name))
      throw new ControlError(409, `At most ${most} snapshots are kept; delete one first.`);
  };
  return {
    list,
    async save(name) {
      await refuseNew(name);
      const savedAt = now();
      const about = await states.save(name, state => infoOf(name, savedAt, state));
      return about as unknown as SnapshotInfo;
    },
    load: async name => store.restore((await named(name)).state),
    async remove(name) {
      await named(name);
      await states.remove(name);
    },
    async read(name) {
      const { info, state } = await named(name);
      return { version: snapshotVersion, name, savedAt: info.savedAt, state };
    },
    async put(name, document) {
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
