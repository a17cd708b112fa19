import type { Notice, RunEnd } from '../../contracts/report/journal.ts';
import type { HttpClient } from '../client/client.ts';
import type { Observer } from '../sut/observer.ts';

/** More than one in so many requests that had to be sent again, and the notice is a warning. */
const rare = 200;

/** The retries of a client as a journal has them: nothing where there were none. */
export function retriesOf(client: Pick<HttpClient, 'retries'>): Pick<RunEnd['stats'], 'retries'> {
  const { closed, gateway } = client.retries();
  return closed + gateway === 0 ? {} : { retries: { closedConnections: closed, gatewayErrors: gateway } };
}

function noticeOf(count: number, sent: number, what: (often: string) => string, remedy: string): readonly Notice[] {
  if (count === 0) return [];
  const digits = (one: number): string => one.toLocaleString('en');
  const text = what(`${digits(count)} of ${digits(sent)} requests ${count === 1 ? 'was' : 'were'}`);
  if (count * rare <= sent) return [{ event: 'notice', severity: 'info', text }];
  return [{ event: 'notice', severity: 'warning', text: `${text}: more than one in ${rare}`, remedy }];
}

/** Tells at the end of a run what had to be sent again: no defect by itself, unless there is much of it. */
export const createRetryNotices = (client: Pick<HttpClient, 'retries' | 'sent'>): Observer => ({
  note: () => {},
  all() {
    const { closed, gateway } = client.retries();
    return [
      ...noticeOf(
        closed,
        client.sent(),
        often => `${often} sent again over a fresh connection, because the target closed the one that it had kept open`,
        'have it say Connection: close in the last answer of a connection, or keep idle connections for longer',
      ),
      ...noticeOf(
        gateway,
        client.sent(),
        often => `${often} answered 502, 503 or 504 at first, and otherwise when sent again`,
        'look at the log of the gateway in front of the target',
      ),
    ];
  },
});

/** Tells at the end of a run which answers took longer than `limitMs`. They are judged like all others. */
export function createSlowAnswers(limitMs: number): Observer {
  let count = 0;
  let answers = 0;
  let slowest = { ms: 0, id: '', endpoint: '' };
  return {
    note({ id, reply, request: { endpoint } }) {
      if (reply.failure !== null) return;
      answers += 1;
      if (reply.durationMs <= limitMs) return;
      count += 1;
      if (reply.durationMs > slowest.ms) slowest = { ms: reply.durationMs, id, endpoint };
    },
    all() {
      if (count === 0) return [];
      const worst = `the slowest, of ${slowest.endpoint}, ${Math.round(slowest.ms)} ms (${slowest.id})`;
      const text = `${count} of ${answers} answers took longer than ${limitMs} ms; ${worst}`;
      return [{ event: 'notice', severity: 'warning', text }];
    },
  };
}
