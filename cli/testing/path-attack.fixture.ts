import fc from 'fast-check';
import { type Attacked, said, withWall } from './attacked-wall.fixture.ts';

/** The random parts of paths. */
// biome-ignore format: a table
const pieces = fc.oneof(
  fc.constantFrom('/', '/', '/', 'console', 'v1', 'gates', 'gate_a'),
  fc.constantFrom(
    '\\', '%5c', '%2F', '%252f', '..', '.', '%2e', '%252E', ';a=b', '#', '%23', '%3f', '?', '%00', '%25', '%', 'x',
    'Console', '%63onsole', 'con%73ole', '%09', '*',
  ),
);

/** Texts that servers may take for the slash between two names. */
// biome-ignore format: a table
const slashes = fc.constantFrom(
  '/', '/', '\\', '%2f', '%5C', '%252f', '/./', '/x/../', '//', ';a/', '%3b/', '/%2e/', '/x%2f..%2f', '%00/', '/#/',
);

const joined = (parts: readonly string[]): string => parts.join('');
const between = fc.tuple(slashes, fc.oneof({ weight: 3, arbitrary: fc.constant('') }, pieces)).map(joined);
const written = fc.constantFrom('console', 'Console', '%63onsole', 'con%2573ole');
const near = fc.tuple(between, written, between, fc.constantFrom('v1', '%761', 'V1'), between).map(joined);
const far = fc.array(pieces, { minLength: 1, maxLength: 14 }).map(joined);
const oddPaths = fc.oneof(near, far).map(path => `/${path}`);

/** Returns the ways in which servers may read a path: decoded once or more, before or after removing dot segments. */
function readingsOf(path: string): readonly string[] {
  const read = (text: string): string =>
    new URL(`http://server.test/${text.replace(/;[^/\\]*/g, '').replaceAll('#', '%23')}`).pathname
      .replace(/[/\\]+/g, '/')
      .toLowerCase();
  const undo = (text: string): string =>
    text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const [own = ''] = path.split('?');
  const rounds = [own, undo(own), undo(undo(own)), undo(undo(undo(own)))];
  return rounds.flatMap(text => [text, read(text), undo(read(text))]);
}

/** Sends broken requests to random paths. None may reach the target by a path that any reading takes for the API's. */
export function attackPaths(seed: number, count: number): Promise<Attacked> {
  const all = fc.sample(oddPaths, { seed, numRuns: count });
  const body = JSON.stringify({ name: 'a#b' });
  return withWall(
    () => Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
    async (url, asked) => {
      const wrong: string[] = [];
      let ours = 0;
      for (const [number, path] of all.entries()) {
        const head = `PATCH ${path} HTTP/1.1\r\nHost: wall\r\nConnection: close\r\nX-Attack: ${number}\r\n`;
        await said(url, Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`));
        const isOurs = readingsOf(path).some(one => /^\/+console\/+v1(\/|$)/i.test(one));
        ours += Number(isOurs);
        if (isOurs && asked.has(number)) wrong.push(path);
      }
      return { count: all.length, wrong, asked: asked.size, answered: asked.size, ours };
    },
  );
}
