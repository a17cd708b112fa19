import type { RequestListener } from 'node:http';
import { createReferenceServer } from '../../../reference-server/index.ts';
import { patientServer } from '../testing/patient-server.ts';
import { testKey } from '../testing/reference-run.ts';
import { type Behaviour, patient, type Row } from './behaviour.fixture.ts';

/** Number of requests that a target answers correctly before it misbehaves: fewer than any endpoint is done with. */
const soundAtFirst = 130;

const drop: RequestListener = request => request.socket.destroy();

/**
 * Replaces a listener for one of the misbehaving requests, counted from 1; `hold` is called if it is never answered.
 */
type Instead = (nth: number, listener: RequestListener, hold: () => void) => RequestListener;

/** A correct server that misbehaves after some requests. */
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

/** Upper bound: the correct requests, then those under way, in a row, the probe, and the attempts to restore. */
const atMost = soundAtFirst + 60;
const gone = { outcome: 'unreachable', says: 'stopped answering', atMost } as const;

/** Targets that disappear in the middle of a run. */
export const goingAway: readonly Behaviour[] = [
  partWay({ does: 'half way answers no more', ...gone, timeoutMs: 'held' }, (_nth, _listener, hold) => hold),
  partWay({ does: 'half way closes every connection', ...gone, timeoutMs: patient }, () => drop),
];

/** A target that disappears for a while. */
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
