import type { Resource } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { steps } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { dataObject } from '../protocol/answer.ts';
import { consentFor, disposableNames } from '../protocol/disposable.ts';
import type { RunStopped } from '../protocol/stop.ts';
import type { Obstruction, Target } from '../protocol/sut.ts';
import { type Reading, readGate } from '../state/reading.ts';
import type { RecordedSession } from '../sut/session.ts';
import { fixtureNames, subjectOf } from '../sut/target.ts';
import { readGates } from './gate-reading.ts';
import { listSources, readByDryRun } from './source-reading.ts';
import { type KnownFixtures, showsNone } from './writable.ts';

/** The fixtures of one resource, and the fields that had to be written to read some of them. */
export interface FixtureReading extends KnownFixtures {
  readonly overwritten: ReadonlyMap<string, readonly string[]>;
  /** What ended the run before all were read, if anything did. */
  readonly cut?: RunStopped | null;
}

/** The present state of a fixture. */
interface FixtureNow extends Pick<Reading, 'entity'> {
  /** True if the target says that no such entity exists. */
  readonly isGone?: boolean;
}

/** The functions that read the fixtures of a resource, and the members that are not restored. */
interface RestorableResource {
  /** Reads the fixtures that the target file names. */
  readonly readAll: (target: Target, session: RecordedSession, readOnly: boolean) => Promise<FixtureReading>;
  /** Reads fields of an entity as they are now, by the same kind of answers; absent if no answer shows one. */
  readonly read?: (session: RecordedSession, name: string, fields: readonly string[]) => Promise<FixtureNow>;
  /** Reads an entity as it is now by a request that changes nothing, whatever the target demands; absent if none does. */
  readonly look?: (session: RecordedSession, name: string) => Promise<FixtureNow>;
  /** Reading is a write, which a read-only run must not send. */
  readonly isReadByWriting?: true;
  /** Members whose form in answers differs from the one in requests. */
  readonly leftOut?: readonly string[];
}

/** Members of a source whose form in answers differs from the one in requests. */
const unsettable: readonly string[] = ['owner'];

/** The resources that have a restoring operation. */
export const restorableResources: Readonly<Partial<Record<Resource, RestorableResource>>> = {
  environment: { readAll: readEnvironments },
  'qualifying-event': { readAll: readSources, read: readSource, look: lookAtSource, leftOut: unsettable },
  gate: {
    readAll: async (target, session) => ({ ...nothing, ...(await readGates(target, session)) }),
    read: readGateNow,
    look: lookAtGate,
    isReadByWriting: true,
  },
};

const nothing: FixtureReading = {
  entities: new Map(),
  obstructions: new Map(),
  dryRuns: new Set(),
  leftOut: [],
  overwritten: new Map(),
};

/** Takes the environments from the target file, because no list shows them (section 4.1). */
async function readEnvironments({ fixtures: { environments = [] } }: Target): Promise<FixtureReading> {
  if (environments.length === 0) return nothing;
  return { ...nothing, entities: new Map([['', { environments: environments.map(one => ({ ...one })) }]]) };
}

const rightlyNamed = 'is it named rightly in the target file?';

/** The fields of a source that an update may set, and a restoration must therefore carry. */
const settable = Object.keys(endpoints['update-qualifying-event'].data.properties).filter(
  field => field !== 'name' && !unsettable.includes(field),
);

/** Returns why a source must not be written: the list shows a required field in a form that no request accepts. */
function shownAmiss(name: string, listed: JsonObject): Obstruction | undefined {
  const { body } = endpoints['update-qualifying-event'];
  const shown = Object.fromEntries(body.required.flatMap(field => (field in listed ? [[field, listed[field]]] : [])));
  const wrong = new Set(validatorFor(body)(shown).map(({ pointer }) => steps(pointer)[0]));
  const amiss = body.required.filter(field => field in shown && wrong.has(field));
  if (amiss.length === 0) return undefined;
  const because = `the list shows ${amiss.join(', ')} of the qualifying event ${name} as no request takes it, so it could not be put back`;
  return { because };
}

/**
 * Returns why a source must not be written: an update would reset fields that no list shows. Undefined if it may. Of a
 * source that shows to have no team, the team's id is known too.
 */
function replacedUnseen(shown: ReadonlySet<string>, listed: JsonObject): Obstruction | undefined {
  const unseen = settable.filter(field => !shown.has(field) && !showsNone(listed, field));
  if (unseen.length === 0) return undefined;
  const { method, path } = endpoints['list-qualifying-events'];
  const isOfTeam = unseen.every(field => field === 'teamID') && shown.has('team');
  const other = isOfTeam ? 'name a qualifying event without a team first in fixtures.qualifyingEvents, or ' : '';
  const remedy = `${other}have ${method} ${path} show ${unseen.join(', ')}, or an update keep what it does not carry`;
  const because = `an update replaces what it does not carry, as a dry run shows, and no list shows ${unseen.join(', ')}, which could not be put back`;
  return { because, remedy };
}

async function readSources(target: Target, session: RecordedSession, readOnly: boolean): Promise<FixtureReading> {
  const names = fixtureNames(target, 'qualifyingEvents');
  if (names.length === 0) return nothing;
  const subject = subjectOf(target, 'update-qualifying-event');
  const spared = disposableNames(target, 'qualifyingEvents');
  const flags = settable.filter(field => consentFor('update-qualifying-event', field) !== undefined);
  const { sources, read, complete, shown } = await listSources(session, names);
  const entities = new Map<string, JsonObject>();
  const obstructions = new Map<string, Obstruction>();
  const dryRuns = new Set<string>();
  const othersThan = (name: string) => new Map([...sources].filter(([other]) => other !== name));
  for (const name of names) {
    const listed = sources.get(name);
    if (listed === undefined) {
      const because = complete
        ? `the qualifying event ${name} does not stand in the list, of which all ${read} items were read: ${rightlyNamed}`
        : `the qualifying event ${name} was not found among the ${read} items of the list that could be read, so it could not be put back`;
      // If no item can be read, another name would not be found either.
      const remedy = read === 0 ? {} : { remedy: 'fixtures.qualifyingEvents: ["a_metric_source"]' };
      obstructions.set(name, { because, ...remedy });
      continue;
    }
    // Only the subject is written, and a disposable source, whose flags the list need not show.
    const isWritten = name === subject || (spared.includes(name) && flags.some(flag => !Object.hasOwn(listed, flag)));
    const dry = readOnly || !isWritten ? undefined : await readByDryRun(session, name, listed, othersThan(name));
    entities.set(name, { ...listed, ...dry?.more });
    if (dry?.accepted === true) dryRuns.add(name);
    const obstruction =
      shownAmiss(name, listed) ?? (dry?.replaces === true ? replacedUnseen(shown, listed) : undefined);
    if (obstruction !== undefined) obstructions.set(name, obstruction);
  }
  return { ...nothing, entities, obstructions, dryRuns, leftOut: unsettable };
}

/** Reads one source as it was read before the run: from the list, and by a dry run. */
async function readSource(session: RecordedSession, name: string, fields: readonly string[]): Promise<FixtureNow> {
  const now = await lookAtSource(session, name);
  const { entity: listed } = now;
  if (listed === null || fields.every(field => Object.hasOwn(listed, field))) return now;
  return { entity: { ...listed, ...(await readByDryRun(session, name, listed as JsonObject)).more } };
}

async function lookAtSource(session: RecordedSession, name: string): Promise<FixtureNow> {
  const { sources, complete } = await listSources(session, [name]);
  const entity = sources.get(name) ?? null;
  return { entity, isGone: entity === null && complete };
}

async function readGateNow(session: RecordedSession, id: string): Promise<FixtureNow> {
  const { entity, answer } = await readGate(session, id);
  return { entity, isGone: answer.status === 404 };
}

/** Sends the empty patch as it stands: with what a target demands besides it would be a write. */
async function lookAtGate(session: RecordedSession, id: string): Promise<FixtureNow> {
  const answer = await session.send({ endpoint: 'patch-gate', param: id, body: {}, asIs: true });
  return { entity: answer.success ? dataObject(answer) : null, isGone: answer.status === 404 };
}
