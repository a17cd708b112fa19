import type { Socket } from 'node:net';
import { clip } from '../../../contracts/redaction/clip.ts';
import { createPairing, type Observation } from './exchanges.ts';
import {
  type Rewriting,
  requestBeginning,
  requestFraming,
  requestHead,
  responseBeginning,
  responseHead,
  rewritten,
} from './head.ts';
import { createMessageReader } from './messages.ts';
import { carry, resetAfterwards } from './sockets.ts';

/** The two half-open sockets of a connection, and its observation. */
export interface ConnectionOptions {
  readonly client: Socket;
  /** The socket to the target; it may still be connecting. */
  readonly target: Socket;
  /** The name of the connection, for people. */
  readonly source: string;
  readonly rewriting: Rewriting;
  readonly observation: Observation;
  /** The event by which the target's socket reports that it is open. */
  readonly isOpen: string;
  /** Returns why the target cannot be reached, from an error of its socket. */
  readonly whyNot: (error: Error) => string;
}

/** Returns an answer of the proxy itself, which ends the connection. */
const ownAnswer = (status: string, why: string): string => {
  const text = `conform proxy: ${why}\n`;
  const head = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}`;
  return `HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${text}`;
};

const noTunnel = ownAnswer('501 Not Implemented', 'it stands before one server, and opens no tunnels');

const clientClosed = 'the client closed the connection before the answer';

/**
 * Joins two sockets. Each side gets the bytes of the other unchanged, except for Host and the base path in request
 * heads. When one side ends, by FIN or by reset, so does the other. Reading along never delays or changes the bytes.
 */
export function join({ client, target, source, rewriting, observation, isOpen, whyNot }: ConnectionOptions) {
  const pairing = createPairing(source, observation);
  let out: Buffer[] = [];
  let wasOpen = false;
  let isReadable = true;
  let hasClientEnded = false;
  let unreachable: string | null = null;

  const requests = createMessageReader(requestBeginning, {
    head(bytes) {
      const head = requestHead(bytes);
      const framing = requestFraming(head);
      if (head.method === 'CONNECT') {
        client.end(noTunnel);
        target.destroy();
        return 'raw';
      }
      out.push(rewritten(head, rewriting));
      pairing.requestHead(head);
      return framing;
    },
    data: pairing.requestData,
    end: pairing.requestEnd,
    wire: bytes => void out.push(bytes),
    unreadable(why) {
      isReadable = false;
      observation.notice(`${source} is not judged from here on: ${why}`);
    },
  });

  const answers = createMessageReader(responseBeginning, {
    head(bytes) {
      const framing = pairing.responseHead(responseHead(bytes));
      if (framing === 'raw') release();
      return framing;
    },
    data: pairing.responseData,
    end: pairing.responseEnd,
    unreadable(why) {
      // After an unreadable request, answers cannot be assigned to requests.
      if (isReadable) observation.notice(`${source}: no answer is judged from here on: ${why}`);
      pairing.fail(why);
    },
  });

  /** Stops reading requests: sends on a partly held head before any further bytes. */
  function release(): void {
    requests.stop();
    const held = requests.held();
    if (held.length > 0 && target.writable) target.write(held);
  }

  function refuse(): void {
    if (unreachable !== null && client.bytesRead > 0 && client.writable)
      client.end(ownAnswer('502 Bad Gateway', unreachable));
  }

  function passed(bytes: Buffer): Buffer {
    requests.read(bytes);
    const all = out.length === 1 ? (out[0] as Buffer) : Buffer.concat(out);
    out = [];
    return all;
  }

  carry(client, target, passed, refuse);
  carry(target, client, bytes => bytes, answers.read);

  target.once(isOpen, () => {
    wasOpen = true;
  });
  client.on('end', () => {
    hasClientEnded = true;
    target.end(requests.held());
  });
  client.on('error', () => resetAfterwards(target));
  client.on('close', () => {
    pairing.fail(clientClosed);
    if (!hasClientEnded) target.destroy();
  });
  target.on('end', () => {
    answers.close();
    const who = hasClientEnded ? 'the client, and then the target,' : 'the target';
    pairing.fail(`${who} closed the connection without an answer`, !hasClientEnded);
    client.end();
  });
  target.on('error', (error: NodeJS.ErrnoException) => {
    if (wasOpen) {
      const why = `the target broke the connection off (${error.code ?? clip(error.message, 120)})`;
      pairing.fail(why, !hasClientEnded);
      resetAfterwards(client);
    } else {
      unreachable = whyNot(error);
      pairing.fail(unreachable);
      refuse();
    }
  });

  return {
    /** Ends both sides at once. Open requests fail with this reason. */
    close(why: string): void {
      pairing.fail(hasClientEnded ? clientClosed : why);
      client.destroy();
      target.destroy();
    },
  };
}
