/**
 * Loaded with `node --import` before the command line: writes every request that undici sends, one JSON object a line,
 * to the file that `RECORD_REQUESTS` names, when the process ends. See `same-run.ts`.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';

const file = process.env.RECORD_REQUESTS;
if (file !== undefined) {
  const lines = [];
  subscribe('undici:request:create', ({ request: { method, path, headers, body } }) => {
    const text = body === null || body === undefined ? null : Buffer.from(body).toString('latin1');
    lines.push(JSON.stringify({ method, path, headers, body: text }));
  });
  process.on('exit', () => writeFileSync(file, `${lines.join('\n')}\n`));
}
