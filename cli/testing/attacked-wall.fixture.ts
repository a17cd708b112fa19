import { createServer as createHttpServer } from 'node:http';
import { connect } from 'node:net';
import { onLoopback } from '../../suites/proof/testing/loopback.ts';
import { createTrafficJudge } from '../../suites/traffic/index.ts';
import { startEnforcingProxy } from '../../suites/traffic/wire/enforce.ts';
import { gateBefore } from '../enforcing.ts';

/** What a wall made of attacks. */
export interface Attacked {
  readonly count: number;
  /** Attacks that got further, or less far, than they have to: in words. */
  readonly wrong: readonly string[];
  /** How many got to the target, and back. */
  readonly asked: number;
  readonly answered: number;
  /** How many were meant for the API. */
  readonly ours: number;
}

/** All that comes over a connection for some bytes. */
export const said = ({ hostname, port }: URL, bytes: Buffer): Promise<string> =>
  new Promise(resolve => {
    const parts: Buffer[] = [];
    const end = (): void => resolve(Buffer.concat(parts).toString('latin1'));
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    socket.on('data', part => void parts.push(part));
    socket.on('error', end).on('close', end);
  });

/** A wall before a server that says of each request, by its number, what it is told to; both gone after `work`. */
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
