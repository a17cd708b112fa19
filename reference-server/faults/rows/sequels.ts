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

const trace = 'reject.no-trace';
const effect = 'auth.no-effect';
const gate = ['patch-gate'] as const;
const source = ['update-qualifying-event'] as const;
const experiment = ['update-experiment'] as const;
const experiments = ['update-experiment', 'enable-groups'] as const;
const metric = ['create-metric'] as const;
const prompt = ['create-prompt-version'] as const;
const plain = ['description', 'tags', 'type', 'isEnabled'] as const;

/** Effects that depend on earlier requests, and faults that only several requests in a row show. */
// biome-ignore format: a table
export const sequelFaults: FaultTable = [
  ['gate-refusal-kept-for-next',                 gate,                                 trace, keptForNext(refused, 'tags', 'description')],
  ['gate-keyless-kept-for-next',                 gate,                                 effect, keptForNext(keyless, 'tags', 'description')],
  ['gate-refusal-after-write-stores',            gate,                                 trace, storesAfterAll('gates', refused, plain, false)],
  ['gate-keyless-after-write-stores',            gate,                                 effect, storesAfterAll('gates', keyless, plain, false)],
  ['gate-own-name-again-empties-tags',           gate,                                 'state.patch-only-sent',          'A gate that gets its own name again loses its tags.',                           stores(({ id, value, before }) => (before.name !== id && value.name === id ? { ...value, tags: [] } : value))],
  ['gate-renamed-keeps-its-description',         gate,                                 'state.patch-every-sent',         'The description of a gate that was renamed stays.',                             stores(({ id, value, before }) => (before.name !== id ? { ...value, description: before.description } : value)), 'state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-renamed-once',                          gate,                                 'state.patch-every-sent',         'A gate that was renamed keeps that name.',                                      stores(({ id, value, before }) => (before.name !== id ? { ...value, name: before.name } : value))],
  ['gate-written-after-another-spoils-it',       gate,                                 'state.neighbours',               'A patch describes the gate that was patched before it.',                        spoilsLast((_last, value) => ({ description: value.description })), 'state.concurrent-answers'],
  ['gate-written-twice-loses-its-type',          gate,                                 'state.patch-every-sent',         'The second patch of a gate in a row keeps its type.',                           inTurn((value, before, last, id) => (last === id ? { ...value, type: before.type } : value))],

  ['source-refusal-kept-for-next',               source,                               trace, keptForNext(refused, 'description', 'tags')],
  ['source-keyless-kept-for-next',               source,                               effect, keptForNext(keyless, 'description', 'tags')],
  ['source-dry-run-kept-for-next',               source,                               'state.dry-run-qualifying-event', keptForNext(dry, 'description')],
  ['source-refused-dry-run-stores',              source,                               trace,                            'A dry run that is refused is stored.',                                          worksAfterAll('qualifyingEvents', also(refused, isDry), valid => textOf(valid, 'description'), { fields: ['description'] })],
  ['source-refusal-after-update-stores',         source,                               trace, storesAfterAll('qualifyingEvents', refused, ['description', 'tags'], false)],
  ['source-keyless-after-update-stores',         source,                               effect, storesAfterAll('qualifyingEvents', keyless, ['description', 'tags'], false)],

  ['experiment-refusal-stores-hypothesis',       experiment,                           trace, storesAfterAll('experiments', refused, ['hypothesis'])],
  ['experiment-refusal-stores-description',      experiment,                           trace, storesAfterAll('experiments', refused, ['description'])],
  ['experiment-refusal-stores-tags',             experiment,                           trace, storesAfterAll('experiments', refused, ['tags'])],
  ['experiment-keyless-stores-hypothesis',       experiment,                           effect, storesAfterAll('experiments', keyless, ['hypothesis'])],
  ['experiment-keyless-enabling-resets',         experiments,                          effect,                           'Enabling groups without the key takes the allocation away.',                    worksAfterAll('experiments', also(keyless, ({ body }) => body.group_names !== undefined), () => ({ allocation: 0 }))],
  ['experiment-cut-update-empties-tags',         experiment,                           trace,                            'An update that cannot be read empties the hypothesis.',                         worksAfterAll('experiments', also(refused, ({ body }) => isEmpty(body)), () => ({ hypothesis: '' }))],
  ['experiment-enabled-twice-resets',            experiments,                          'state.enable-groups-frame',      'Enabling groups twice in a row resets the allocation.',                         enabledTwice],
  ['experiment-written-after-another-spoils-it', experiment,                           'state.neighbours',               'An update describes the experiment that was updated before it.',                spoilsLast((_last, value) => ({ hypothesis: value.hypothesis }))],
  ['experiment-updated-twice-keeps-hypothesis',  experiments,                          'state.enable-groups-frame',      'The second update in a row keeps the hypothesis.',                              inTurn((value, before, last, id) => (last === id ? { ...value, hypothesis: before.hypothesis } : value)), 'state.concurrent-fields'],

  ['metric-refusal-kept-for-next',               metric,                               trace, keptForNext(refused, 'description')],
  ['metric-keyless-kept-for-next',               metric,                               effect, keptForNext(keyless, 'description')],
  ['metric-dry-run-kept-for-next',               metric,                               'state.dry-run-metric', keptForNext(dry, 'description')],
  ['metric-creation-turns-the-last',             metric,                               'state.neighbours',               'A creation turns the direction of the metric before it.',                       spoilsLast(({ directionality }) => ({ directionality: directionality === 'increase' ? 'decrease' : 'increase' }))],

  ['prompt-refusal-kept-for-next',               prompt,                               trace, keptForNext(refused, 'description'), 'standard'],
  ['prompt-keyless-kept-for-next',               prompt,                               effect, keptForNext(keyless, 'description'), 'standard'],

  ['config-disabled-without-key',                ['disable-config', 'archive-config'], effect,                           'A config is disabled without the key.',                                         worksAfterAll('configs', keyless, (_valid, { versions }) => ({ versions: versions.map((one, index) => (index === 0 ? { ...one, isEnabled: false } : one)) }))],
  ['config-untagged-without-key',                ['disable-config', 'archive-config'], effect,                           'A config loses its tags where it is disabled without the key.',                 worksAfterAll('configs', keyless, (_valid, { versions }) => ({ versions: versions.map((one, index) => (index === 0 ? { ...one, tags: [] } : one)) }))],
];
