import type { Json, JsonObject, Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { mostTogether } from '../../state/crowd.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { fixtureNames } from '../../sut/target.ts';
import { nextMark } from '../scenarios/changes.ts';
import type { NamedScenario } from '../scenarios/scenario.ts';
import { allSources } from './event-stored.ts';
import { look, patchOf, type Scene, type Step, stimulus, write } from './stimulus.ts';
import { together } from './together.ts';

/** Makes the races of one operation, about these requirements. */
export type Races = (context: CheckContext, about: readonly RequirementId[]) => readonly NamedScenario[];

const long = (mark: string): string => `${mark}. `.repeat(8).trim();
const list = (mark: string): Json => [0, 1, 2].map(number => `${mark}-${number}`);

/** New values that differ from the present ones: a text identifies its sender, any other value is toggled. */
// biome-ignore format: a table
const values = {
  description:        (_before: Members, mark: string): Json => long(mark),
  tags:               (_before: Members, mark: string): Json => list(mark),
  isEnabled:          ({ isEnabled }: Members): Json => isEnabled !== true,
  type:               ({ type }: Members): Json => (type === 'PERMANENT' ? 'TEMPORARY' : 'PERMANENT'),
  measureMetricLifts: ({ measureMetricLifts }: Members): Json => measureMetricLifts !== true,
};
type Field = keyof typeof values;

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

/** Returns a patch of the gate with those of the fields that may be sent. */
function patchWith(scene: Scene, fields: readonly Field[], more: JsonObject = {}) {
  const { context, session, seen } = scene;
  const { param = '' } = context.minimal;
  const mark = nextMark(context, session);
  const all = fields.filter(mayBeSent(scene)).map(field => [field, values[field](seen.get(param) ?? {}, mark)]);
  return patchOf(param, { ...(Object.fromEntries(all) as JsonObject), ...more });
}

const carries = ({ body }: { readonly body: JsonObject }): boolean => Object.keys(body).length > 0;

const gate = look(entityKinds.gate);

/** Section 4.6: only the fields sent change, even if patches of one gate meet. */
export const gateRaces: Races = ({ amounts: { races = 1 } }, about) => {
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
export const disableRaces: Races = ({ amounts: { races = 1 } }, about) =>
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

/**
 * Returns distinct texts for these fields. An update may replace the whole, so concurrent ones all send all of them.
 */
function marked({ context, session }: Scene, fields: Readonly<Record<string, (mark: string) => Json>>) {
  const mark = nextMark(context, session);
  const sent = Object.entries(fields).filter(([field]) => context.target.withheld?.(field) === undefined);
  return Object.fromEntries(sent.map(([field, value]) => [field, value(mark)])) as JsonObject;
}
const ofSource = { description: long, tags: list };
const ofExperiment = { description: long, hypothesis: long };

/** Sends concurrent full updates of the endpoint's subject, each with texts of its own. */
const updates = (count: number, fields: Parameters<typeof marked>[1]): Step =>
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
          const { target, discovered } = scene.context;
          const minimal = minimalRequest(target, discovered, 'update-qualifying-event', param);
          const body = isBlockedRequest(minimal) ? null : { ...minimal.body, ...marked(scene, { description: long }) };
          return body === null ? [] : [{ endpoint: 'update-qualifying-event' as const, param, body }];
        }),
    'this takes two qualifying events',
  );

/** Section 4.11: the list shows the values of the last update, even if several meet. */
export const sourceRaces: Races = ({ amounts: { races = 1 } }, about) => {
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
export const experimentRaces: Races = ({ amounts: { races = 1 } }, about) =>
  Array.from({ length: Math.ceil(races / 2) }, () => ({
    title: 'full updates at once of one experiment',
    run: stimulus(about, updates(2, ofExperiment)),
  }));

/** Section 4.8: enabling groups concurrently with an update loses nothing of it. */
export const enableRaces: Races = ({ target, discovered, minimal: { param }, amounts: { races = 1 } }, about) => {
  const update = minimalRequest(target, discovered, 'update-experiment', param);
  if (isBlockedRequest(update)) return [];
  const meeting = together(scene => {
    const body = { ...update.body, ...marked(scene, ofExperiment) };
    return [{ endpoint: 'update-experiment', param, body }, minimalApiRequest(scene.context)];
  }, tooFew);
  const shown = entityKinds.experiment;
  return Array.from({ length: Math.ceil(races / 3) }, () => ({
    title: 'enabling groups beside an update',
    run: stimulus(about, known(shown), meeting, look(shown)),
  }));
};

/** Section 4.1: if several clients send the same set concurrently, each answer lists every environment. */
export const environmentRaces: Races = ({ amounts: { races = 1 } }, about) =>
  Array.from({ length: Math.ceil(races / 3) }, () => ({
    title: 'the same full set of environments at once',
    run: stimulus(
      about,
      together(({ context }) => rounds([minimalApiRequest(context)], races > 1 ? 3 : 2), tooFew),
    ),
  }));
