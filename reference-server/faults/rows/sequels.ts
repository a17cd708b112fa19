import { isSuccess } from '../../api/response.ts';
import type { Decorator } from '../../decorators/layers.ts';
import { around } from '../../decorators/operations.ts';
import {
  type Answered,
  dry,
  inTurn,
  keptForNext,
  keyless,
  refused,
  spoilsLast,
  textOf,
  worksAfterAll,
} from '../../decorators/sequels.ts';
import { stores } from '../../decorators/stores.ts';
import type { FaultTable } from '../fault.ts';

const both = (one: (answered: Answered) => boolean, other: (answered: Answered) => boolean) => (answered: Answered) =>
  one(answered) && other(answered);
const isDry = ({ body }: Answered): boolean => body.dryRun === true;

/** Enabling groups twice in a row, with no update between, changes the experiment. */
const enabledTwice: Decorator = server => {
  const enabled = new Set<string>();
  const storing = stores(({ id, value }) => (enabled.has(id) ? { ...value, allocation: 10 } : value))(server);
  const noting = around(handler => async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    if (request.endpoint === 'enable-groups' && isSuccess(answer)) enabled.add(request.param);
    if (request.endpoint === 'update-experiment') enabled.delete(request.param);
    return answer;
  })(server);
  return { ...storing, ...noting };
};

const trace = 'reject.no-trace';
const effect = 'auth.no-effect';
const gate = ['patch-gate'] as const;
const source = ['update-qualifying-event'] as const;
const experiment = ['update-experiment'] as const;
const experiments = ['update-experiment', 'enable-groups'] as const;
const metric = ['create-metric'] as const;
const prompt = ['create-prompt-version'] as const;
const plain = ['description', 'tags', 'type', 'isEnabled'] as const;

/** What a request does because of those before it, and what only several requests in a row show. */
// biome-ignore format: a table
export const sequelFaults: FaultTable = [
  { id: 'gate-refusal-kept-for-next',          requirement: trace,  endpoints: gate, title: 'What a refused patch carried is stored with the next one.',                                     decorator: keptForNext(refused, 'tags', 'description') },
  { id: 'gate-keyless-kept-for-next',          requirement: effect, endpoints: gate, title: 'What a patch without the key carried is stored with the next one.',                             decorator: keptForNext(keyless, 'tags', 'description') },
  { id: 'gate-refusal-after-write-stores',     requirement: trace,  endpoints: gate, title: 'A refused patch right after an accepted one is stored.',                                        decorator: worksAfterAll('gates', refused, valid => valid, { always: false, fields: plain }) },
  { id: 'gate-keyless-after-write-stores',     requirement: effect, endpoints: gate, title: 'A patch without the key right after an accepted one is stored.',                                decorator: worksAfterAll('gates', keyless, valid => valid, { always: false, fields: plain }) },
  { id: 'gate-own-name-again-empties-tags',    requirement: 'state.patch-only-sent',  endpoints: gate, title: 'A gate that gets its own name again loses its tags.',                           decorator: stores(({ id, value, before }) => (before.name !== id && value.name === id ? { ...value, tags: [] } : value)) },
  { id: 'gate-renamed-keeps-its-description',  requirement: 'state.patch-every-sent', endpoints: gate, title: 'The description of a gate that was renamed stays.',                               decorator: stores(({ id, value, before }) => (before.name !== id ? { ...value, description: before.description } : value)), alsoAs: ['state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'] },
  { id: 'gate-renamed-once',                   requirement: 'state.patch-every-sent', endpoints: gate, title: 'A gate that was renamed keeps that name.',                                        decorator: stores(({ id, value, before }) => (before.name !== id ? { ...value, name: before.name } : value)) },
  { id: 'gate-written-after-another-spoils-it', requirement: 'state.neighbours',      endpoints: gate, title: 'A patch describes the gate that was patched before it.',                          decorator: spoilsLast((_last, value) => ({ description: value.description })), alsoAs: ['state.concurrent-answers'] },
  { id: 'gate-written-twice-loses-its-type',   requirement: 'state.patch-every-sent', endpoints: gate, title: 'The second patch of a gate in a row keeps its type.',                             decorator: inTurn((value, before, last, id) => (last === id ? { ...value, type: before.type } : value)) },

  { id: 'source-refusal-kept-for-next',        requirement: trace,  endpoints: source, title: 'What a refused update carried is stored with the next one.',                                  decorator: keptForNext(refused, 'description', 'tags') },
  { id: 'source-keyless-kept-for-next',        requirement: effect, endpoints: source, title: 'What an update without the key carried is stored with the next one.',                         decorator: keptForNext(keyless, 'description', 'tags') },
  { id: 'source-dry-run-kept-for-next',        requirement: 'state.dry-run-qualifying-event', endpoints: source, title: 'What a dry run carried is stored with the next update.',              decorator: keptForNext(dry, 'description') },
  { id: 'source-refused-dry-run-stores',       requirement: trace,  endpoints: source, title: 'A dry run that is refused is stored.',                                                       decorator: worksAfterAll('qualifyingEvents', both(refused, isDry), valid => textOf(valid, 'description'), { fields: ['description'] }), alsoAs: ['state.dry-run-qualifying-event'] },
  { id: 'source-refusal-after-update-stores',  requirement: trace,  endpoints: source, title: 'A refused update right after an accepted one is stored.',                                     decorator: worksAfterAll('qualifyingEvents', refused, valid => valid, { always: false, fields: ['description', 'tags'] }) },
  { id: 'source-keyless-after-update-stores',  requirement: effect, endpoints: source, title: 'An update without the key right after an accepted one is stored.',                            decorator: worksAfterAll('qualifyingEvents', keyless, valid => valid, { always: false, fields: ['description', 'tags'] }) },

  { id: 'experiment-refusal-stores-hypothesis', requirement: trace,  endpoints: experiment,  title: 'A refused update of an experiment stores its hypothesis.',                              decorator: worksAfterAll('experiments', refused, valid => valid, { fields: ['hypothesis'] }) },
  { id: 'experiment-refusal-stores-description', requirement: trace, endpoints: experiment,  title: 'A refused update of an experiment stores its description.',                             decorator: worksAfterAll('experiments', refused, valid => valid, { fields: ['description'] }) },
  { id: 'experiment-refusal-stores-tags',      requirement: trace,  endpoints: experiment,   title: 'A refused update of an experiment stores its tags.',                                    decorator: worksAfterAll('experiments', refused, valid => valid, { fields: ['tags'] }) },
  { id: 'experiment-keyless-stores-hypothesis', requirement: effect, endpoints: experiment,  title: 'An update without the key stores the hypothesis.',                                      decorator: worksAfterAll('experiments', keyless, valid => valid, { fields: ['hypothesis'] }) },
  { id: 'experiment-keyless-enabling-resets',  requirement: effect, endpoints: experiments,  title: 'Enabling groups without the key takes the allocation away.',                            decorator: worksAfterAll('experiments', both(keyless, ({ body }) => body.group_names !== undefined), () => ({ allocation: 0 })) },
  { id: 'experiment-cut-update-empties-tags',  requirement: trace,  endpoints: experiment,   title: 'An update that cannot be read empties the hypothesis.',                                 decorator: worksAfterAll('experiments', both(refused, ({ body }) => Object.keys(body).length === 0), () => ({ hypothesis: '' })) },
  { id: 'experiment-enabled-twice-resets',     requirement: 'state.enable-groups-frame', endpoints: experiments, title: 'Enabling groups twice in a row resets the allocation.',                decorator: enabledTwice },
  { id: 'experiment-written-after-another-spoils-it', requirement: 'state.neighbours', endpoints: experiment, title: 'An update describes the experiment that was updated before it.',           decorator: spoilsLast((_last, value) => ({ hypothesis: value.hypothesis })) },
  { id: 'experiment-updated-twice-keeps-hypothesis', requirement: 'state.enable-groups-frame', endpoints: experiments, title: 'The second update in a row keeps the hypothesis.',                decorator: inTurn((value, before, last, id) => (last === id ? { ...value, hypothesis: before.hypothesis } : value)), alsoAs: ['state.concurrent-fields'] },

  { id: 'metric-refusal-kept-for-next',        requirement: trace,  endpoints: metric, title: 'A metric is described as the refused one before it.',                                         decorator: keptForNext(refused, 'description') },
  { id: 'metric-keyless-kept-for-next',        requirement: effect, endpoints: metric, title: 'A metric is described as the one before it that came without the key.',                       decorator: keptForNext(keyless, 'description') },
  { id: 'metric-dry-run-kept-for-next',        requirement: 'state.dry-run-metric', endpoints: metric, title: 'A metric is described as the dry run before it.',                             decorator: keptForNext(dry, 'description') },
  { id: 'metric-creation-turns-the-last',      requirement: 'state.neighbours', endpoints: metric, title: 'A creation turns the direction of the metric before it.',                         decorator: spoilsLast(({ directionality }) => ({ directionality: directionality === 'increase' ? 'decrease' : 'increase' })) },

  { id: 'prompt-refusal-kept-for-next',        requirement: trace,  endpoints: prompt, title: 'A prompt version is described as the refused one before it.',                                 decorator: keptForNext(refused, 'description'), profile: 'standard' },
  { id: 'prompt-keyless-kept-for-next',        requirement: effect, endpoints: prompt, title: 'A prompt version is described as the one before it that came without the key.',               decorator: keptForNext(keyless, 'description'), profile: 'standard' },

  { id: 'config-disabled-without-key',         requirement: effect, endpoints: ['disable-config', 'archive-config'], title: 'A config is disabled without the key.',                         decorator: worksAfterAll('configs', keyless, (_valid, { versions }) => ({ versions: versions.map((one, index) => (index === 0 ? { ...one, isEnabled: false } : one)) })) },
  { id: 'config-untagged-without-key',         requirement: effect, endpoints: ['disable-config', 'archive-config'], title: 'A config loses its tags where it is disabled without the key.', decorator: worksAfterAll('configs', keyless, (_valid, { versions }) => ({ versions: versions.map((one, index) => (index === 0 ? { ...one, tags: [] } : one)) })) },
];
