import { isSuccess } from '../../api/response.ts';
import {
  type Answered,
  around,
  both,
  dry,
  inTurn,
  isEmpty,
  keptForNext,
  keyless,
  perServer,
  refused,
  spoilsLast,
  stores,
  storesAfterAll,
  textOf,
  type WhenAnswered,
  worksAfterAll,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const also = (one: WhenAnswered, other: WhenAnswered) => (answered: Answered) => one(answered) && other(answered);
const isDry = ({ body }: Answered): boolean => body.dryRun === true;
const isManual = ({ body }: Answered): boolean => body.sprtBaselineMode === 'manual';

/** Enabling groups twice in a row, without an update between, changes the experiment. */
const enabledTwice = perServer(() => {
  const enabled = new Set<string>();
  return both(
    stores(({ id, value }) => (enabled.has(id) ? { ...value, allocation: 10 } : value)),
    around(async (work, request) => {
      const answer = await work();
      if (request.endpoint === 'enable-groups' && isSuccess(answer)) enabled.add(request.param);
      if (request.endpoint === 'update-experiment') enabled.delete(request.param);
      return answer;
    }),
  );
});

const experiments = ['update-experiment', 'enable-groups'] as const;
const plain = ['description', 'tags', 'type', 'isEnabled'] as const;

/** Faults that show only across several requests: effects that depend on earlier ones. */
// biome-ignore format: a table
export const sequelFaults: FaultTable = [
  ['gate-refusal-kept-for-next',                 'patch-gate',                                 'reject.no-trace', keptForNext(refused, 'tags', 'description')],
  ['gate-keyless-kept-for-next',                 'patch-gate',                                 'auth.no-effect', keptForNext(keyless, 'tags', 'description')],
  ['gate-refusal-after-write-stores',            'patch-gate',                                 'reject.no-trace', storesAfterAll('gates', refused, plain, false)],
  ['gate-keyless-after-write-stores',            'patch-gate',                                 'auth.no-effect', storesAfterAll('gates', keyless, plain, false)],
  ['gate-own-name-again-empties-tags',           'patch-gate',                                 'state.patch-only-sent',          'A gate that gets its own name again loses its tags.',                           stores(({ id, value, before }) => (before.name !== id && value.name === id ? { ...value, tags: [] } : value))],
  ['gate-renamed-keeps-its-description',         'patch-gate',                                 'state.patch-every-sent',         'The description of a gate that was renamed stays.',                             stores(({ id, value, before }) => (before.name !== id ? { ...value, description: before.description } : value)), 'state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-renamed-once',                          'patch-gate',                                 'state.patch-every-sent',         'A gate that was renamed keeps that name.',                                      stores(({ id, value, before }) => (before.name !== id ? { ...value, name: before.name } : value))],
  ['gate-written-after-another-spoils-it',       'patch-gate',                                 'state.neighbours',               'A patch describes the gate that was patched before it.',                        spoilsLast((_last, value) => ({ description: value.description })), 'state.concurrent-answers'],
  ['gate-written-twice-loses-its-type',          'patch-gate',                                 'state.patch-every-sent',         'The second patch of a gate in a row keeps its type.',                           inTurn(({ value, before, id }, last) => (last === id ? { ...value, type: before.type } : value))],

  ['source-refusal-kept-for-next',               'update-qualifying-event',                               'reject.no-trace', keptForNext(refused, 'description', 'tags')],
  ['source-keyless-kept-for-next',               'update-qualifying-event',                               'auth.no-effect', keptForNext(keyless, 'description', 'tags')],
  ['source-dry-run-kept-for-next',               'update-qualifying-event',                               'state.dry-run-qualifying-event', keptForNext(dry, 'description')],
  ['source-refused-dry-run-stores',              'update-qualifying-event',                               'reject.no-trace',                            'A dry run that is refused is stored.',                                          worksAfterAll('qualifyingEvents', also(refused, isDry), valid => textOf(valid, 'description'), { fields: ['description'] })],
  ['source-refusal-after-update-stores',         'update-qualifying-event',                               'reject.no-trace', storesAfterAll('qualifyingEvents', refused, ['description', 'tags'], false)],
  ['source-keyless-after-update-stores',         'update-qualifying-event',                               'auth.no-effect', storesAfterAll('qualifyingEvents', keyless, ['description', 'tags'], false)],

  ['experiment-baseline-refused-too-late',       'update-experiment',                           'reject.no-trace',                            'The hypothesis is stored before the baseline of a test is refused.',             worksAfterAll('experiments', also(refused, isManual), valid => textOf(valid, 'hypothesis'), { fields: ['hypothesis'] })],
  ['experiment-refusal-stores-hypothesis',       'update-experiment',                           'reject.no-trace', storesAfterAll('experiments', refused, ['hypothesis'])],
  ['experiment-refusal-stores-description',      'update-experiment',                           'reject.no-trace', storesAfterAll('experiments', refused, ['description'])],
  ['experiment-refusal-stores-tags',             'update-experiment',                           'reject.no-trace', storesAfterAll('experiments', refused, ['tags'])],
  ['experiment-keyless-stores-hypothesis',       'update-experiment',                           'auth.no-effect', storesAfterAll('experiments', keyless, ['hypothesis'])],
  ['experiment-keyless-enabling-resets',         experiments,                          'auth.no-effect',                           'Enabling groups without the key takes the allocation away.',                    worksAfterAll('experiments', also(keyless, ({ body }) => body.group_names !== undefined), () => ({ allocation: 0 }))],
  ['experiment-cut-update-empties-text',         'update-experiment',                           'reject.no-trace',                            'An update that cannot be read empties the hypothesis.',                         worksAfterAll('experiments', also(refused, ({ body }) => isEmpty(body)), () => ({ hypothesis: '' }))],
  ['experiment-enabled-twice-resets',            experiments,                          'state.enable-groups-frame',      'Enabling groups twice in a row resets the allocation.',                         enabledTwice],
  ['experiment-written-after-another-spoils-it', 'update-experiment',                           'state.neighbours',               'An update describes the experiment that was updated before it.',                spoilsLast((_last, value) => ({ hypothesis: value.hypothesis }))],
  ['experiment-updated-twice-keeps-hypothesis',  experiments,                          'state.enable-groups-frame',      'The second update in a row keeps the hypothesis.',                              inTurn(({ value, before, id }, last) => (last === id ? { ...value, hypothesis: before.hypothesis } : value)), 'state.concurrent-fields'],

  ['metric-refusal-kept-for-next',               'create-metric',                               'reject.no-trace', keptForNext(refused, 'description')],
  ['metric-keyless-kept-for-next',               'create-metric',                               'auth.no-effect', keptForNext(keyless, 'description')],
  ['metric-dry-run-kept-for-next',               'create-metric',                               'state.dry-run-metric', keptForNext(dry, 'description')],
  ['metric-creation-turns-the-last',             'create-metric',                               'state.neighbours',               'A creation turns the direction of the metric before it.',                       spoilsLast(({ directionality }) => ({ directionality: directionality === 'increase' ? 'decrease' : 'increase' }))],

  ['prompt-refusal-kept-for-next',               'create-prompt-version',                               'reject.no-trace', keptForNext(refused, 'description'), 'standard'],
  ['prompt-keyless-kept-for-next',               'create-prompt-version',                               'auth.no-effect', keptForNext(keyless, 'description'), 'standard'],

  ['config-disabled-without-key',                ['disable-config', 'archive-config'], 'auth.no-effect',                           'A config is disabled without the key.',                                         worksAfterAll('configs', keyless, (_valid, { versions }) => ({ versions: versions.map((one, index) => (index === 0 ? { ...one, isEnabled: false } : one)) }))],
  ['config-untagged-without-key',                ['disable-config', 'archive-config'], 'auth.no-effect',                           'A config loses its tags where it is disabled without the key.',                 worksAfterAll('configs', keyless, (_valid, { versions }) => ({ versions: versions.map((one, index) => (index === 0 ? { ...one, tags: [] } : one)) }))],
];
