import type { Members } from '../../contracts/json.ts';
import { refusal } from '../api/response.ts';
import {
  counting,
  type Decorator,
  enoughAfter,
  everyNth,
  insteadOfWork,
  isDry,
  isEmpty,
  refusing,
} from '../decorators/index.ts';
import {
  type DialectTable,
  experiments,
  gateRefusedNowAndThen,
  gates,
  type Remarks,
  refusedNowAndThen,
  unproven,
} from './dialect.ts';

/** Services with limits: quotas, plans, reviews, permissions (section 7 shows no code for any of them). */

/** The number of creations that are accepted. */
const few = 3;

type Refusing = readonly [decorator: Decorator, remarks: Remarks];

/** Refuses creations after the first few. The message is the reason for the checks that end untested. */
const quota = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Refusing => [
  enoughAfter(few, { ...refusal(status, `${message}.`), headers }, request => !isDry(request)),
  { mayBeUntested: { because: message } },
];

const noMore = 'Your plan allows 60 metrics';

/** Refuses otherwise valid requests of an operation, all or only those that match `when`. */
const refused = (status: number, message: string, when: (body: Members) => boolean = () => true): Refusing => [
  refusing(status, `${message}.`, when),
  { mayBeUntested: { because: message } },
];

const pending = 'A review of this gate is pending';
/** Disabling a gate is judged by patches that read it. */
const bothOfGates = { checks: ['patch-gate/*', 'disable-gate/*'] };
const conflictInThree = everyNth(
  3,
  () => refusal(409, 'Somebody else is saving this. Please try again.'),
  insteadOfWork,
);

/** Refuses some requests while a review is pending, and accepts them again afterwards. */
const reviewNow = counting(next =>
  insteadOfWork(() => {
    const seen = next();
    return seen >= 60 && seen <= 63 ? refusal(409, `${pending}.`) : undefined;
  }),
);

// biome-ignore format: a table
export const limitDialects: DialectTable = [
  ['metric-quota-402',              '7, 8',   'create-metric',           'has a plan of few metrics: no more after three (402)',                                    ...quota(402, noMore)],
  ['metric-quota-403',              '7, 8',   'create-metric',           'has a plan of few metrics: no more after three (403)',                                    ...quota(403, noMore)],
  ['metric-quota-404',              '7, 8',   'create-metric',           'closes the creation of metrics after three (404)',                                        ...quota(404, 'Metrics cannot be created in this project at present')],
  ['metric-quota-409',              '7, 8',   'create-metric',           'has a plan of few metrics: no more after three (409)',                                    ...quota(409, noMore)],
  ['metric-quota-422',              '7, 8',   'create-metric',           'has a plan of few metrics: no more after three (422)',                                    ...quota(422, noMore)],
  ['metric-quota-423',              '7, 8',   'create-metric',           'locks the project after three metrics (423)',                                             ...quota(423, 'The project is locked for an audit')],
  ['metric-quota-429',              '7, 8',   'create-metric',           'lets three metrics be created in a day (429 with a day in `Retry-After`)',                ...quota(429, noMore, { 'Retry-After': '86400' })],
  ['metric-quota-dry-too',          '7, 8',   'create-metric',           'has a plan of few metrics, and then refuses dry runs as well',                            enoughAfter(few, refusal(402, `${noMore}.`)), { mayBeUntested: { because: noMore } }],
  ['metric-dry-runs-few',          '4.9', 'create-metric',           'lets few dry runs be made (402)',                                                     enoughAfter(few, refusal(402, 'Your plan allows 3 dry runs a day.'), isDry), unproven],
  ['prompt-quota-402',              '7, 8',   'create-prompt-version',   'has a plan of few prompt versions: no more after three (402)',                            ...quota(402, 'Your plan allows 20 versions of a prompt')],
  ['prompt-quota-409',              '7, 8',   'create-prompt-version',   'keeps few versions of a prompt: no more after three (409)',                               ...quota(409, 'This prompt has as many versions as it may have')],
  ['prompt-quota-422',              '7, 8',   'create-prompt-version',   'keeps few versions of a prompt: no more after three (422)',                               ...quota(422, 'This prompt has as many versions as it may have')],

  ['gate-review-409',               '2.3',    'patch-gate',              'refuses every change of a gate while a review is pending (409)',                          refused(409, pending, body => !isEmpty(body))[0], { mayBeUntested: { ...bothOfGates, because: pending } }],
  ['gate-disable-review-422',       '4.7',    'disable-gate',            'wants the disabling of a gate to be reviewed (422)',                                      ...refused(422, 'Disabling needs the approval of a reviewer')],
  ['gate-review-for-a-while',      '2.3', 'patch-gate',              'refuses changes of gates for a while, and takes them again (409)',                    reviewNow, { mayBeUntested: bothOfGates }],
  ['experiment-review-409',         '2.5',    experiments, 'refuses every change of an experiment while a review is pending (409)',                   ...refused(409, 'A review of this experiment is pending')],
  ['source-review-422',             '2.6',    'update-qualifying-event', 'refuses updates of metric sources that nobody reviewed (422)',                            ...refused(422, 'Changes of metric sources have to be reviewed', ({ dryRun }) => dryRun !== true)],
  ['environments-frozen',           '4.1',    'update-environments',     'lets nobody change environments in a freeze (423)',                                       ...refused(423, 'Environments are frozen until Monday')],
  ['config-in-use',                 '4.10',   'archive-config',          'archives no config that is in use (409)',                                                 ...refused(409, 'The config is in use by 3 services')],
  ['config-needed',                 '4.5',    'disable-config',          'disables no config that others need (422)',                                               ...refused(422, 'The config is needed by the checkout')],
  ['key-not-for-gates',             '5',      gates, 'has a key that may not write gates (403)',                                                ...refused(403, 'This key lacks the permission gates:write')],
  ['key-not-for-metrics',           '5',      'create-metric',           'has a key that may not create metrics (403)',                                             ...refused(403, 'This key lacks the permission metrics:write')],
  ['key-not-for-sources',           '5',      'update-qualifying-event', 'has a key that may not update metric sources (403)',                                      ...refused(403, 'This key lacks the permission sources:write')],
  ['key-not-for-prompts',           '5',      'create-prompt-version',   'has a key that may not see prompts (404)',                                                ...refused(404, 'There is nothing here for this key')],
  ['key-not-for-archives',          '5',      'archive-config',          'has a key that may not archive (403)',                                                    ...refused(403, 'This key lacks the permission configs:archive')],
  ['plan-without-experiments',      '7',      experiments, 'has a plan without experiments (402)',                                                    ...refused(402, 'Experiments are part of the Pro plan')],

  ['gate-conflict-one-in-three',   '7',   'patch-gate',              'refuses every third patch with 409, and takes it when it comes again',                conflictInThree, { mayWarn: gateRefusedNowAndThen, mayBeUntested: bothOfGates }],
  ['source-conflict-one-in-three', '7',   'update-qualifying-event', 'refuses every third update of a source with 409, and takes it when it comes again',   conflictInThree, { ...unproven, mayWarn: refusedNowAndThen }],
  ['metric-conflict-one-in-three', '7',   'create-metric',           'refuses every third creation of a metric with 409, and takes it when it comes again', conflictInThree, { ...unproven, mayWarn: refusedNowAndThen }],
];
