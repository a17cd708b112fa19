import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReferenceServer, faults, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';

/** Number of results to make and verify; `npm run prove -- verify` makes a hundred. */
const count = Number(process.env.VERIFIED ?? 5);
const apiKey = 'the-key-of-these-tests';

/** Makes a result. Returns the files to hand in. */
type Way = (run: (...flags: string[]) => Promise<string>, index: number) => Promise<readonly string[]>;

const result = (out: string, ...names: string[]): string[] =>
  ['journal.ndjson', 'report.json', ...names].map(name => join(out, name));

// biome-ignore format: a table
const ways: readonly (readonly [what: string, make: Way])[] = [
  ['whole, with its recording', async run => {
    const out = await run('--record', 'recording.gz');
    return result(out, 'recording.gz');
  }],
  ['the shards of one run, joined', async run => {
    const parts = [await run('--shard', '1/2'), await run('--shard', '2/2')];
    return parts.map(out => join(out, 'journal.ndjson'));
  }],
  ['killed', async (run, index) => {
    const file = join(await run(), 'journal.ndjson');
    const text = readFileSync(file, 'utf8');
    const first = text.indexOf('\n') + 1;
    // Cut anywhere, even within a line.
    writeFileSync(file, text.slice(0, first + Math.floor(((text.length - first) * ((index * 37) % 100)) / 100)));
    return [file];
  }],
  ['its report alone', async run => [join(await run('--strict'), 'report.json')]],
  ['of a part that only reads, with its recording', async run => {
    const out = await run('--read-only', '--record', 'recording.gz');
    return result(out, 'recording.gz');
  }],
];

const profileOf = (index: number): string => {
  if (index % 21 === 20) return 'thorough';
  return index % 4 === 3 ? 'standard' : 'quick';
};

/** Returns the faults of a result's server: none for every third result, otherwise one or two of the catalogue. */
const faultsOf = (index: number): readonly string[] => {
  const at = (step: number): string => faults[(index * step) % faults.length]?.id ?? '';
  return index % 3 === 0 ? [] : index % 3 === 1 ? [at(97)] : [...new Set([at(61), at(113)])];
};

const rows = Array.from({ length: count }, (_, index) => {
  const [what, make] = ways[index % ways.length] as (typeof ways)[number];
  return { index, what, make, profile: profileOf(index), faults: faultsOf(index) };
});

/** A body of several values breaks another requirement than the one value under which it is reported. */
const [[whole, withRecording]] = ways as [(typeof ways)[number]];
const packed = {
  index: count,
  what: whole,
  make: withRecording,
  profile: 'quick',
  faults: ['hypothesis-quotes-escaped'],
};

test.each([...rows, packed])(
  '$index: $what, $profile, faults: $faults: is fine, as nobody touched it',
  async row => {
    const { index, make, profile } = row;
    const server = createReferenceServer({ apiKey, faults: [...row.faults] });
    const { url } = await server.listen();
    const run = async (...flags: string[]): Promise<string> => {
      const out = folder();
      const config = join(out, 'conform.config.json');
      writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey }));
      const placed = flags.map(flag => (flag === 'recording.gz' ? join(out, flag) : flag));
      const argv = ['run', '--config', config, '--profile', profile, '--seed', `${index + 1}`, '--out', out, ...placed];
      const { code, err } = await conform(argv);
      expect([0, 1, 3], err).toContain(code);
      return out;
    };
    const files = await make(run, index);
    await server.close();
    const { code, out, err } = await conform(['verify', ...files]);
    expect([code, out.split('\n').slice(0, 4), err]).toEqual([0, expect.arrayContaining(['✓ consistent']), '']);
  },
  120_000,
);
