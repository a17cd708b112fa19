/**
 * Loaded with `node --import` before the command line. At exit it writes every request that undici sent to the file
 * that `RECORD_REQUESTS` names, one JSON object a line. It also gives every run the same token. See `same-run.ts`.
 */
import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env.RECORD_REQUESTS;
if (file !== undefined) {
  // Short names are derived from the token, so it could not be removed from the requests afterwards.
  globalThis.crypto.getRandomValues = bytes => bytes.fill(0x5e);
  // Older versions made the token this way.
  crypto.randomBytes = size => Buffer.alloc(size, 0x5e);
  syncBuiltinESMExports();
  const recorded = new Map();
  const textOf = bytes => Buffer.from(bytes).toString('latin1');
  const isStream = body => typeof body?.pipe === 'function';
  subscribe('undici:request:create', ({ request }) => {
    const { method, path, headers, body } = request;
    const text = isStream(body) ? '' : body === null || body === undefined ? null : textOf(body);
    recorded.set(request, { method, path, headers, body: text });
  });
  // Only undici can read the stream.
  subscribe('undici:request:bodyChunkSent', ({ request, chunk }) => {
    if (isStream(request.body)) recorded.get(request).body += textOf(chunk);
  });
  process.on('exit', () =>
    writeFileSync(file, `${[...recorded.values()].map(line => JSON.stringify(line)).join('\n')}\n`),
  );
}
