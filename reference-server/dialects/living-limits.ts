import type { EndpointId } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { HandlerRequest } from '../api/request.ts';
import { refusal } from '../api/response.ts';
import type { Decorator } from '../decorators/layers.ts';
import { enoughAfter, everyNthRefused, isDry } from '../decorators/living.ts';
import { insteadOfWork, sentBy } from '../decorators/operations.ts';
import type { Dialect } from './dialect.ts';

/** Services that have had enough: quotas, plans, reviews, permissions (section 7 shows no code for any of them). */

/** So many creations, and no more. */
const few = 3;

const quota = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  enoughAfter(few, { ...refusal(status, message), headers }, request => !isDry(request));

const noMore = 'Your plan allows 60 metrics';
const metricQuota = (status: number, message = noMore): Partial<Dialect> & Pick<Dialect, 'decorator'> => ({
  endpoints: ['create-metric'],
  mayBeUntested: { checks: ['create-metric/*'], because: message },
  decorator: quota(status, `${message}.`),
});
const promptQuota = (status: number, message: string): Partial<Dialect> & Pick<Dialect, 'decorator'> => ({
  endpoints: ['create-prompt-version'],
  mayBeUntested: { checks: ['create-prompt-version/*'], because: message },
  decorator: quota(status, `${message}.`),
});

/** Refuses an operation altogether, of requests that are otherwise valid; where `when` is given, those alone. */
const denied = (
  ids: readonly EndpointId[],
  status: number,
  message: string,
  when: (request: HandlerRequest) => boolean = () => true,
): Partial<Dialect> & Pick<Dialect, 'decorator'> => ({
  endpoints: ids,
  mayBeUntested: { checks: ids.map(id => `${id}/*`), because: message },
  decorator: insteadOfWork(request => (when(request) ? refusal(status, `${message}.`) : undefined)),
});

const changes = (request: HandlerRequest): boolean => Object.keys(sentBy(request)).length > 0;
const conflict = refusal(409, 'Somebody else is saving this. Please try again.');

/** What has to be accepted, and is refused now and then: not more than a warning, for it was accepted as well. */
const refusedNowAndThen: readonly RequirementId[] = [
  'accept.smallest',
  'accept.stated-boundary',
  'accept.plain-value',
  'accept.documented-null',
  'accept.combination',
  'auth.header-case',
];

/** A window in which a review is pending: what is sent meanwhile is refused, and accepted again afterwards. */
const reviewNow =
  (from: number, to: number): Decorator =>
  server => {
    let seen = 0;
    return insteadOfWork(() => {
      seen += 1;
      return seen >= from && seen <= to ? refusal(409, 'A review of this gate is pending.') : undefined;
    })(server);
  };

// biome-ignore format: a table
export const limitDialects: readonly Dialect[] = [
  { id: 'metric-quota-402',        section: '7, 8', title: 'has a plan of few metrics: no more after three (402)',                           ...metricQuota(402) },
  { id: 'metric-quota-403',        section: '7, 8', title: 'has a plan of few metrics: no more after three (403)',                           ...metricQuota(403) },
  { id: 'metric-quota-404',        section: '7, 8', title: 'closes the creation of metrics after three (404)',                               ...metricQuota(404, 'Metrics cannot be created in this project at present') },
  { id: 'metric-quota-409',        section: '7, 8', title: 'has a plan of few metrics: no more after three (409)',                           ...metricQuota(409) },
  { id: 'metric-quota-422',        section: '7, 8', title: 'has a plan of few metrics: no more after three (422)',                           ...metricQuota(422) },
  { id: 'metric-quota-423',        section: '7, 8', title: 'locks the project after three metrics (423)',                                    ...metricQuota(423, 'The project is locked for an audit') },
  { id: 'metric-quota-429',        section: '7, 8', title: 'lets three metrics be created in a day (429 with a day in `Retry-After`)',         ...metricQuota(429), decorator: quota(429, `${noMore}.`, { 'Retry-After': '86400' }) },
  { id: 'metric-quota-dry-too',    section: '7, 8', title: 'has a plan of few metrics, and then refuses dry runs as well',                    ...metricQuota(402), decorator: enoughAfter(few, refusal(402, `${noMore}.`)) },
  { id: 'metric-dry-runs-few',     section: '4.9',  title: 'lets few dry runs be made (402)',                                                endpoints: ['create-metric'], mayBeUntested: { checks: ['create-metric/*'] }, decorator: enoughAfter(few, refusal(402, 'Your plan allows 3 dry runs a day.'), isDry) },
  { id: 'prompt-quota-402',        section: '7, 8', title: 'has a plan of few prompt versions: no more after three (402)',                   ...promptQuota(402, 'Your plan allows 20 versions of a prompt') },
  { id: 'prompt-quota-409',        section: '7, 8', title: 'keeps few versions of a prompt: no more after three (409)',                      ...promptQuota(409, 'This prompt has as many versions as it may have') },
  { id: 'prompt-quota-422',        section: '7, 8', title: 'keeps few versions of a prompt: no more after three (422)',                      ...promptQuota(422, 'This prompt has as many versions as it may have') },

  { id: 'gate-review-409',         section: '2.3',  title: 'refuses every change of a gate while a review is pending (409)',                 ...denied(['patch-gate', 'disable-gate'], 409, 'A review of this gate is pending', changes), endpoints: ['patch-gate'], mayBeUntested: { checks: ['patch-gate/*', 'disable-gate/*'], because: 'A review of this gate is pending' } },
  { id: 'gate-disable-review-422', section: '4.7',  title: 'wants the disabling of a gate to be reviewed (422)',                             ...denied(['disable-gate'], 422, 'Disabling needs the approval of a reviewer') },
  { id: 'gate-review-for-a-while', section: '2.3',  title: 'refuses changes of gates for a while, and takes them again (409)',               endpoints: ['patch-gate'], mayBeUntested: { checks: ['patch-gate/*', 'disable-gate/*'] }, decorator: reviewNow(60, 63) },
  { id: 'experiment-review-409',   section: '2.5',  title: 'refuses every change of an experiment while a review is pending (409)',          ...denied(['update-experiment', 'enable-groups'], 409, 'A review of this experiment is pending') },
  { id: 'source-review-422',       section: '2.6',  title: 'refuses updates of metric sources that nobody reviewed (422)',                   ...denied(['update-qualifying-event'], 422, 'Changes of metric sources have to be reviewed', request => !isDry(request)) },
  { id: 'environments-frozen',     section: '4.1',  title: 'lets nobody change environments in a freeze (423)',                             ...denied(['update-environments'], 423, 'Environments are frozen until Monday') },
  { id: 'config-in-use',           section: '4.10', title: 'archives no config that is in use (409)',                                        ...denied(['archive-config'], 409, 'The config is in use by 3 services') },
  { id: 'config-needed',           section: '4.5',  title: 'disables no config that others need (422)',                                     ...denied(['disable-config'], 422, 'The config is needed by the checkout') },
  { id: 'key-not-for-gates',       section: '5',    title: 'has a key that may not write gates (403)',                                       ...denied(['patch-gate', 'disable-gate'], 403, 'This key lacks the permission gates:write') },
  { id: 'key-not-for-metrics',     section: '5',    title: 'has a key that may not create metrics (403)',                                    ...denied(['create-metric'], 403, 'This key lacks the permission metrics:write') },
  { id: 'key-not-for-sources',     section: '5',    title: 'has a key that may not update metric sources (403)',                             ...denied(['update-qualifying-event'], 403, 'This key lacks the permission sources:write') },
  { id: 'key-not-for-prompts',     section: '5',    title: 'has a key that may not see prompts (404)',                                       ...denied(['create-prompt-version'], 404, 'There is nothing here for this key') },
  { id: 'key-not-for-archives',    section: '5',    title: 'has a key that may not archive (403)',                                           ...denied(['archive-config'], 403, 'This key lacks the permission configs:archive') },
  { id: 'plan-without-experiments', section: '7',   title: 'has a plan without experiments (402)',                                           ...denied(['update-experiment', 'enable-groups'], 402, 'Experiments are part of the Pro plan') },

  { id: 'gate-conflict-one-in-three', section: '7', title: 'refuses every third patch with 409, and takes it when it comes again',           endpoints: ['patch-gate'], mayWarn: ['state.patch-empty-reads', 'state.disable-gate-idempotent', ...refusedNowAndThen], mayBeUntested: { checks: ['patch-gate/*', 'disable-gate/*'] }, decorator: everyNthRefused(3, conflict) },
  { id: 'source-conflict-one-in-three', section: '7', title: 'refuses every third update of a source with 409, and takes it when it comes again', endpoints: ['update-qualifying-event'], mayWarn: refusedNowAndThen, mayBeUntested: { checks: ['update-qualifying-event/*'] }, decorator: everyNthRefused(3, conflict) },
  { id: 'metric-conflict-one-in-three', section: '7', title: 'refuses every third creation of a metric with 409, and takes it when it comes again', endpoints: ['create-metric'], mayWarn: refusedNowAndThen, mayBeUntested: { checks: ['create-metric/*'] }, decorator: everyNthRefused(3, conflict) },
];
