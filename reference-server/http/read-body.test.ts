import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { readBody } from './read-body.ts';

it('a body is cut short where its client left before it was read', async () => {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'content-type': 'application/json', 'content-length': '2' };
  await once(request.destroy(), 'close');
  expect(await readBody(request)).toMatchObject({ refused: { status: 400 } });
});
