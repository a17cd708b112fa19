import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { HandlerRequest } from '../api/request.ts';
import { type HandlerResponse, refusal } from '../api/response.ts';
import { counting, enoughAfter, instead, insteadOfWork, isEmpty, sentBy } from '../decorators/index.ts';
import { all, type DialectTable, gateRefusedNowAndThen, gates, unproven } from './dialect.ts';

/** Services that refuse in the middle of a run: maintenance, bursts of a rate limit, quotas, occasional conflicts. */

const writes: readonly EndpointId[] = endpointIds.filter(id => endpoints[id].method !== 'GET');

/** Refuses by the number of the request, counted over all operations of the row. */
const byNumber = (refused: (number: number) => HandlerResponse | undefined, level = instead) =>
  counting(next => level(() => refused(next())));

const again = { 'Retry-After': '0' };
const maintained = { ...refusal(503, 'Down for maintenance.'), headers: again };
const tooMany = { ...refusal(429, 'Too many requests.'), headers: again };
const frozen = refusal(423, 'Changes are frozen for a moment.');

const conflicts: readonly (readonly [every: number, refused: HandlerResponse])[] = [
  [61, refusal(409, 'Somebody else is saving this.')],
  [83, refusal(412, 'The version has changed.')],
  [97, refusal(423, 'A change is under way.')],
];
/** Refusals that say when to come again. */
const untilLater = [409, 423, 425].map(status => ({ ...refusal(status, 'A change is under way.'), headers: again }));
const nowAndThen = (number: number): HandlerResponse | undefined =>
  conflicts.find(([every]) => number % every === 0)?.[1];

const changes = (request: HandlerRequest): boolean => request.endpoint === 'disable-gate' || !isEmpty(sentBy(request));

// biome-ignore format: a table
export const hourDialects: DialectTable = [
  // Each creation that was put off may have been carried out, and counts as one.
  ['maintenance',               '7, 8', all,                            'is down for thirty requests in the middle of a run (503 with `Retry-After`)',      byNumber(number => (number > 150 && number <= 180 ? maintained : undefined)), { mayBeUntested: { checks: ['create-metric/at-once'] } }],
  ['rate-limit-in-bursts',      '8',    all,                            'refuses four requests in a row out of two hundred (429)',                          byNumber(number => (number % 200 > 195 ? tooMany : undefined))],
  ['writes-frozen-for-a-while', '7',    writes,                         'refuses all writes for a while, and takes them again (423)',                       byNumber(number => (number > 120 && number <= 130 ? frozen : undefined), insteadOfWork), { ...unproven, mayWarn: gateRefusedNowAndThen }],
  ['locks-that-say-how-long',   '7',    writes,                         'refuses one write in twenty for a lock or a conflict, and says when to come again (409, 423, 425 with `Retry-After`)', byNumber(number => (number % 20 === 0 ? untilLater[(number / 20) % 3] : undefined), insteadOfWork), { mayBeUntested: { checks: writes.map(id => `${id}/races`) } }],
  ['conflicts-now-and-then',    '7',    writes,                         'refuses one write in a while for a conflict, a version or a lock (409, 412, 423)', byNumber(nowAndThen, insteadOfWork), { ...unproven, mayWarn: [...gateRefusedNowAndThen, 'robust.same-headers'] }],
  ['gate-quota-in-the-middle',  '7, 8', gates, 'lets gates be changed sixty times (402)',                                          enoughAfter(60, refusal(402, 'Your plan allows 60 changes a day.'), changes), { ...unproven, changes: ['gates'] }],
];
