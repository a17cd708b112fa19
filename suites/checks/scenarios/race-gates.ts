import { endpoints } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject, Members } from '../../../contracts/json.ts';
import { dataObject } from '../../protocol/answer.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { putBackGate, watchEntity } from '../../state/control.ts';
import type { RaceRules } from '../../state/race.ts';
import { readGate, readSettledGate } from '../../state/reading.ts';
import { type Contest, raceMark, raceOver, racing } from './race.ts';
import type { NamedScenario } from './scenario.ts';

/** Another value of a field than it has: it bears the mark where it is a text, and is turned round where it is not. */
// biome-ignore format: a table
const values = {
  description:        (_before: Members, mark: string): Json => `${mark}. `.repeat(8).trim(),
  tags:               (_before: Members, mark: string): Json => [0, 1, 2].map(number => `${mark}-${number}`),
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

const same: readonly Division[] = [
  [
    ['description', 'tags'],
    ['description', 'tags'],
  ],
  [['tags'], ['tags'], ['tags']],
];

const many: Division = [
  ['description'],
  ['tags'],
  ['isEnabled'],
  ['type'],
  ['measureMetricLifts'],
  ['description'],
  ['tags'],
  ['description'],
];

const rulesOf = ({ endpoint, token }: CheckContext): RaceRules => ({
  row: endpoints['patch-gate'],
  fields: 'state.concurrent-fields',
  keepsRest: true,
  ...(endpoint === 'patch-gate' ? { trace: 'reject.no-trace' } : { shows: 'state.disable-gate-false' }),
  at: '/data',
  mark: raceMark(token),
});

/** The parts of a contest that are the same for every race over one gate. */
const gateContest = (context: CheckContext): Omit<Contest, 'writes'> => {
  const id = context.minimal.param ?? '';
  return {
    rules: rulesOf(context),
    read: (session, { eventually }, settled) =>
      settled ? readSettledGate(session, id, eventually) : readGate(session, id),
    watch: (session, readings) => watchEntity(endpoints['patch-gate'], () => readGate(session, id), readings),
    putBack: (session, { eventually }, before) => putBackGate(session, id, before, eventually),
  };
};

const mayWrite =
  ({ target }: CheckContext) =>
  (field: Field): boolean =>
    target.withheld?.(field) === undefined;

/** Patches of one gate at once: as many as the division has parts, each with its fields. */
function patches(context: CheckContext, division: Division, title: string): NamedScenario {
  const param = context.minimal.param ?? '';
  const parts = division.map(fields => fields.filter(mayWrite(context))).filter(fields => fields.length > 0);
  return {
    title: `${title}: ${division.map(fields => fields.join(' and ')).join(', ')}`,
    run: raceOver({
      ...gateContest(context),
      writes: (before, mark) =>
        parts.map((fields, index) => {
          const body: JsonObject = Object.fromEntries(
            fields.map(field => [field, values[field](before, `${mark}${'abcdefgh'[index]}`)]),
          );
          return racing({ endpoint: 'patch-gate', param, body }, body);
        }),
    }),
  };
}

/** A gate is disabled while it is patched. */
function disabling(context: CheckContext, fields: readonly Field[], enables: boolean): NamedScenario {
  const param = context.minimal.param ?? '';
  const contest = gateContest(context);
  return {
    title: `disabling beside a patch of ${[...fields, ...(enables ? ['isEnabled'] : [])].join(' and ')}`,
    run: raceOver({
      ...contest,
      async begin(session) {
        const answer = await session.send({ endpoint: 'patch-gate', param, body: { isEnabled: true } });
        return { entity: answer.success ? dataObject(answer) : null, answer };
      },
      writes(before, mark) {
        const body: JsonObject = {
          ...Object.fromEntries(fields.filter(mayWrite(context)).map(field => [field, values[field](before, mark)])),
          ...(enables ? { isEnabled: true } : {}),
        };
        const disable = racing({ endpoint: 'disable-gate', param }, { isEnabled: false });
        return Object.keys(body).length === 0
          ? [disable]
          : [disable, racing({ endpoint: 'patch-gate', param, body }, body)];
      },
    }),
  };
}

const rounds = <T>(tables: readonly T[], count: number): readonly T[] =>
  Array.from({ length: count }, (_, index) => tables[index % tables.length] as T);

/** Section 4.6: only the fields sent change, also where two patches meet. */
export function gateRaces(context: CheckContext): readonly NamedScenario[] {
  const { races = 1 } = context.amounts;
  return [
    ...rounds(different, races).map(division => patches(context, division, 'patches at once of different fields')),
    ...rounds(same, Math.ceil(races / 2)).map(division => patches(context, division, 'patches at once of one field')),
    ...rounds([many], Math.floor(races / 3)).map(division => patches(context, division, 'eight patches at once')),
  ];
}

/** Sections 4.6 and 4.7: disabling beside a patch changes `isEnabled` alone, and nothing is lost. */
export function disableRaces(context: CheckContext): readonly NamedScenario[] {
  const { races = 1 } = context.amounts;
  const kinds = [
    { fields: ['description'], enables: false },
    { fields: ['tags', 'description'], enables: true },
  ] as const;
  return rounds(kinds, Math.ceil(races / 2) + (races > 2 ? 1 : 0)).map(({ fields, enables }) =>
    disabling(context, fields, enables),
  );
}
