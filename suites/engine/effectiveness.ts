import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { steps } from '../../contracts/pointer.ts';
import type { Notice, RunEnd } from '../../contracts/report/journal.ts';
import { checks } from '../checks/index.ts';
import type { HttpClient } from '../client/client.ts';
import { isLimited } from '../client/deferral.ts';
import { linesIn, schemaAt } from '../generators/index.ts';
import { longEnough, readPage } from '../judge/page.ts';
import { refusalReason } from '../judge/refusal-words.ts';
import { inWords } from '../judge/words.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Bases } from '../protocol/base.ts';
import { entryOf, mostFrequentFirst } from '../protocol/entries.ts';
import type { Target } from '../protocol/sut.ts';
import { rare } from '../sut/gateway-errors.ts';
import type { Observer } from '../sut/observer.ts';
import { fixtureNames } from '../sut/target.ts';
import { notice } from './notice.ts';

interface Tally {
  sent: number;
  accepted: number;
  missing: number;
  /** The refusals in words, each with its status. */
  readonly reasons: Map<string, { readonly status: number; times: number }>;
}

/** What would help where a status, whatever was sent, refuses the run and not the request. */
const remedies: Readonly<Partial<Record<number, string>>> = {
  402: 'use a project whose plan has what the operation takes',
  403: 'use a key that has the right to it, or leave it out with --skip',
  423: 'unlock the fixtures of the target file, or name others',
  428: 'let the service take writes without a condition (If-Match): the specification knows none',
};

/** Maximum number of reasons that are kept of an operation: a target may give another one each time. */
const mostReasons = 50;

/** The checks that send requests which should be accepted. */
const accepting = new Set(
  checks.filter(({ role }) => role === 'minimal-request' || role === 'acceptance').map(({ id }) => id),
);

/** True if an answer's request should succeed, by the check in its id (`endpoint/check#path`). */
const isMeantToSucceed = ({ id }: Answer): boolean => accepting.has(id.slice(id.indexOf('/') + 1, id.indexOf('#')));

/**
 * Observes acceptance rates and list lengths, and warns before results are trusted: if nearly everything was refused, a
 * run passes for the wrong reason.
 */
export function createEffectiveness(target: Target) {
  const tallies = new Map<EndpointId, Tally>();
  const lengths = new Map<EndpointId, number>();
  return {
    note(answer) {
      const { endpoint } = answer.request;
      const page = readPage(answer);
      // Lists that a run reads for their names alone, under a filter, are not tested page by page.
      if (page !== null && answer.own && answer.id.startsWith(`${endpoint}/`))
        lengths.set(endpoint, Math.max(lengths.get(endpoint) ?? 0, page.totalItems));
      if (!isMeantToSucceed(answer) || answer.request.unobserved === true || answer.reply.failure !== null) return;
      if (isLimited(answer.reply)) return;
      const tally = entryOf(tallies, endpoint, () => ({ sent: 0, accepted: 0, missing: 0, reasons: new Map() }));
      tally.sent += 1;
      if (answer.success) tally.accepted += 1;
      else {
        if (answer.status === 404) tally.missing += 1;
        const { reasons } = tally;
        const reason = refusalReason(answer);
        if (reasons.has(reason) || reasons.size < mostReasons)
          entryOf(reasons, reason, () => ({ status: answer.status, times: 0 })).times += 1;
      }
    },
    all() {
      const notices: Notice[] = [];
      const warn = (text: string, remedy: string): void => void notices.push(notice('warning', text, remedy));
      const refusing = [...tallies].flatMap(([endpoint, tally]) => {
        const [frequent] = [...tally.reasons].sort(([a, one], [b, other]) =>
          mostFrequentFirst([a, one.times], [b, other.times]),
        );
        if (frequent === undefined) return [];
        const [reason, { status }] = frequent;
        return [{ endpoint, ...tally, reason, ofStatus: remedies[status] }];
      });
      /** Operations that accepted nothing, by their most frequent reason. */
      const none = grouped(
        refusing.filter(({ accepted }) => accepted === 0),
        ({ reason }) => reason,
      );
      const alike = [...none].filter(([, all]) => all.length > 1);
      for (const [reason, all] of alike)
        warn(
          `none of what should succeed was accepted of ${all.length} operations, most often with ${reason}: ${all
            .map(({ endpoint }) => endpoint)
            .sort()
            .join(', ')}`,
          all[0]?.ofStatus ??
            `what was tried of each: npx conform explain ${all[0]?.endpoint}/accepts REPORT (the report.json of this run)`,
        );
      const told = new Set(alike.flatMap(([, all]) => all));
      for (const one of refusing) {
        const { endpoint, sent, accepted, missing, reason, ofStatus } = one;
        if (accepted > sent / 2 || told.has(one)) continue;
        const refused = `${sent - accepted} of ${sent} requests that should succeed were refused`;
        const tried = accepted === 0 && sent > 1 ? ', whatever they carried' : '';
        const remedy =
          missing > 0
            ? 'see whether the operation is served, and whether the fixtures of the target file exist'
            : accepted === 0
              ? (ofStatus ??
                `mend the operation, or name what it accepts in the target file, under requires the fields that it demands; what was tried: npx conform explain ${endpoint}/accepts REPORT (the report.json of this run)`)
              : 'see what its words ask for; if they are about a name, check the vocabulary of the target file';
        warn(`${endpoint}: ${refused}${tried}, most often with ${reason}`, remedy);
      }
      const short = [...lengths].filter(([, length]) => length < longEnough);
      if (short.length > 0) {
        const which = short.map(([endpoint, length]) => `${endpoint} (${length})`).join(', ');
        const named = short.flatMap(([endpoint, length]) => (length > 0 ? [] : (endpointRow(endpoint).fixture ?? [])));
        const doubt = named.map(kind => `, or see whether fixtures.${kind} are named rightly`);
        warn(
          `too short to prove much about pages: ${which}`,
          `give each list ${longEnough} items or more${[...new Set(doubt)].join('')}`,
        );
      }
      if (fixtureNames(target, 'gates').length === 1)
        warn(
          'one gate where two are needed: that a write leaves other gates alone is not tested',
          'fixtures.gates: ["a_gate", "another_gate"]',
        );
      return notices.sort((a, b) => (a.text < b.text ? -1 : 1));
    },
  } satisfies Observer;
}

/** Tells which names of the target file an operation refuses, where it takes another: the file may misspell them. */
export const createMisnamed = (bases: () => Bases): Observer => ({
  note: () => {},
  all: () =>
    [...bases()].flatMap(([endpoint, { changes }]) =>
      changes.flatMap(({ pointer, was, becomes }) => {
        const place = schemaAt(endpointRow(endpoint).body ?? {}, {}, pointer);
        const [line] = place === undefined || was === undefined ? [] : linesIn(place, was, becomes);
        if (line === undefined) return [];
        const [field] = steps(pointer);
        const instead = becomes === undefined ? 'the request without it' : inWords(becomes);
        const text = `${endpoint}: ${field} ${inWords(was)} of the target file is refused, and ${instead} taken, which was sent instead`;
        return notice('warning', text, `see whether ${line} names what is there`);
      }),
    ),
});

/** Returns the retries of a client for the journal; nothing if there were none. */
export function retriesOf(client: Pick<HttpClient, 'retries'>): Pick<RunEnd['stats'], 'retries'> {
  const { closed, gateway } = client.retries();
  return closed + gateway === 0 ? {} : { retries: { closedConnections: closed, gatewayErrors: gateway } };
}

function noticesOf(times: number, sent: number, what: string, remedy: string): readonly Notice[] {
  if (times === 0) return [];
  const digits = (one: number): string => one.toLocaleString('en');
  const text = `${digits(times)} of ${digits(sent)} requests ${times === 1 ? 'was' : 'were'} ${what}`;
  if (times * rare <= sent) return [notice('info', text)];
  return [notice('warning', `${text}: more than one in ${rare}`, remedy)];
}

/** Reports retries at the end of a run. They are no defect unless frequent. */
export const createRetryNotices = (client: Pick<HttpClient, 'retries' | 'sent' | 'outages'>): Observer => ({
  note: () => {},
  all() {
    const { closed, gateway } = client.retries();
    const outages = client.outages();
    const often = outages === 1 ? 'once' : `${outages} times`;
    return [
      ...(outages === 0
        ? []
        : [
            notice(
              'warning',
              `the target was away ${often} and came back: what it had not answered was sent again, and what it shows since is not held against what was written before`,
              'see in its log whether it was restarted or went down by itself: if a request did it, that is found only where it does so each time',
            ),
          ]),
      ...noticesOf(
        closed,
        client.sent(),
        'sent again over a fresh connection, because the target closed the one that it had kept open',
        'have it say Connection: close in the last answer of a connection, or keep idle connections for longer',
      ),
      ...noticesOf(
        gateway,
        client.sent(),
        'answered 502, 503 or 504 at first, and otherwise when sent again',
        'look at the log of the gateway in front of the target; if it limits the rate, have it answer 429, or send less, as with --rate 50',
      ),
    ];
  },
});

/** Reports at the end of a run the answers that took longer than `limitMs`. They are judged like all others. */
export function createSlowAnswers(limitMs: number): Observer {
  let slow = 0;
  let answers = 0;
  let slowest = { ms: 0, id: '', endpoint: '' };
  return {
    note({ id, reply, request: { endpoint } }) {
      if (reply.failure !== null) return;
      answers += 1;
      if (reply.durationMs <= limitMs) return;
      slow += 1;
      if (reply.durationMs > slowest.ms) slowest = { ms: reply.durationMs, id, endpoint };
    },
    all() {
      if (slow === 0) return [];
      const worst = `the slowest, of ${slowest.endpoint}, ${Math.round(slowest.ms)} ms (${slowest.id})`;
      return [notice('warning', `${slow} of ${answers} answers took longer than ${limitMs} ms; ${worst}`)];
    },
  };
}
