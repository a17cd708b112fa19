import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject } from '../../contracts/json.ts';
import { conform } from '../testing/command.ts';
import { scene } from '../testing/scene.ts';

/** A server, and a target file without its vocabulary of apps: less than everything can be verified. */
async function withoutApps(min?: number) {
  const { argv, out, journal } = await scene();
  const file = join(out, 'conform.config.json');
  const { vocabulary, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
  const { apps: _, ...words } = isObject(vocabulary) ? vocabulary : {};
  const text = JSON.stringify({ ...rest, vocabulary: words, ...(min === undefined ? {} : { coverage: { min } }) });
  const whole = `${text.slice(0, -1)} ,  "learn":false}\n`;
  writeFileSync(file, whole);
  const standard = argv.map(word => (word === 'quick' ? 'standard' : word));
  return { quick: argv, standard, journal, text: () => readFileSync(file, 'utf8'), whole };
}

describe('the coverage of a run', () => {
  test('that is asked for and not reached is exit 3, and what would give more is told', async () => {
    const { quick, journal } = await withoutApps();
    const { code, out } = await conform([...quick, '--min-coverage', '100']);
    expect(code).toBe(3);
    expect(out).toMatch(/✓ CONFORMANT · coverage \d\d\.\d %/);
    expect(out).toMatch(/less than the 100 % that this run must reach: \d+ requirements? more to verify/);
    expect(out).toContain('→ name target apps under vocabulary.apps (');
    expect((await conform(['report', journal])).code).toBe(3);
    expect((await conform(['report', journal, '--min-coverage', '50'])).code).toBe(0);
  });

  test('is written into the target file, which keeps its letters', async () => {
    const { standard, text, whole } = await withoutApps();
    const first = await conform([...standard, '--update-coverage']);
    const [, reached] = /coverage\.min of .* is now ([\d.]+)\n$/.exec(first.err) ?? [];
    expect(first.code).toBe(0);
    expect(text()).toBe(whole.replace('"learn":false}', `"learn":false,  "coverage": { "min": ${reached} }}`));
  });

  test('never lowers what the target file asks for, unless a least coverage is given with it', async () => {
    const { standard, text } = await withoutApps(100);
    const { code, err } = await conform([...standard, '--update-coverage']);
    expect([code, JSON.parse(text()).coverage.min]).toEqual([3, 100]);
    expect(err).toMatch(/stays 100: this run reached [\d.]+; to lower it, give --min-coverage too\n$/);
    const lowered = await conform([...standard, '--update-coverage', '--min-coverage', '60']);
    expect(lowered.code).toBe(0);
    expect(JSON.parse(text()).coverage.min).toBeLessThan(100);
  });

  test('is not that of a part of a run', async () => {
    const { quick, standard } = await withoutApps(100);
    const part = await conform([...standard, '--only', 'list-segments']);
    expect([part.code, part.out.includes('coverage')]).toEqual([0, false]);
    expect(part.err).toContain('coverage.min is about whole runs of the standard profile');
    for (const wrong of [
      [...quick, '--only', 'list-segments', '--min-coverage', '90'],
      [...quick, '--update-coverage'],
      [...standard, '--update-coverage', '--shard', '1/2'],
      ['run', '--update-coverage'],
      [...quick, '--min-coverage', '101'],
    ])
      expect((await conform(wrong)).code, wrong.slice(-3).join(' ')).toBe(2);
  });
});
