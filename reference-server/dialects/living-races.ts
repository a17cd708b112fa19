import type { EndpointId } from '../../contracts/endpoints.ts';
import { refusal } from '../api/response.ts';
import { both } from '../decorators/layers.ts';
import { anybody, whereMet } from '../decorators/meetings.ts';
import { aroundWork, sentBy } from '../decorators/operations.ts';
import { answersWhereMet, refusesLater } from '../decorators/races.ts';
import { emptyPatchReads } from '../decorators/replicas.ts';
import { late } from '../decorators/stores.ts';
import type { Dialect } from './dialect.ts';

/** Services at which writes meet, each sound in its own way: refused, put off, one after another, the last one wins. */

const gates: readonly EndpointId[] = ['patch-gate', 'disable-gate'];
const writes: readonly EndpointId[] = [
  'patch-gate',
  'disable-gate',
  'update-qualifying-event',
  'update-environments',
  'update-experiment',
  'enable-groups',
];

/** Refusing one of two proves nothing of the two. */
const untested = (...endpoints: readonly EndpointId[]) => ({
  mayBeUntested: { checks: endpoints.flatMap(id => [`${id}/races`, `${id}/neighbours`, `${id}/at-once`]) },
});

/** Who comes later is asked to come again in no time. */
const putOff = { ...refusal(429, 'One write at a time.'), headers: { 'retry-after': '0' } };

/** One write after another, each with a pause. */
const inARow = aroundWork(work => {
  let last: Promise<unknown> = Promise.resolve();
  return (request, store, settings) => {
    const own = last.then(async () => {
      await new Promise(resolve => setTimeout(resolve, 2));
      return work(request, store, settings);
    });
    last = own.catch(() => undefined);
    return own;
  };
});

/** Works on what was sent, and shows the gate as it is when the answer leaves. */
const showsNow = whereMet(async (_met, work, request, store, settings) => {
  await work(request, store, settings);
  await new Promise(resolve => setTimeout(resolve, 3));
  const body = request.endpoint === 'patch-gate' ? {} : sentBy(request);
  return work({ ...request, body }, store, settings);
});

/** The first of two that meet is carried out last. */
const firstLast = whereMet(async ({ index }, work, ...given) => {
  if (index === 0) await new Promise(resolve => setTimeout(resolve, 3));
  return work(...given);
});

/** Every write that meets another is refused: nobody wins. */
const nobodyWins = whereMet(async () => refusal(409, 'The gate was changed meanwhile.'));

/** Says in a header what version it shows, and raises it by more where writes meet. */
const versionsLeap = answersWhereMet(data => {
  if (typeof data.version === 'number') data.version += 7;
});

// biome-ignore format: a table
export const raceDialects: readonly Dialect[] = [
  { id: 'writes-conflict',          section: '4.6, 7', title: 'refuses the later of two writes to one entity at once (409)',           endpoints: writes, ...untested(...writes), decorator: refusesLater(refusal(409, 'Somebody else is writing to it.'), false) },
  { id: 'writes-conflict-for-all',  section: '4.6, 7', title: 'refuses all writes to one entity that meet (409)',                      endpoints: gates,  mayBeUntested: { checks: ['patch-gate/*', 'disable-gate/*'] }, decorator: nobodyWins },
  { id: 'writes-locked',            section: '4.6, 7', title: 'locks an entity while a write to it is under way (423)',                endpoints: writes, ...untested(...writes), decorator: refusesLater(refusal(423, 'A change is under way.'), false) },
  { id: 'versions-do-not-match',    section: '4.6, 9', title: 'refuses the later of two writes for its version (412)',                 endpoints: writes, ...untested(...writes), decorator: refusesLater(refusal(412, 'The version has changed.'), false) },
  { id: 'writes-put-off',           section: '8',      title: 'puts off the later of two writes at once (429)',                        endpoints: ['patch-gate', 'update-qualifying-event', 'create-metric'], decorator: refusesLater(putOff, false) },
  { id: 'writes-in-a-row',          section: '4.6',    title: 'carries out one write after another, each in its time',                 endpoints: writes, decorator: inARow },
  { id: 'first-is-last',            section: '4.6',    title: 'carries out the first of two writes last',                              endpoints: writes, decorator: firstLast },
  { id: 'gates-shown-as-they-are',  section: '4.6',    title: 'shows a gate as it is when the answer leaves, with what others wrote',  endpoints: ['patch-gate'], mayBeAccusedInTraffic: ['echo.sent-field'], decorator: showsNow },
  { id: 'gates-raced-late',         section: '4.6',    title: 'reads gates from a replica, also after writes that met',                endpoints: gates, behindMs: 40, decorator: both(late(40, ['gates']), emptyPatchReads) },
  { id: 'versions-leap',            section: '9',      title: 'raises the version by more where writes meet',                          endpoints: gates, decorator: versionsLeap },
  { id: 'creations-conflict',       section: '4.9, 7', title: 'creates one thing at a time (409)',                                     endpoints: ['create-metric', 'create-prompt-version'], mayBeUntested: { checks: ['create-metric/*', 'create-prompt-version/*'] }, decorator: refusesLater(refusal(409, 'Another one is being made.'), false, anybody) },
];
