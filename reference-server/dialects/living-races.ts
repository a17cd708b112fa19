import { setTimeout as pause } from 'node:timers/promises';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { refusal } from '../api/response.ts';
import {
  answersWhereMet,
  anybody,
  both,
  type Decorator,
  emptyPatchReads,
  late,
  refusesLater,
  sentBy,
  whereMet,
} from '../decorators/index.ts';
import { inTurn } from '../store/in-turn.ts';
import { type DialectTable, experiments, gates, unproven } from './dialect.ts';

/**
 * Services that handle concurrent writes, each in a correct way: they refuse, postpone or serialise them, or the last
 * one wins.
 */

const writes: readonly EndpointId[] = [...gates, 'update-qualifying-event', 'update-environments', ...experiments];

/** For dialects that refuse one of two concurrent writes, so that the pair proves nothing. */
const untested = (...endpoints: readonly EndpointId[]) => ({
  mayBeUntested: { checks: endpoints.flatMap(id => [`${id}/races`, `${id}/neighbours`, `${id}/at-once`]) },
});

/** Asks the later request to come again at once. */
const putOff = { ...refusal(429, 'One write at a time.'), headers: { 'retry-after': '0' } };

/** Carries out writes one after another, with a pause before each. */
const inARow: Decorator = () => ({
  decorateOperation: (_id, work) => {
    const turns = inTurn();
    return (...given) =>
      turns(async () => {
        await pause(2);
        return work(...given);
      });
  },
});

/** Carries out the request, and shows the gate as it is when the answer is sent. */
const showsNow = whereMet(async (_met, work, request) => {
  await work();
  await pause(3);
  return work({ ...request, body: request.endpoint === 'patch-gate' ? {} : sentBy(request) });
});

/** Carries out the first of two concurrent requests last. */
const firstLast = whereMet(async ({ index }, work) => {
  if (index === 0) await pause(3);
  return work();
});

/** Refuses every write that meets another. */
const nobodyWins = whereMet(async () => refusal(409, 'The gate was changed meanwhile.'));

/** Raises the version by 7 more when writes meet. */
const versionsLeap = answersWhereMet(data => {
  if (typeof data.version === 'number') data.version += 7;
});

// biome-ignore format: a table
export const raceDialects: DialectTable = [
  ['writes-conflict',         '4.6, 7', writes,                                       'refuses the later of two writes to one entity at once (409)',          refusesLater(refusal(409, 'Somebody else is writing to it.'), false), untested(...writes)],
  ['writes-conflict-for-all', '4.6, 7', gates,                                        'refuses all writes to one entity that meet (409)',                     nobodyWins, unproven],
  ['writes-locked',           '4.6, 7', writes,                                       'locks an entity while a write to it is under way (423)',               refusesLater(refusal(423, 'A change is under way.'), false), untested(...writes)],
  ['versions-do-not-match',   '4.6, 9', writes,                                       'refuses the later of two writes for its version (412)',                refusesLater(refusal(412, 'The version has changed.'), false), untested(...writes)],
  ['writes-put-off',          '8',      ['patch-gate', 'update-qualifying-event', 'create-metric'], 'puts off the later of two writes at once (429)',                       refusesLater(putOff, false)],
  ['writes-in-a-row',         '4.6',    writes,                                       'carries out one write after another, each in its time',                inARow],
  ['first-is-last',           '4.6',    writes,                                       'carries out the first of two writes last',                             firstLast],
  ['gates-shown-as-they-are', '4.6',    'patch-gate',                                 'shows a gate as it is when the answer leaves, with what others wrote', showsNow, { mayBeAccusedInTraffic: ['echo.sent-field'] }],
  ['gates-raced-late',        '4.6',    gates,                                        'reads gates from a replica, also after writes that met',               both(late(40, ['gates']), emptyPatchReads), { behindMs: 40 }],
  ['versions-leap',           '9',      gates,                                        'raises the version by more where writes meet',                         versionsLeap],
  ['creations-conflict',      '4.9, 7', ['create-metric', 'create-prompt-version'],   'creates one thing at a time (409)',                                    refusesLater(refusal(409, 'Another one is being made.'), false, anybody), unproven],
];
