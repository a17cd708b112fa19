import { hasDryRun, isOperation, resourceNames } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject, type Members, membersOf } from '../../contracts/json.ts';
import { type Answer, type ApiRequest, bodyValue } from '../protocol/answer.ts';
import { Withheld } from '../protocol/stop.ts';
import type { Obstruction, Target, Writable } from '../protocol/sut.ts';
import type { Arrival } from '../sut/observer.ts';
import { fixtureNames } from '../sut/target.ts';
import { agrees } from './agreement.ts';
import type { TriedFlags } from './environment-flags.ts';
import { createTurnedGates, writtenFields } from './turned-gates.ts';

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
