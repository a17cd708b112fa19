import type { Collection } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import type { Fault } from '../../../reference-server/index.ts';
import { isGatewayError } from '../../client/deferral.ts';
import { judgedTraffic } from '../testing/exchanges.ts';
import { brokenClients } from './broken-clients.fixture.ts';
import { type Driven, driven, serverKey } from './driven.fixture.ts';
import { collections, ordinaryClient } from './ordinary-client.fixture.ts';

/**
 * How the traffic of ordinary and broken clients shows a fault. `found`: a finding cites a requirement of it.
 * `elsewhere`: a finding cites another requirement. `same`: all answers equal those of the sound server. `refuses`:
 * only refusals differ, which may have invisible reasons. `missed`: it shows, but is not found.
 */
export type Visibility = 'found' | 'elsewhere' | 'same' | 'refuses' | 'missed';

/** The result for a fault. */
export interface Sighting {
  readonly visibility: Visibility;
}

/** False for faults that leave requests unanswered, because these tests do not wait for time limits. */
export const isDriven = ({ requirement }: Fault): boolean => requirement !== 'robust.no-hang';

/** Returns the requests of broken clients to some collections. */
const broken = (own: readonly Collection[]) =>
  brokenClients.flatMap(({ calls }) =>
    calls.filter(({ endpoint = 'list-segments' }) => own.includes(endpoints[endpoint].collection)),
  );

/** Returns the collections in which a fault may show. */
const concerned = ({ endpoints: own }: Fault): readonly Collection[] =>
  collections.filter(one => own.some(id => endpoints[id].collection === one));

const client = (own: readonly Collection[]) => async (run: Driven) => {
  await ordinaryClient(own)(run);
  for (const call of broken(own)) await run.send(call);
};

const sound = new Map<string, Promise<Driven>>();

/** Drives the sound server with the same traffic. */
function soundRun(own: readonly Collection[]): Promise<Driven> {
  const key = own.join();
  const known = sound.get(key) ?? driven({}, client(own));
  sound.set(key, known);
  return known;
}

const statusIn = (line: string): number => Number(line.split(' ')[1]);

/** True if an answer is a refusal, or from a gateway, and that of the sound server was no server error. */
const onlyRefuses = (line: string, before: string | undefined): boolean => {
  const [now, then] = [statusIn(line), statusIn(before ?? '')];
  return ((now >= 400 && now < 500) || isGatewayError(now)) && then < 500;
};

/** Drives a server with a fault and judges the exchanges. */
async function sightingOf(fault: Fault): Promise<Visibility> {
  const own = concerned(fault);
  const [plain, run] = [await soundRun(own), await driven({ faults: [fault.id] }, client(own))];
  const differing = run.transcript.filter((line, index) => line !== plain.transcript[index]);
  const { found } = judgedTraffic(run.exchanges, { apiKey: serverKey, soleWriter: true });
  const cited = found.flatMap(one => (one.startsWith('server ') ? (one.split(' ')[1] ?? []) : []));
  const due: readonly string[] = [fault.requirement, ...(fault.alsoAs ?? [])];
  if (cited.some(id => due.includes(id))) return 'found';
  if (cited.length > 0) return 'elsewhere';
  if (differing.length === 0) return 'same';
  // Differences after the first refusal may follow from it.
  const first = run.transcript.findIndex((line, index) => line !== plain.transcript[index]);
  const isRefusal = onlyRefuses(run.transcript[first] ?? '', plain.transcript[first]);
  return isRefusal ? 'refuses' : 'missed';
}

/** Returns the visibility of a fault to be noted. */
export const measureSighting = async (fault: Fault): Promise<{ readonly noted: Sighting; readonly problems: [] }> => ({
  noted: { visibility: await sightingOf(fault) },
  problems: [],
});
