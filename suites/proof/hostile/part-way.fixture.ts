import type { RequestListener } from 'node:http';
import { createReferenceServer } from '../../../reference-server/index.ts';
import { patientServer } from '../testing/patient-server.ts';
import { testKey } from '../testing/reference-run.ts';
import { type Behaviour, patient, type Row } from './behaviour.fixture.ts';

/** So many requests does a target answer as it should before it goes wrong. */
const soundAtFirst = 150;

const drop: RequestListener = request => request.socket.destroy();

/**
 * What stands in the way of a sound server: told which request it is that meets it, from 1, and what to call where it
 * is never answered.
 */
type Instead = (nth: number, listener: RequestListener, hold: () => void) => RequestListener;

/** A sound server with something in the way once it has answered some requests. */
const partWay = (row: Row, instead: Instead, sound = soundAtFirst): Behaviour => ({
  ...row,
  async serve(hold = () => {}) {
    let requests = 0;
    const server = createReferenceServer({
      ...patientServer,
      apiKey: testKey,
      grace: 0,
      decorateListener: listener => (request, response) => {
        requests += 1;
        const chosen = requests > sound ? instead(requests - sound, listener, hold) : listener;
        chosen(request, response);
      },
    });
    const { url } = await server.listen();
    return { url: new URL(url), requests: () => requests, strayed: () => 0, close: server.close };
  },
});

/** What was under way, the requests in a row, the probe, and the tries to put things back. */
const atMost = soundAtFirst + 60;
const gone = { outcome: 'unreachable', says: 'stopped answering', atMost } as const;

/** A target that goes away half way, in every way. */
export const goingAway: readonly Behaviour[] = [
  partWay({ does: 'half way answers no more', ...gone, timeoutMs: 'held' }, (_nth, _listener, hold) => hold),
  partWay({ does: 'half way closes every connection', ...gone, timeoutMs: patient }, () => drop),
];

/** A target that is gone for a while. */
export const comingBack: Behaviour = partWay(
  {
    does: 'goes away half way and comes back',
    outcome: 'complete',
    says: 'robust.no-drop',
    atMost: 12_000,
    timeoutMs: patient,
  },
  (nth, listener) => (nth <= 12 ? drop : listener),
  2 * soundAtFirst,
);
