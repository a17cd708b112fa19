import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import { pathOf } from '../testing/started.ts';
import type { Draw } from './draw.fixture.ts';
import { type Head, requestText } from './request.fixture.ts';

/** A valid request that may change something, as the model of the state needs it. */
export interface Write {
  readonly endpoint: EndpointId;
  readonly param: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One request, or part of one, that is sent to the server. */
export interface Attack {
  readonly kind: string;
  readonly method: string;
  readonly bytes: Buffer;
  /**
   * How it ends: a `whole` request gets one response and others may follow on its connection; a `broken` one has a
   * connection of its own, and the client waits for responses; on a `reset` the client closes without waiting.
   */
  readonly ending: 'whole' | 'broken' | 'reset';
  /** The statuses that are right for it. */
  readonly statuses: readonly number[];
  /** The operation whose contract a success has to keep. */
  readonly endpoint?: EndpointId;
  readonly sent?: Write;
}

/** A kind of attack. `share`: how many of a thousand are of it. */
export interface Kind {
  readonly kind: string;
  readonly share: number;
  readonly make: (draw: Draw) => Omit<Attack, 'kind'>;
}

/** A whole request. */
export const whole = (
  head: Head,
  body: string | Buffer,
  statuses: readonly number[],
  more: Partial<Attack> = {},
): Omit<Attack, 'kind'> => ({
  method: head.method,
  bytes: Buffer.concat([Buffer.from(requestText(head, Buffer.byteLength(body)), 'latin1'), Buffer.from(body)]),
  ending: 'whole',
  statuses,
  ...more,
});

/** Bytes that are no whole request. */
export const broken = (bytes: string | Buffer, statuses: readonly number[]): Omit<Attack, 'kind'> => ({
  method: 'GET',
  bytes: Buffer.from(bytes as string, 'latin1'),
  ending: 'broken',
  statuses,
});

/** The same bytes in chunks. */
export const inChunks = (body: Buffer, size: number): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

/** The head of a request for an operation, with a JSON body. */
export const headFor = (id: EndpointId, param: string, headers: Readonly<Record<string, string>> = {}): Head => ({
  method: endpoints[id].method,
  target: pathOf(id, param),
  headers: { 'Content-Type': 'application/json', ...headers },
});
