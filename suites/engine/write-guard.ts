import { hasDryRun, isOperation, resourceNames } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject, type Members, membersOf } from '../../contracts/json.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type Answer, type ApiRequest, bodyValue, dataObject } from '../protocol/answer.ts';
import { Withheld } from '../protocol/stop.ts';
import type { Obstruction, Target, Writable } from '../protocol/sut.ts';
import type { Arrival } from '../sut/observer.ts';
import { fixtureNames } from '../sut/target.ts';
import { agrees } from './agreement.ts';
import type { TriedFlags } from './environment-flags.ts';

/**
 * The writable fixtures and flags, the gates as they were, and the experiments with groups that the target file does not
 * name.
 */
export interface Known {
  readonly writable: Writable;
  readonly gates: ReadonlyMap<string, JsonObject>;
  readonly flags: TriedFlags;
  readonly unnamed: ReadonlyMap<string, Obstruction>;
}

/** Returns the fields, and their values, that an accepted request to one fixture writes. */
function writtenFields(request: ApiRequest): JsonObject {
  const row = endpointRow(request.endpoint);
  if (row.action === 'disable') return { isEnabled: false };
  const body = bodyValue(request);
  return isObject(body) && !(hasDryRun(row) && body.dryRun === true) ? body : {};
}

/** What the run knows of turning gates back to one value of `isEnabled`. */
interface WayBack {
  /** The gates that had this value and were turned, and of each why it is not turned back, if that was tried. */
  readonly turned: Map<string, string | undefined>;
  /** When each of them was last turned (milliseconds of the run's clock). */
  readonly turnedAt: Map<string, number>;
  /** The gates that were answered as turned back, and when; without those that were also read so. */
  readonly back: Map<string, number>;
  /** True if any gate ever was. */
  isShown: boolean;
}

const wordOf = (isEnabled: boolean): string => (isEnabled ? 'enabled' : 'disabled');

/**
 * Follows the gates that the run disabled or enabled. A target may refuse to turn a gate back: no other gate is turned
 * once it has refused that, or shows afterwards that it was not carried out. A second gate is disabled only after the
 * first was answered as enabled again.
 *
 * @param gates the gates as they were before the run
 * @param settleMs how long after a write an answer may still show what was before
 */
export function createTurnedGates(gates: ReadonlyMap<string, JsonObject>, settleMs: number) {
  const untouched = (): WayBack => ({ turned: new Map(), turnedAt: new Map(), back: new Map(), isShown: false });
  const ways = new Map<unknown, WayBack>([
    [true, untouched()],
    [false, untouched()],
  ]);
  /** Returns what a request to a known gate writes, the value that the gate had, and the way back to it. */
  function subjectOf(request: ApiRequest) {
    const { param = '' } = request;
    const original = gates.get(param)?.isEnabled;
    const way = ways.get(original);
    if (way === undefined || endpointRow(request.endpoint).resource !== 'gate') return null;
    return { param, written: writtenFields(request), original: original === true, way };
  }
  /** True if an answer belongs to a request that was sent when a write answered at `sinceMs` must have taken effect. */
  const hasSettled = ({ reply }: Answer, atMs: number, sinceMs = Number.POSITIVE_INFINITY): boolean =>
    atMs - reply.durationMs >= sinceMs + settleMs;
  return {
    note(answer: Answer, { atMs }: Arrival): void {
      const subject = subjectOf(answer.request);
      // What another method or path is answered with says nothing: OPTIONS to a disable disables nothing.
      if (subject === null || !answer.own) return;
      const { param, way, original } = subject;
      const { isEnabled, ...others } = subject.written;
      const { turned, turnedAt, back } = way;
      if (!answer.success) {
        // Beside other settings it may have been refused for those.
        const isAlone = isEnabled === original && Object.keys(others).length === 0;
        if (isAlone && turned.has(param))
          turned.set(param, `could not be ${wordOf(original)} again (${refusalInWords(answer)})`);
        return;
      }
      const shown = dataObject(answer).isEnabled;
      if (isEnabled === !original) {
        turned.set(param, undefined);
        turnedAt.set(param, atMs);
        back.delete(param);
      } else if (shown === original && turned.delete(param)) {
        back.set(param, atMs);
        way.isShown = true;
      } else if (isEnabled === undefined && shown === original && hasSettled(answer, atMs, turnedAt.get(param))) {
        // A gate that was read as before is proven to be back: another write, or somebody else, may turn it later.
        back.delete(param);
      } else if (isEnabled === undefined && shown === !original && hasSettled(answer, atMs, back.get(param))) {
        back.delete(param);
        turned.set(param, `is not shown as ${wordOf(original)}, although that was accepted`);
      }
    },
    /** Returns why a request must not turn another gate; undefined if it may, or turns none. */
    obstructionTo(request: ApiRequest): string | undefined {
      const subject = subjectOf(request);
      if (subject === null) return undefined;
      const { param, written, original, way } = subject;
      if (written.isEnabled !== !original || way.turned.has(param)) return undefined;
      const entries = [...way.turned];
      const [other, why] = entries.find(([, known]) => known !== undefined) ?? entries[0] ?? [];
      // A gate that was found disabled may stay enabled until the end of the run, when it is put back.
      if (other === undefined || (why === undefined && (way.isShown || !original))) return undefined;
      const [now, before] = [wordOf(!original), wordOf(original)];
      return `gate ${other} was ${now} and ${why ?? `has not been ${before} since`}, so no other gate is ${now}`;
    },
  };
}

/** Holds back requests that would change something irreversibly. */
export type WriteGuard = ReturnType<typeof createWriteGuard>;

/** Returns the entry of the target file for a request's environment: by its id, else by its name. */
function meant(sent: Members, environments: readonly JsonObject[]): JsonObject | undefined {
  return typeof sent.id === 'string'
    ? environments.find(({ id, name }) => (id ?? name) === sent.id)
    : environments.find(({ name }) => name === sent.name);
}

/** Returns why a set of environments must not be sent; undefined if it may. */
function obstructionTo(
  sent: readonly unknown[],
  environments: readonly JsonObject[],
  { refused, blocked }: TriedFlags,
): Obstruction | undefined {
  if (blocked !== undefined) return { because: blocked };
  const named = new Set<JsonObject>();
  for (const item of sent) {
    if (!isObject(item)) continue;
    const entry = meant(item, environments);
    if (entry === undefined) return { because: 'it could create an environment, which the API cannot remove' };
    named.add(entry);
    for (const field of Object.keys(item)) {
      if (field === 'id' || field === 'name' || agrees(item[field], entry[field], undefined)) continue;
      const { name } = entry;
      if (!Object.hasOwn(entry, field)) {
        const because = `the target file does not say what ${field} of the environment ${name} is, so it could not be put back`;
        return { because, remedy: `fixtures.environments: [{ "name": ${JSON.stringify(name)}, "${field}": … }]` };
      }
      if (entry.isProduction === true)
        return { because: `the environment ${name} is production: its ${field} may not be turned back` };
      const because = refused.get(field);
      if (because !== undefined) return { because };
    }
  }
  return named.size === environments.length
    ? undefined
    : { because: 'it does not carry every environment, and may replace the whole set' };
}

/**
 * Returns a guard before anything was read.
 *
 * `token` stands in every name that the run makes up: an id with it names nothing, or what the run created.
 */
export function createWriteGuard(
  target: Target,
  { token, settleMs }: { readonly token: string; readonly settleMs: number },
) {
  let known: Known | undefined;
  let turnedGates = createTurnedGates(new Map(), settleMs);
  const environments = (target.fixtures.environments ?? []) as readonly JsonObject[];
  const refuseIf = (found: Obstruction | undefined): void => {
    if (found !== undefined) throw new Withheld(found.because, found.remedy);
  };
  /** True if a request may change an entity that the target file does not name: an id like another may be that of one. */
  function isForeign({ endpoint, param, method, rawPath, raw, body }: ApiRequest): boolean {
    const row = endpointRow(endpoint);
    const { fixture, effect } = row;
    if (effect === 'read' || fixture === null || param === undefined || rawPath !== undefined) return false;
    if (method !== undefined || param.includes(token) || fixtureNames(target, fixture).includes(param)) return false;
    const { dryRun, ...fields } = membersOf(body);
    if (hasDryRun(row) && dryRun === true) return false;
    return !isOperation(row, 'gate', 'patch') || raw !== undefined || Object.keys(fields).length > 0;
  }
  return {
    /** Sets what may be written. Before that nothing is held back, because fixtures are only read. */
    learn(told: Known): void {
      known = told;
      turnedGates = createTurnedGates(told.gates, settleMs);
    },
    note: (answer: Answer, arrival: Arrival): void => turnedGates.note(answer, arrival),
    /** Throws `Withheld` for a request that would write more, whether or not the target should accept it. */
    admit(request: ApiRequest): void {
      const { endpoint, param, method } = request;
      const row = endpointRow(endpoint);
      if (known === undefined) return;
      const { writable, flags, unnamed } = known;
      if (isForeign(request))
        refuseIf({ because: `the target file does not name ${resourceNames[row.resource]} ${param}` });
      if (isOperation(row, 'experiment', 'update')) refuseIf(unnamed.get(param ?? ''));
      if (row.effect !== 'restorable' || method !== undefined) return;
      if (isOperation(row, 'environment', 'update')) {
        const { environments: sent } = membersOf(bodyValue(request));
        if (Array.isArray(sent)) refuseIf(obstructionTo(sent, environments, flags));
        return;
      }
      const fields = Object.entries(writtenFields(request));
      if (fields.length > 0) refuseIf(writable.entity(endpoint, param));
      for (const [field, value] of fields) {
        const because = writable.field(endpoint, param, field, value);
        const name = `${field} of ${resourceNames[row.resource]} ${param}`;
        if (because !== undefined) throw new Withheld(`${name} is not written: ${because}`);
      }
      const because = turnedGates.obstructionTo(request);
      if (because !== undefined) throw new Withheld(because);
    },
  };
}
