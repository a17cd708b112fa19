import { createServer as createHttpServer } from 'node:http';
import { connect } from 'node:net';
import { onLoopback } from '../../suites/proof/testing/loopback.ts';
import { createTrafficJudge } from '../../suites/traffic/index.ts';
import { startEnforcingProxy } from '../../suites/traffic/wire/enforce.ts';
import { gateBefore } from '../enforcing.ts';

/** The result of attacks on a wall. */
export interface Attacked {
  readonly count: number;
  /** Descriptions of the attacks that got further, or less far, than they should. */
  readonly wrong: readonly string[];
  /** Requests that reached the target, and answers that came back. */
  readonly asked: number;
  readonly answered: number;
  /** How many were meant for the API. */
  readonly ours: number;
}

/** Returns everything received over a connection after sending some bytes. */
export const said = ({ hostname, port }: URL, bytes: Buffer): Promise<string> =>
  new Promise(resolve => {
    const parts: Buffer[] = [];
    const end = (): void => resolve(Buffer.concat(parts).toString('latin1'));
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    socket.on('data', part => void parts.push(part));
    socket.on('error', end).on('close', end);
  });

/** Starts a wall before a server that answers each request by its number; closes both after `work`. */
export async function withWall<T>(
  answer: (number: number) => Buffer,
  work: (url: URL, asked: ReadonlySet<number>) => Promise<T>,
): Promise<T> {
  const asked = new Set<number>();
  const server = createHttpServer({ insecureHTTPParser: true }, (request, response) => {
    const number = Number(request.headers['x-attack']);
    asked.add(number);
    request.resume().on('end', () => response.socket?.end(answer(number)));
  });
  const target = await onLoopback(server);
  const options = { baseUrl: target.url, settleMs: 0 };
  const gate = gateBefore(() => ({ sink: judge, settle: judge.settle }), options);
  const judge = createTrafficJudge({ ...options, emit: () => {}, onBreach: gate.breach, onUnjudged: gate.unjudged });
  const wall = await startEnforcingProxy({ target: target.url, gate }, { host: '127.0.0.1', port: 0 });
  try {
    return await work(wall.url, asked);
  } finally {
    await wall.close();
    await target.close();
  }
}
