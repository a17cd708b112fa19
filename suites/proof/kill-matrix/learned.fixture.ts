import { readFileSync, writeFileSync } from 'node:fs';
import type { Profile } from '../../../contracts/report/journal.ts';
import type { CaseOrder } from '../../engine/case-order.ts';
import { trimToFit, untrimmed } from '../../engine/trim.ts';
import { rankedBy, sentOf } from './curve.fixture.ts';
import { learnOrder } from './learning.fixture.ts';
import type { SoundRun, ToldFault } from './told.fixture.ts';

/** Where the order stands that the package ships with. */
export const orderFile = new URL('../../engine/case-order.json', import.meta.url);

/** So many requests the whole run of a profile may send to the reference server. */
export const mostRequests: Readonly<Partial<Record<Profile, number>>> = { quick: 898, standard: 4450 };

/** A run that uses its requests up to this part is near enough to what it may send. */
const nearEnough = 0.98;
const mostTries = 4;
/** A trimmed run sends about so much more than its cases cost: fewer of them share a control. */
const usualOverhead = 1.07;

/** Writes an order for the runs that follow: a line for each unit and each kind, so that differences can be read. */
export function writeOrder(order: CaseOrder): void {
  const { cases, kinds, draws, ...head } = order;
  const lines = (of: object): string =>
    `{\n${Object.entries(of)
      .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n')}\n }`;
  const rest = Object.entries({ cases, kinds, draws }).map(([name, of]) => `"${name}": ${lines(of)}`);
  writeFileSync(orderFile, `{\n ${JSON.stringify(head).slice(1, -1)},\n ${rest.join(',\n ')}\n}\n`);
}

/** The order that stands in the file now, whatever the process has read of it before. */
export const readOrder = (): CaseOrder => JSON.parse(readFileSync(orderFile, 'utf8')) as CaseOrder;

/**
 * Learns an order, writes it, and finds the least worth of each profile by sending what it chooses to a sound server:
 * as much as the profile may send, and no more.
 * @param requestsOf sends the run of a profile, with the order as it was written, and tells how many requests that took
 */
export async function learnAndWrite(
  told: readonly ToldFault[],
  sound: SoundRun,
  requestsOf: (profile: Profile) => Promise<number>,
): Promise<CaseOrder> {
  let order = learnOrder(told, sound);
  const ranked = rankedBy(order, sound);
  for (const [profile, most] of Object.entries(mostRequests) as [Profile, number][]) {
    let budget = (most - order.fixed) / usualOverhead;
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const { least } = trimToFit(ranked, untrimmed, budget, { because: '', remedy: '' });
      const tried: CaseOrder = { ...order, least: { ...order.least, [profile]: least } };
      writeOrder(tried);
      const requests = await requestsOf(profile);
      const planned = sentOf(ranked, { ...untrimmed, least }).requests;
      process.stderr.write(`${profile}: ${requests} requests, of ${planned + order.fixed} that it was to send\n`);
      const overhead = Math.max(1, (requests - order.fixed) / Math.max(1, planned));
      if (requests <= most) {
        best = least;
        order = { ...order, overhead: Math.max(order.overhead, Math.round(100 * overhead) / 100) };
        if (requests >= nearEnough * most || least === 0) break;
      }
      budget *= (most - order.fixed) / (requests - order.fixed) / (requests > most ? 1.01 : 1);
    }
    order = { ...order, least: { ...order.least, [profile]: best } };
    writeOrder(order);
  }
  return order;
}
