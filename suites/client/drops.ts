import type { Reply } from '../protocol/reply.ts';

/** A request whose connection closed without an answer. */
interface Lost {
  readonly reply: Reply;
  /** True if nobody listened for its second attempt, so that the closed connection was its only real one. */
  readonly deservesAnother: boolean;
  /** Sends it again while no other request is under way; null if it must not be repeated. */
  readonly resend: (() => Promise<Reply>) | null;
}

/** How it ends: with an answer or failure of its own, or not at all: it is not repeated, and another one was the cause. */
type Settled = Reply | 'was-away';

/** Number of requests that get no answer again, and none does, after which the others are not sent again: all are dropped. */
const mostInVain = 3;

const isUnanswered = (reply: Reply | null): boolean => reply !== null && reply.failure !== null;

/**
 * Decides for all requests of a client what a closed connection shows. A process that dies closes all its connections,
 * so of several requests that lose theirs at once, most had no part in it. Each is sent again, alone: if one of them gets
 * no answer again, it is the cause, and the answers of the others count. If all are answered, none is known to be the
 * cause, and each keeps its failure.
 *
 * @param quiet resolves when every request that is under way now has ended
 */
export function createDrops(quiet: () => Promise<void>) {
  let open: { lost: Lost; end: (settled: Settled) => void }[] | undefined;

  async function settleAll(): Promise<void> {
    await quiet();
    const all = open ?? [];
    // What fails from now on fails for another reason.
    open = undefined;
    const again: (Reply | null)[] = [];
    for (const { lost } of all) {
      const isTried = all.length > 1 || lost.deservesAnother;
      const tried = again.filter(reply => reply !== null);
      const isInVain = tried.length >= mostInVain && tried.every(isUnanswered);
      again.push(isTried && !isInVain && lost.resend !== null ? await lost.resend() : null);
    }
    const isCauseFound = again.some(isUnanswered);
    for (const [index, { lost, end }] of all.entries()) {
      const reply = again[index] ?? null;
      if (reply === null) end(isCauseFound ? 'was-away' : lost.reply);
      else end(reply.failure !== null || lost.deservesAnother || isCauseFound ? reply : lost.reply);
    }
  }

  return {
    /** Settles a lost request. Call it before its connection is free again: what else is lost by then was lost with it. */
    settle: (lost: Lost): Promise<Settled> =>
      new Promise(end => {
        if (open !== undefined) {
          open.push({ lost, end });
          return;
        }
        open = [{ lost, end }];
        void settleAll();
      }),
  };
}
