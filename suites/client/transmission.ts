import type { WireRequest } from '../protocol/reply.ts';
import type { Connection } from './connection.ts';
import type { Companion } from './crowd.ts';
import { type Exchanged, exchange, type Slot } from './exchange.ts';

interface TransmissionOptions {
  /** The path of the base URL. */
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** What concerns one request on its way. */
export interface Way {
  readonly slot: Slot;
  readonly companion?: Companion | undefined;
  /** Called when an attempt goes on the wire: from then on the target may have carried it out. */
  readonly begun?: (() => void) | undefined;
}

/** Puts the requests of a client on the wire, over connections that are kept alive or opened for them, and counts them. */
export function createTransmission(connect: () => Connection, options: TransmissionOptions) {
  const counts = { sent: 0, closed: 0 };

  /** Sends a request over a connection of its own. */
  async function overFresh(request: WireRequest, { slot, begun }: Way): Promise<Exchanged> {
    const fresh = connect();
    counts.sent += 1;
    try {
      begun?.();
      return await exchange(request, { ...options, slot, via: fresh });
    } finally {
      void fresh.client.destroy();
    }
  }

  return {
    counts,
    overFresh,
    /**
     * Sends a request over a connection that is kept alive. If it closes before the first byte of the answer, sends it
     * once more over a fresh one, made anew.
     */
    async over(via: Connection, request: WireRequest, again: () => WireRequest, way: Way): Promise<Exchanged> {
      const { slot, companion, begun } = way;
      counts.sent += 1;
      begun?.();
      const closedInSilence = via.mark();
      const hold = companion === undefined ? undefined : via.hold();
      if (hold !== undefined) companion?.arrive(hold);
      try {
        return await exchange(request, { ...options, slot, via, hold });
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        if (!/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code) || !closedInSilence()) throw error;
        counts.closed += 1;
        companion?.leave();
        return await overFresh(again(), way);
      } finally {
        hold?.release();
      }
    },
  };
}
