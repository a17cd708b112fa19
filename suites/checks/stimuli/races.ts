import type { Action, Endpoint, Resource } from '../../../contracts/endpoint.ts';
import type { Json, JsonObject, Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { mostTogether } from '../../state/crowd.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';
import { nextMark } from '../scenarios/changes.ts';
import { readRaces } from '../scenarios/race-reads.ts';
import { liveness, type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { allSources } from './event-stored.ts';
import { contextFor } from './sequence-subjects.ts';
import { look, patchOf, type Scene, type Step, stimulus, together, write } from './stimulus.ts';

/** Makes the races of one operation, about these requirements. `races`: the rounds of each kind. */
type Races = (races: number, about: readonly RequirementId[], context: CheckContext) => readonly NamedScenario[];

/** The fields that races write. */
type Field = 'description' | 'hypothesis' | 'tags' | 'isEnabled' | 'type' | 'measureMetricLifts';

/** Returns a new value: a text identifies its sender by the mark, any other differs from the present one. */
function newValue(field: Field, before: Members, mark: string): Json {
  if (field === 'description' || field === 'hypothesis') return `${mark}. `.repeat(8).trim();
  if (field === 'tags') return [0, 1, 2].map(number => `${mark}-${number}`);
  if (field === 'type') return before.type === 'PERMANENT' ? 'TEMPORARY' : 'PERMANENT';
  return before[field] !== true;
}

/** The fields that each write of a race carries. */
type Division = readonly (readonly Field[])[];

// biome-ignore format: a table
const different: readonly Division[] = [
  [['description'], ['tags']],
  [['isEnabled'], ['description']],
  [['tags'], ['measureMetricLifts']],
  [['type'], ['tags']],
  [['description'], ['isEnabled', 'tags']],
];
// biome-ignore format: a table
const same: readonly Division[] = [
  [['description', 'tags'], ['description', 'tags']],
  [['tags'], ['tags'], ['tags']],
];
// biome-ignore format: a table
const many: Division = [
  ['description'], ['tags'], ['isEnabled'], ['type'], ['measureMetricLifts'], ['description'], ['tags'], ['description'],
];

const rounds = <T>(tables: readonly T[], count: number): readonly T[] =>
  Array.from({ length: count }, (_, index) => tables[index % tables.length] as T);

const tooFew = 'no two of its fields may be written';

/** Reads the entity, unless the check's previous race has. A repetition always reads it, whatever came before. */
function known(kind: EntityKind): Step {
  let isAgain = false;
  return async scene => {
    const isKnown = !isAgain && scene.seen.has(scene.context.minimal.param ?? '');
    isAgain = true;
    return isKnown ? undefined : look(kind)(scene);
  };
}

const mayBeSent =
  ({ context: { target } }: Scene) =>
  (field: Field): boolean =>
    target.withheld?.(field) === undefined;

/** Returns new values of those of the fields that may be sent. */
function marked(scene: Scene, fields: readonly Field[], before: Members = {}): JsonObject {
  const mark = nextMark(scene.context, scene.session);
  return Object.fromEntries(fields.filter(mayBeSent(scene)).map(field => [field, newValue(field, before, mark)]));
}

/** Returns a patch of the gate with those of the fields that may be sent. */
function patchWith(scene: Scene, fields: readonly Field[], more: JsonObject = {}) {
  const { param = '' } = scene.context.minimal;
  return patchOf(param, { ...marked(scene, fields, scene.seen.get(param)), ...more });
}

const carries = ({ body }: { readonly body: JsonObject }): boolean => Object.keys(body).length > 0;

const gate = look(entityKinds.gate);

/** Section 4.6: only the fields sent change, even if patches of one gate meet. */
const gateRaces: Races = (races, about) => {
  const race = (title: string, division: Division): NamedScenario => ({
    title: `${title}: ${division.map(fields => fields.join(' and ')).join(', ')}`,
    run: stimulus(
      about,
      known(entityKinds.gate),
      together(scene => division.map(fields => patchWith(scene, fields)).filter(carries), tooFew),
      gate,
    ),
  });
  return [
    ...rounds(different, races).map(division => race('patches at once of different fields', division)),
    ...rounds(same, Math.ceil(races / 2)).map(division => race('patches at once of one field', division)),
    ...rounds([many], Math.floor(races / 3)).map(division => race('eight patches at once', division)),
  ];
};

const enabled = write({
  what: 'enabling the gate first',
  request: ({ context }) => patchOf(context.minimal.param ?? '', { isEnabled: true }),
});

/** Replacements, of which one is sent, if none of a race's fields may be. */
const instead: readonly Field[] = ['tags', 'measureMetricLifts', 'type'];

/** Returns a patch to send with a disable. If no field may be sent, it enables the gate instead. */
function patchBeside(scene: Scene, fields: readonly Field[], more: JsonObject) {
  const sent = fields.some(mayBeSent(scene)) ? fields : instead.filter(mayBeSent(scene)).slice(0, 1);
  return patchWith(scene, sent, sent.length === 0 ? { isEnabled: true } : more);
}

// biome-ignore format: a table
const disabling = [
  { fields: ['description'],         more: {} },
  { fields: ['tags', 'description'], more: { isEnabled: true } },
] as const;

/** Sections 4.6 and 4.7: a disable concurrent with a patch changes `isEnabled` alone, and nothing is lost. */
const disableRaces: Races = (races, about) =>
  rounds(disabling, Math.ceil(races / 2) + (races > 2 ? 1 : 0)).map(({ fields, more }) => ({
    title: `disabling beside a patch of ${[...fields, ...Object.keys(more)].join(' and ')}`,
    run: stimulus(
      about,
      enabled,
      together(
        scene => [minimalApiRequest(scene.context), ...[patchBeside(scene, fields, more)].filter(carries)],
        tooFew,
      ),
      gate,
    ),
  }));

/** The texts of full updates. An update may replace the whole, so concurrent ones all send all of them. */
const ofSource: readonly Field[] = ['description', 'tags'];
const ofExperiment: readonly Field[] = ['description', 'hypothesis'];

/** Sends concurrent full updates of the endpoint's subject, each with texts of its own. */
const updates = (count: number, fields: readonly Field[]): Step =>
  together(
    scene =>
      Array.from({ length: count }, () => {
        const { context } = scene;
        return minimalApiRequest(context, { ...context.minimal.body, ...marked(scene, fields) });
      }),
    tooFew,
  );

/** Sends concurrent updates, each of a different source. */
const apart = (most: number): Step =>
  together(
    scene =>
      fixtureNames(scene.context.target, 'qualifyingEvents')
        .slice(0, most)
        .flatMap(param => {
          const own = contextFor(scene.context, 'update-qualifying-event', param);
          return own ? minimalApiRequest(own, { ...own.minimal.body, ...marked(scene, ['description']) }) : [];
        }),
    'this takes two qualifying events',
  );

/** Section 4.11: the list shows the values of the last update, even if several meet. */
const sourceRaces: Races = (races, about) => {
  const source = entityKinds['qualifying-event'];
  const alone = Array.from({ length: Math.ceil(races / 2) }, (_, index): NamedScenario => {
    const count = index === 1 ? 4 : 2;
    return {
      title: `${count} updates at once of one qualifying event`,
      run: stimulus(about, known(source), updates(count, ofSource), look(source)),
    };
  });
  const each = stimulus(about, apart(races > 1 ? mostTogether : 3), async scene => void (await allSources(scene)));
  return [...alone, { title: 'updates at once, each of a qualifying event of its own', run: each }];
};

/** Section 4.4: the answer to each of several concurrent full updates shows what was sent. */
const experimentRaces: Races = (races, about) =>
  Array.from({ length: Math.ceil(races / 2) }, () => ({
    title: 'full updates at once of one experiment',
    run: stimulus(about, updates(2, ofExperiment)),
  }));

/** Section 4.8: enabling groups concurrently with an update loses nothing of it. */
const enableRaces: Races = (races, about, context) => {
  const own = contextFor(context, 'update-experiment', context.minimal.param);
  if (own === undefined) return [];
  // What is sent first may be carried out first, so the rounds differ.
  const meeting = (isFirst: boolean): Step =>
    together(scene => {
      const body = { ...own.minimal.body, ...marked(scene, ofExperiment) };
      const both = [minimalApiRequest(scene.context), minimalApiRequest(own, body)];
      return isFirst ? both : both.reverse();
    }, tooFew);
  const shown = entityKinds.experiment;
  return Array.from({ length: Math.ceil(races / 3) }, (_, round) => ({
    title: 'enabling groups beside an update',
    run: stimulus(about, known(shown), meeting(round % 2 === 0), look(shown)),
  }));
};

/** Section 4.1: if several clients send the same set concurrently, each answer lists every environment. */
const environmentRaces: Races = (races, about) =>
  Array.from({ length: Math.ceil(races / 3) }, () => ({
    title: 'the same full set of environments at once',
    run: stimulus(
      about,
      together(({ context }) => rounds([minimalApiRequest(context)], races > 1 ? 3 : 2), tooFew),
    ),
  }));

/** The races of one kind of operation, and the requirements that they can show to be broken. */
interface RaceKind {
  readonly resource: Resource | 'any';
  readonly action: Action;
  readonly races: Races;
  readonly requirements: readonly RequirementId[];
}

// biome-ignore format: a table
const kinds: readonly RaceKind[] = [
  { resource: 'gate',             action: 'patch',   races: gateRaces,        requirements: ['state.concurrent-fields', 'state.concurrent-values', 'reject.no-trace'] },
  { resource: 'gate',             action: 'disable', races: disableRaces,     requirements: ['state.concurrent-fields', 'state.concurrent-values', 'state.disable-gate-false'] },
  { resource: 'qualifying-event', action: 'update',  races: sourceRaces,      requirements: ['state.concurrent-values', 'state.concurrent-answers', 'reject.no-trace'] },
  { resource: 'experiment',       action: 'update',  races: experimentRaces,  requirements: ['state.concurrent-values'] },
  { resource: 'experiment',       action: 'enable',  races: enableRaces,      requirements: ['state.concurrent-fields'] },
  { resource: 'environment',      action: 'update',  races: environmentRaces, requirements: ['state.concurrent-answers'] },
  { resource: 'any',              action: 'list',    races: readRaces,        requirements: ['state.concurrent-reads'] },
];

const kindOf = ({ resource, action }: Endpoint): RaceKind | undefined =>
  kinds.find(kind => kind.action === action && (kind.resource === 'any' || kind.resource === resource));

/** Number of times that a replay repeats a race, since it may take luck. */
const tries = 50;

/** Sections 4.1 to 4.8 and 4.11 to 4.15: concurrent requests are neither lost nor mixed up. */
export const races: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'races',
  level: 'MUST',
  title: 'Of what is sent at the same moment nothing is lost, torn or mixed up',
  detects:
    'A read, a change and a write without a lock between them: of two updates at once one is lost; an answer or a cache that requests share.',
  requirements: row => [...(kindOf(row)?.requirements ?? []), ...liveness],
  appliesTo: row => kindOf(row) !== undefined,
  tries,
  plan(context) {
    const { races: of, requirements = [] } = kindOf(context.row) ?? {};
    const scenarios = of?.(context.amounts.races ?? 1, [...requirements, 'robust.never-5xx'], context) ?? [];
    if (scenarios.length === 0) return { because: 'nothing that may be written shows what races leave' };
    // A larger profile has more rounds with the same title.
    return planOf(context, ...scenarios.map(one => ({ ...one, isOneOfMany: true })));
  },
};
