import { endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { type NearChange, nearChanges } from '../generators/index.ts';
import { isClientError } from '../judge/outcome.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type Answer, dataObject } from '../protocol/answer.ts';
import { type Change, changed } from '../protocol/base.ts';
import { type RunStopped, stopOf, unlessGivenUp } from '../protocol/stop.ts';
import type { Obstruction, Target } from '../protocol/sut.ts';
import { oneByOne, seekAccepted } from '../sut/nearest.ts';
import type { RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import type { KnownFixtures } from './writable.ts';

/** The gates that could be read, why others could not, and the fields that were written to read them. */
export interface GateReading extends Pick<KnownFixtures, 'entities' | 'obstructions'> {
  readonly overwritten: ReadonlyMap<string, readonly string[]>;
  /** What ended the run before all gates were read, or null. */
  readonly cut: RunStopped | null;
}

/** Statuses that reject the empty patch as a request, rather than access to the gate. */
const refusesEmptyPatch: ReadonlySet<number> = new Set([400, 405, 409, 422]);

/** Statuses that a patch may get because a field is missing. */
const refusesFields: ReadonlySet<number> = new Set([400, 422]);

/** A member that no section names: a service that wants any member at all shows the gate, and has nothing to change. */
const namesNothing: readonly Change[] = [{ pointer: '/conformReads', becomes: true }];

/** Fields of a gate that are never written just to read the gate: who uses it would notice. */
const consequential: ReadonlySet<string> = new Set(['isEnabled', 'name', 'rules', 'idType']);

/** The fields whose loss matters least, first. */
const leastMissed: readonly string[] = ['measureMetricLifts', 'description', 'tags', 'type'];

const { method, path } = endpoints['patch-gate'];
const remedy = `have ${method} ${path} with an empty body show the gate (section 4.6)`;

const fieldsOf = (changes: readonly Change[]): readonly string[] => changes.map(({ pointer }) => pointer.slice(1));

/** Returns the changes by which a gate may be read, those that lose least first. */
function waysToRead(target: Target): readonly NearChange[] {
  const { body, data } = endpoints['patch-gate'];
  const shown = nearChanges(body, {}, target).more.filter(
    ({ field }) => field in data.properties && !consequential.has(field),
  );
  const first = leastMissed.flatMap(name => shown.filter(({ field }) => field === name));
  return [...new Set([...first, ...shown])];
}

/**
 * Reads the gates by the empty patch as it stands, whatever the target demands besides. Where it is refused, by one with
 * a member that no section names, or else with a field of little consequence, which is overwritten. None turns the gate.
 * One that tells the gate to stay as it is shows whether the field is demanded.
 */
export async function readGates(target: Target, session: RecordedSession): Promise<GateReading> {
  const entities = new Map<string, JsonObject>();
  const obstructions = new Map<string, Obstruction>();
  const overwritten = new Map<string, readonly string[]>();
  /** The changes by which another gate was read. */
  let known: readonly Change[] | undefined;
  const readOne = async (id: string): Promise<void> => {
    const patch = (body: JsonObject): Promise<Answer> =>
      session.send({ endpoint: 'patch-gate', param: id, body, asIs: true });
    // Reuse what the first requests of the run have read.
    const before = session.lastWritten(id);
    if (before !== undefined) return void entities.set(id, before as JsonObject);
    const empty = await patch({});
    if (empty.success) return void entities.set(id, dataObject(empty));
    if (empty.status === 404) {
      const because = `the gate ${id} was not found (${refusalInWords(empty)}): is it named rightly in the target file?`;
      return void obstructions.set(id, { because, remedy: 'fixtures.gates: ["a_gate"]' });
    }
    const unreadable = (how: string): void => {
      const because = `the gate ${id} could not be read${how} (${refusalInWords(empty)}), so it could not be put back`;
      obstructions.set(id, { because, ...(how !== '' && { remedy }) });
    };
    // The checks judge missing answers and 5xx.
    if (!refusesEmptyPatch.has(empty.status)) return isClientError(empty) ? unreadable('') : undefined;
    const written = new Set<string>();
    const sent = async (changes: readonly Change[]): Promise<Answer> => {
      const answer = await patch(changed({}, changes));
      if (!answer.success) return answer;
      known = changes;
      for (const field of fieldsOf(changes)) if (field in endpoints['patch-gate'].body.properties) written.add(field);
      // Whatever comes next, it has been written.
      if (written.size > 0) overwritten.set(id, [...written]);
      entities.set(id, dataObject(answer));
      return answer;
    };
    const { bases } = session;
    const demanded = bases?.get('patch-gate')?.changes ?? [];
    if (known !== undefined) await sent(known);
    else if (demanded.length > 0) {
      if (!fieldsOf(demanded).some(field => consequential.has(field))) await sent(demanded);
    } else if (!(await sent(namesNothing)).success && bases?.has('patch-gate') === false) {
      const { changes, tried } = await seekAccepted(empty, { more: waysToRead(target), less: [], other: [] }, sent, [
        oneByOne,
      ]);
      const { isEnabled } = entities.get(id) ?? {};
      // A gate that is told to stay as it is does: a refusal is for want of a field.
      const isDemanded = typeof isEnabled === 'boolean' && refusesFields.has((await patch({ isEnabled })).status);
      if (changes !== null && isDemanded) bases.set('patch-gate', { changes });
      if (changes === null && refusesFields.has(empty.status))
        bases.set('patch-gate', {
          changes: [],
          lost: `no patch that leaves the gate as it is was accepted (${tried})`,
        });
    }
    if (!entities.has(id)) unreadable(' without a change that its users would notice');
  };
  let cut: RunStopped | null = null;
  for (const id of fixtureNames(target, 'gates')) cut ??= await stopOf(unlessGivenUp(readOne(id), undefined));
  return { entities, obstructions, overwritten, cut };
}
