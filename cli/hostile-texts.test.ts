import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onLoopback } from '../suites/proof/testing/loopback.ts';
import { conform, folder } from './testing/command.fixture.ts';
import { attacks, expectHarmless } from './testing/harmless.fixture.ts';

/** Returns the paths of all texts in a JSON value. */
function textsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}

function withText(whole: unknown, path: readonly (string | number)[], change: (text: string) => string): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(String(whole));
  const copy = (Array.isArray(whole) ? [...whole] : { ...(whole as object) }) as Record<string, unknown>;
  copy[name] = withText(copy[name], rest, change);
  return copy;
}

/** Appends to a text, or to the last string of JSON in a text. */
const longer = (more: string) => (text: string) =>
  /^[{[].*"/s.test(text) ? text.replace(/"(?=[^"]*$)/, `${JSON.stringify(more).slice(1, -1)}"`) : `${text}${more}`;

const recording = JSON.parse(readFileSync('examples/traffic/tests.har', 'utf8')) as {
  log: { entries: { request: { headers: object[] } }[] };
};

/** The recording, with an unpaired surrogate in the key of every request: secrets are sought in many spellings. */
const withKeys = {
  log: {
    ...recording.log,
    entries: recording.log.entries.map(entry => ({
      ...entry,
      request: {
        ...entry.request,
        headers: ['SERVICE-API-KEY', 'Authorization'].map(name => ({ name, value: 'Bearer abcdefghi\ud800jklmnop' })),
      },
    })),
  },
};

const formats = ['terminal', 'markdown', 'json', 'junit'].flatMap(name => ['--reporter', `${name}=-`]);

test('no text of a recording is too odd to be judged, and none does anything to who reads of it', async () => {
  const file = join(folder(), 'a.har');
  const texts = textsIn(recording);
  expect(texts.length).toBeGreaterThan(70);
  // One text of each name, because all texts of one name are treated the same.
  const named = new Map(texts.map(path => [String(path.at(-1)), path]));
  const halves = [...named.values()].map(path => withText(recording, path, longer('half \ud800')));
  // Keep what identifies a request, so that everything else is judged.
  const others = texts.filter(path => !['method', 'url', 'startedDateTime'].includes(String(path.at(-1))));
  const whole = attacks.map(more =>
    others.reduce<unknown>((value, path) => withText(value, path, longer(more)), recording),
  );
  for (const one of [...halves, ...whole, withKeys]) {
    writeFileSync(file, JSON.stringify(one));
    const { code, out, err } = await conform(['judge', file, '--out', folder(), ...formats]);
    expect([one, [0, 1, 2, 3].includes(code)]).toEqual([one, true]);
    expectHarmless(out + err);
  }
});

/** Starts a target that answers every request with attacks in all texts. */
async function hostile(status: number): Promise<string> {
  const text = attacks.join(' ');
  const entity = { id: text, name: text, description: text, tags: [text], url: text };
  const answer = {
    message: text,
    errors: [{ property: text, errorMessage: text }],
    data: [entity],
    requests: [entity],
  };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({ ...answer, pagination: { nextPage: text, totalItems: 1, pageNumber: 1, itemsPerPage: 1 } }),
    );
  });
  const { url, close } = await onLoopback(server);
  onTestFinished(close);
  return url.origin;
}

const to = (url: string): string[] => ['--base-url', url, '--api-key', 'a-key-of-tests'];

// biome-ignore format: a table
const talks: readonly (readonly [what: string, argv: (url: string, out: string) => string[]])[] = [
  ['run',          (url, out) => ['run', ...to(url), '--profile', 'quick', '--only', 'list-segments', '--only', 'list-events', '--out', out]],
  ['doctor',       url => ['doctor', ...to(url), '--write']],
  ['init',         (url, out) => ['init', ...to(url), '--out', join(out, 'c.json')]],
  ['seed from',    (url, out) => ['seed', 'from', ...to(url), '--out', join(out, 's.json')]],
  ['ctl state',    url => ['ctl', 'state', '--url', url]],
  ['ctl requests', url => ['ctl', 'requests', '--url', url]],
  ['diff',         (url, out) => ['diff', url, `${url}/b`, '--api-key', 'a-key-of-tests', '--profile', 'quick', '--only', 'list-segments', '--out', out]],
];

test.each(talks)('whatever a target says to %s, it does nothing to who reads of it', async (_what, argv) => {
  for (const status of [200, 400, 500]) {
    const out = folder();
    mkdirSync(join(out, 'o'));
    const ended = await conform(argv(await hostile(status), join(out, 'o')));
    expect([status, ended.err, [0, 1, 2, 3].includes(ended.code)]).toEqual([status, ended.err, true]);
    expectHarmless(ended.out + ended.err);
  }
});
