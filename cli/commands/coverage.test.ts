import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TargetFile } from '../../contracts/target.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { scene } from '../testing/scene.fixture.ts';

/** Starts a server and writes a target file with which less can be verified. */
async function narrowed(lessOf: (file: TargetFile) => TargetFile, min?: number) {
  const { argv, out, journal } = await scene();
  const file = join(out, 'conform.config.json');
  const less = lessOf(JSON.parse(readFileSync(file, 'utf8')) as TargetFile);
  const text = JSON.stringify({ ...less, ...(min === undefined ? {} : { coverage: { min } }) });
  const whole = `${text.slice(0, -1)} ,  "learn":false}\n`;
  writeFileSync(file, whole);
  const standard = argv.map(word => (word === 'quick' ? 'standard' : word));
  return { quick: argv, standard, journal, text: () => readFileSync(file, 'utf8'), whole };
}

const withoutApps = ({ vocabulary: { apps: _, ...vocabulary } = {}, ...file }: TargetFile): TargetFile => ({
  ...file,
  vocabulary,
});

/** Leaves everything untested except two lists, so that a whole run has few requests. */
const withoutFixtures = ({ fixtures: _, disposable: __, ...file }: TargetFile): TargetFile => file;

describe('the coverage of a run', () => {
  test('counts what was proven of all there is to try, and that of quick says what is missing', async () => {
    const standard = await conform(['run', '--out', folder()]);
    expect(standard.out).toMatch(/✓ CONFORMANT · coverage 6\d\.\d % {2}/);
    expect(standard.out).toMatch(/coverage {5}\d,\d+ of \d,\d+ cells proven, \d+ not shown, \d,\d+ not tried/);
    expect(standard.out.match(/→.*/g)?.slice(0, 1)).toEqual([expect.stringContaining('→ vocabulary.')]);
    // The pages show what a run reaches now.
    const reached = (text: string): number => Number(/CONFORMANT · coverage ([\d.]+) %/.exec(text)?.[1]);
    for (const page of ['README.md', 'docs/guide/run.md'])
      expect(Math.abs(reached(readFileSync(page, 'utf8')) - reached(standard.out)), page).toBeLessThan(0.15);
    const quick = await conform(['run', '--profile', 'quick', '--out', folder()]);
    expect(quick.out).toMatch(/CONFORMANT · coverage 4\d\.\d %/);
    expect(quick.out).toContain('→ a larger profile, which sends more (');
  });

  test('that is asked for and not reached is exit 3, and what would give more is told', async () => {
    const { quick, journal } = await narrowed(withoutApps);
    const { code, out } = await conform([...quick, '--min-coverage', '100']);
    expect(code).toBe(3);
    expect(out).toMatch(/◐ CONFORMANT, BUT TOO LITTLE WAS COVERED · coverage \d\d\.\d %/);
    expect(out.replace(/\s+/g, ' ')).toMatch(/less than the 100 % that this run must reach/);
    expect(out).toContain('→ vocabulary.apps: ["an_app"] (');
    expect((await conform(['report', journal])).code).toBe(3);
    expect((await conform(['report', journal, '--min-coverage', '30'])).code).toBe(0);
  });

  test('is written into the target file, which keeps its letters', async () => {
    const { standard, text, whole } = await narrowed(withoutFixtures);
    const { err } = await conform([...standard, '--update-coverage']);
    const [, reached] = /coverage\.min of .* is now ([\d.]+)\n$/.exec(err) ?? [];
    expect(text()).toBe(whole.replace('"learn":false}', `"learn":false,  "coverage": { "min": ${reached} }}`));
  });

  test('never lowers what the target file asks for, unless a least coverage is given with it', async () => {
    const { standard, text } = await narrowed(withoutFixtures, 100);
    const { code, err } = await conform([...standard, '--update-coverage']);
    expect([code, JSON.parse(text()).coverage.min]).toEqual([3, 100]);
    expect(err).toMatch(/stays 100: this run reached [\d.]+; to lower it, give --min-coverage too\n$/);
    const lowered = await conform([...standard, '--update-coverage', '--min-coverage', '1']);
    expect(lowered.err).toMatch(/coverage\.min of .* is now [\d.]+\n$/);
    expect(JSON.parse(text()).coverage.min).toBeLessThan(100);
  });

  test('is not that of a part of a run', async () => {
    const { quick, standard } = await narrowed(withoutApps, 100);
    const part = await conform([...standard, '--only', 'list-segments']);
    expect(part.code).toBe(0);
    expect(part.out).toMatch(/coverage \d\d\.\d % of this part/);
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
