import { isOperation } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import { type JsonObject, objectsIn } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { said } from '../../judge/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  covering,
  minimalApiRequest,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { type DisposableKind, disposableLine } from '../../protocol/disposable.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { leavesTooMuch } from '../active/dry-run.ts';
import { disposableBeside } from '../scenarios/beside.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';
import { allSources } from './event-stored.ts';
import { contextFor } from './sequence-subjects.ts';
import { look, type Scene, type Step, stimulus, takeSteps, write } from './stimulus.ts';

const stored: RequirementId = 'state.environment-stored';
/** What shows that an update of an experiment was stored. */
const readBack: RequirementId = 'state.enable-groups-frame';

/**
 * Writes fields of a disposable fixture beside the smallest update of it. Refusing them is open. Of the answers only
 * these fields are judged, or those in `judged`, as such a value may change others: a launch decides the experiment.
 */
const written = (
  what: string,
  param: string,
  fields: (scene: Scene) => JsonObject | undefined,
  judged?: readonly string[],
): Step => {
  const send: Step = async scene => {
    const more = fields(scene);
    const its = contextFor(scene.context, scene.context.endpoint, param);
    if (more === undefined || its === undefined) return { because: `${param} cannot be sent ${what}` };
    const body = { ...its.minimal.body, ...more };
    const request = { ...minimalApiRequest(its, body), onlyJudged: judged ?? Object.keys(more) };
    return write({ what: `${what} of ${param}`, request: () => request })(scene);
  };
  return send;
};

/** Sends a disposable experiment each status but its own, and then its own again. */
const everyStatus =
  (id: string): Scenario =>
  async (context, session, care) => {
    const own = contextFor(context, 'update-experiment', id)?.minimal.body?.status;
    const all = endpoints['update-experiment'].body.properties.status.enum.filter(status => status !== own);
    const steps = [...all, own ?? 'setup'].map(status => written(`the status ${status}`, id, () => ({ status })));
    const each: Step = async scene => {
      let accepted = 0;
      let last: Awaited<ReturnType<Step>>;
      for (const step of steps) {
        last = await step(scene);
        if (last === undefined) accepted += 1;
      }
      return accepted > 0 ? undefined : last;
    };
    return stimulus(['echo.sent-field'], each)(context, session, care);
  };

/**
 * Gives a disposable experiment two groups of new names, which get their ids from the service, and then its own. Whether
 * an experiment may get other groups, and what becomes of the old ones, is not stated; but no such update is a 500.
 */
const regrouped = (id: string): Scenario => {
  const groups = ({ context: { token } }: Scene): JsonObject[] =>
    ['a', 'b'].map(letter => ({ name: `conform ${token} ${letter}`, size: 50, parameterValues: {} }));
  const anew = written('groups of new names', id, scene => ({ groups: groups(scene) }), []);
  return stimulus(
    ['robust.never-5xx'],
    anew,
    written('its own groups', id, () => ({})),
  );
};

/**
 * Launches a group of a disposable experiment, which a reading then shows. A service may leave the field out until it is
 * set: shown only after it was sent, it was stored.
 */
const launched =
  (id: string): Scenario =>
  async (context, session, care) => {
    const shown = look(entityKinds.experiment, () => [id]);
    const group = ({ seen }: Scene): JsonObject | undefined => {
      const launchedGroupID = objectsIn(seen.get(id)?.groups).at(-1)?.id;
      return typeof launchedGroupID === 'string' ? { launchedGroupID } : undefined;
    };
    let isStored = false;
    const launch: Step = async scene => {
      const { launchedGroupID: sent } = group(scene) ?? {};
      const isUnset = (scene.seen.get(id)?.launchedGroupID ?? null) === null;
      const ended = await takeSteps(scene, [written('the launched group', id, group), shown]);
      isStored = isUnset && sent !== undefined && scene.seen.get(id)?.launchedGroupID === sent;
      return ended;
    };
    const result = await stimulus([readBack], shown, launch)(context, session, care);
    return isStored && result.violations.length === 0 ? covering([], [...(result.covers ?? []), readBack]) : result;
  };

/** The flags that only some keys may set, one at a time, and then neither. */
const flags: readonly JsonObject[] = [
  { isVerified: true, isReadOnly: false },
  { isVerified: false, isReadOnly: true },
  { isVerified: false, isReadOnly: false },
];

/** Sets the flags of a disposable source; the list shows them, and the sources beside it. */
const flagged = (name: string): Scenario => {
  const listed: Step = async scene => void (await allSources(scene));
  const steps = flags.flatMap(one => [written('the flags', name, () => one), listed]);
  return stimulus(['state.qualifying-event-visible', 'state.neighbours'], listed, ...steps);
};

/**
 * Renames a disposable environment by its id (to a shorter name if a long one is refused), sends the set without its
 * name, and gives it its name back. The first answer must show the new name, unless the service knows environments by
 * their names and has made another one. What an absent name means is not stated; but the old name, after an answer
 * with the new one, shows that nothing was stored.
 */
const renamed =
  (name: string): Scenario =>
  async (context, session) => {
    const set = objectsIn(context.minimal.body?.environments) as readonly JsonObject[];
    const { id } = set.find(one => one.name === name) ?? {};
    if (id === undefined) return unproved(`the target file gives the environment ${name} no id to be renamed by`);
    const short = `renamed-${context.token}`;
    const long = `${short}-to-what-is-longer-than-a-short-column`;
    // Longer than columns of a database often hold.
    const shorter = [`${long}${'-and-still-longer'.repeat(6)}`, long, short];
    let [other = short] = shorter.splice(0, 1);
    const send = (change: (own: JsonObject) => JsonObject, onlyJudged?: readonly string[]): Promise<Answer> => {
      const environments = set.map(one => (one.id === id ? change(one) : one));
      return session.send({ ...minimalApiRequest(context, { environments }), ...present({ onlyJudged }) });
    };
    const shownIn = (answer: Answer) => objectsIn(dataObject(answer).environments);
    const nameIn = (answer: Answer): unknown => shownIn(answer).find(one => one.id === id)?.name;
    const found: Violation[] = [];
    const compare = (answer: Answer, requirement: RequirementId): void => {
      const shown = nameIn(answer);
      const isCut = typeof shown === 'string' && shown !== other && shown !== '' && other.startsWith(shown);
      if (shown !== name && !isCut) return;
      const pointer = `/data/environments/${shownIn(answer).findIndex(one => one.id === id)}/name`;
      found.push(violation(answer, requirement, pointer, said(other), said(shown)));
    };
    const rename = (): Promise<Answer> => send(own => ({ ...own, name: other }), []);
    let first = await rename();
    while (isClientError(first) && shorter.length > 0) {
      other = shorter.shift() ?? short;
      first = await rename();
    }
    if (!first.success) return unproved(`another name was refused (${refusalInWords(first)})`);
    if (!shownIn(first).some(one => one.name === other)) compare(first, 'echo.sent-field');
    const later = nameIn(first) === other ? await send(({ name: _, ...own }) => own, []) : undefined;
    if (later?.success === true) compare(later, stored);
    await send(own => own);
    if (found.length > 0) return covering(found, [stored]);
    return later?.success === true && nameIn(later) === other
      ? covering([], [stored])
      : unproved('no answer shows what became of the new name');
  };

/** What is tried of a disposable fixture of each kind, by the operation that writes to it. */
interface Trial {
  readonly kind: DisposableKind;
  readonly cases: (name: string) => readonly NamedScenario[];
  readonly about: readonly RequirementId[];
}

// biome-ignore format: a table
const trials: Readonly<Partial<Record<EndpointId, Trial>>> = {
  'update-experiment': {
    kind: 'experiments',
    cases: id => [
      { title: 'a launched group, read back', run: launched(id) },
      { title: 'every status', run: everyStatus(id) },
      // The last: a service need not know the old groups by their ids any more.
      { title: 'groups of new names', run: regrouped(id) },
    ],
    about: [readBack],
  },
  'update-qualifying-event': {
    kind: 'qualifyingEvents',
    cases: name => [{ title: 'verified and read-only in turn, and the list after each', run: flagged(name) }],
    about: ['state.qualifying-event-visible', 'state.neighbours'],
  },
  'update-environments': {
    kind: 'environments',
    cases: name => [{ title: 'another name, and the set without it', run: renamed(name) }],
    about: [stored, 'echo.sent-field'],
  },
};

const trialOf = ({ endpoint }: Pick<CheckContext, 'endpoint'>): Trial => trials[endpoint] as Trial;

/**
 * Fields that may lock, end or rename an entity are sent to the fixtures that the target file marks as disposable. A
 * SHOULD, because a target file that marks none is complete: untested, the check keeps no endpoint from conforming.
 */
export const disposable: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'disposable',
  level: 'SHOULD',
  title: 'A disposable fixture takes what may lock, end or rename it',
  detects:
    'A flag that is answered but not stored, or stored of the next source too; a status mixed up with another; a launched group or a new name that is lost.',
  requirements: (_row, endpoint) => [...trialOf({ endpoint }).about, ...liveness],
  appliesTo: row =>
    ['experiment', 'qualifying-event', 'environment'].some(one => isOperation(row, one as never, 'update')),
  plan(context) {
    const { kind, cases } = trialOf(context);
    const name = disposableBeside(context, kind);
    if (name === undefined) {
      const because = `the target file marks no second one of fixtures.${kind} as disposable`;
      return { because, remedy: disposableLine(kind) };
    }
    // Nothing takes an experiment back that has ended.
    if (kind === 'experiments' && context.amounts.creations === 1) return leavesTooMuch;
    return planOf(context, ...cases(name));
  },
};
