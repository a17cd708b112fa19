import type { Reply } from '../protocol/reply.ts';

/** A request whose connection closed without an answer. */
interface Lost {
  readonly reply: Reply;
  /** True if nobody listened for its second attempt, so that the closed connection was its only real one. */
  readonly deservesAnother: boolean;
  /** Sends it again while no other request is under way; null if it must not be repeated. */
  readonly resend: (() => Promise<Reply>) | null;
  /** Waits until the target is there, and tells whether it was away since the request was sent. */
  readonly whenThere: () => Promise<'there' | 'was-away' | 'away'>;
}

/**
 * How it ends: with an answer or failure of its own, or not at all. Then the target is away, or it was, and the request
 * is not repeated.
 */
type Settled = Reply | 'away' | 'was-away';

/** Number of requests that get no answer again, and none does, after which the others are not sent again: all are dropped. */
const mostInVain = 3;

const isUnanswered = (reply: Reply | null): boolean => reply !== null && reply.failure !== null;

/**
 * Decides for all requests of a client what a closed connection shows. A process that dies closes all its connections,
 * so of several requests that lose theirs at once, most had no part in it. Each is sent again, alone: if one of them gets
 * no answer again, it is the cause, and the answers of the others count. If all are answered, none is known to be the
 * cause: each keeps its failure, unless the target was away. Then it was restarted, and their answers count.
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
    const seen = await all[0]?.lost.whenThere();
    if (seen === 'away') {
      for (const { end } of all) end('away');
      return;
    }
    const wasAway = seen === 'was-away';
    const again: (Reply | null)[] = [];
    for (const { lost } of all) {
      const isTried = all.length > 1 || lost.deservesAnother || wasAway;
      const tried = again.filter(reply => reply !== null);
      const isInVain = tried.length >= mostInVain && tried.every(isUnanswered);
      const { resend } = lost;
      const isSent = isTried && !isInVain && resend !== null;
      // A process that is going down still takes connections.
      if (isSent && isUnanswered(again.at(-1) ?? null)) await lost.whenThere();
      again.push(isSent ? await resend() : null);
    }
    const isCauseFound = wasAway || again.some(isUnanswered);
    for (const [index, { lost, end }] of all.entries()) {
      const reply = again[index] ?? null;
      if (!reply) end(isCauseFound ? 'was-away' : lost.reply);
      else end(reply.failure || lost.deservesAnother || isCauseFound ? reply : lost.reply);
    }
  }

  return {
    /** Settles a lost request. Call it before its connection is free again: what else is lost by then was lost with it. */
    settle: (lost: Lost): Promise<Settled> =>
      new Promise(end => {
        if (open) {
          open.push({ lost, end });
          return;
        }
        open = [{ lost, end }];
        void settleAll();
      }),
  };
}
