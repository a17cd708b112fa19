import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { type CollectionName, collectionNames } from '../entities.ts';
import type { Notes } from '../store/backend.ts';
import { freeze, type Snapshot, type Store } from '../store/store.ts';
import { snapshotOf } from '../tool/snapshot.ts';
import { ControlError, refuseInvalid } from './refusal.ts';

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
  export(name: string): Promise<SnapshotDocument>;
  /** Keeps a document that was exported, under a name. */
  importFrom(name: string, document: unknown): Promise<SnapshotInfo>;
}

/** The version of the format of documents; one of a newer version is refused. */
export const snapshotVersion = 1;

/** What a snapshot may be called. */
export const snapshotName = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-zA-Z0-9_\\-. ]*$',
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

const infoKey = 'snapshot/';
const stateKey = 'snapshot-state/';

const sizeOf = (snapshot: Snapshot): number =>
  collectionNames.reduce((sum, name: CollectionName) => sum + snapshot[name].length, 0);

/** The controls of the snapshots of a world; `now` is its clock. */
export const snapshotControl = (store: Store, notes: Notes, now: () => number): SnapshotControl => {
  const infoOf = async (name: string): Promise<SnapshotInfo> => {
    const info = await notes.get(infoKey + name);
    if (info === undefined) throw new ControlError(404, 'There is no snapshot of this name.');
    return info as unknown as SnapshotInfo;
  };
  const stateOf = async (name: string): Promise<Snapshot> => {
    await infoOf(name);
    return (await notes.get(stateKey + name)) as unknown as Snapshot;
  };
  const list: SnapshotControl['list'] = async () =>
    (await notes.list(infoKey)).map(([, info]) => info as unknown as SnapshotInfo);
  const keep = async (name: string, savedAt: number, state: Snapshot): Promise<SnapshotInfo> => {
    refuseInvalid(snapshotName, name, 'This is no name for a snapshot.');
    const known = await list();
    if (known.length >= most && !known.some(one => one.name === name))
      throw new ControlError(409, `At most ${most} snapshots are kept; delete one first.`);
    const info: SnapshotInfo = { name, savedAt, entities: sizeOf(state) };
    // What is listed is there: the state comes first.
    await notes.put(stateKey + name, freeze(state) as unknown as Json);
    await notes.put(infoKey + name, info as unknown as Json);
    return info;
  };
  return {
    list,
    save: async name => keep(name, now(), await store.snapshot()),
    load: async name => store.restore(await stateOf(name)),
    async remove(name) {
      await infoOf(name);
      await notes.put(infoKey + name, undefined);
      await notes.put(stateKey + name, undefined);
    },
    async export(name) {
      const { savedAt } = await infoOf(name);
      return { version: snapshotVersion, name, savedAt, state: await stateOf(name) };
    },
    async importFrom(name, document) {
      refuseInvalid(snapshotDocumentSchema, document, 'This is no document of a snapshot.');
      const { version, savedAt = now(), state } = document as { version: number; savedAt?: number; state: unknown };
      if (version > snapshotVersion)
        throw new ControlError(400, `This snapshot was made by a newer version of this server (${version}).`);
      const read = snapshotOf(state);
      if ('problems' in read) {
        const problems = read.problems.map(({ property, errorMessage }) => ({
          pointer: `/state${property === '' ? '' : `/${property.replaceAll('.', '/')}`}`,
          message: errorMessage,
        }));
        throw new ControlError(400, 'This is no state of this server.', problems);
      }
      return keep(name, savedAt, read.snapshot);
    },
  };
};
