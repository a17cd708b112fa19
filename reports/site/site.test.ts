import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { examples } from '../testing/examples.fixture.ts';
import { tooLong } from '../testing/findings.fixture.ts';
import { reportOf, run } from '../testing/runs.fixture.ts';
import { historyOf, type RecordedRun } from './history.ts';
import { sitePages } from './view.ts';

type Odd = Parameters<typeof run>[0];
const broken: Odd = { 'patch-gate/reject': ['fail', { findings: [tooLong] }] };
const blind: Odd = { 'patch-gate/reject': ['untested', { because: 'no gate' }] };

/** Returns a run of the n-th day. */
const at = (day: number, odd: Odd, options: Parameters<typeof run>[1] = {}, more: object = {}): RecordedRun => ({
  source: `run-${day}/report.json`,
  report: { ...reportOf(run(odd, options) as RunEvent[]), startedAt: `2026-11-0${day}T10:00:00.000Z`, ...more },
});

const dropsOf = (...runs: readonly RecordedRun[]) =>
  historyOf({ name: 'gateway', runs }).map(({ drops }) => drops.map(({ of, from, to }) => `${of}: ${from} → ${to}`));

describe('the history of an implementation', () => {
  test('goes from the oldest run to the newest, in whatever order they were found', () => {
    const points = historyOf({ name: 'gateway', runs: [at(3, {}), at(1, {}), at(2, {})] });
    expect(points.map(({ source }) => source)).toEqual(['run-1/report.json', 'run-2/report.json', 'run-3/report.json']);
  });

  test('marks every endpoint, verdict and coverage that fell, once, in the run in which it fell', () => {
    const [first, second, third] = dropsOf(at(1, {}), at(2, broken), at(3, broken));
    expect(first).toEqual([]);
    expect(second).toContain('patch-gate: conformant → non-conformant');
    expect(second).toContain('run: conformant → non-conformant');
    expect(second?.some(text => text.startsWith('coverage: '))).toBe(true);
    expect(third).toEqual([]);
  });

  test('marks what is no longer tested, and what fails after it was not tested', () => {
    const [, second, third] = dropsOf(at(1, {}), at(2, blind), at(3, broken));
    expect(second).toContain('patch-gate: conformant → incomplete');
    expect(third).toContain('patch-gate: incomplete → non-conformant');
  });

  test('marks nothing that got better', () => {
    expect(dropsOf(at(1, broken), at(2, {}))).toEqual([[], []]);
  });

  test('a part of a run, and one that was cut short, drop nothing by what they did not look at', () => {
    const part = at(2, blind, { only: ['patch-gate'] });
    const shard = at(2, blind, { shard: { index: 1, total: 2 } });
    const cut = at(2, blind, {}, { outcome: 'interrupted' });
    const bailed = at(2, blind, {}, { because: 'the run was to end after 1 cause (--bail)' });
    for (const odd of [part, shard, cut, bailed]) expect(dropsOf(at(1, {}), odd, at(3, {}))).toEqual([[], [], []]);
  });

  test('a part of a run that fails is a drop, and one that passes is no recovery', () => {
    const failing = at(2, broken, { only: ['patch-gate'] });
    expect(dropsOf(at(1, {}), failing)[1]).toEqual(['patch-gate: conformant → non-conformant']);
    const passing = at(2, {}, { only: ['patch-gate'] });
    expect(dropsOf(at(1, broken), passing, at(3, broken))).toEqual([[], [], []]);
  });

  test('coverage is compared among runs of one profile alone', () => {
    expect(dropsOf(at(1, {}), at(2, {}, {}, { profile: 'quick', coverage: undefined }), at(3, {}))).toEqual([
      [],
      [],
      [],
    ]);
    const { coverage } = at(1, {}).report;
    const less = { coverage: { ...(coverage as NonNullable<typeof coverage>), percent: 1 } };
    expect(dropsOf(at(1, {}), at(2, {}, {}, { profile: 'thorough', ...less }))[1]).toEqual([]);
    expect(dropsOf(at(1, {}), at(2, {}, {}, less))[1]).toHaveLength(1);
  });
});

describe('the pages of many runs', () => {
  const gateway = { name: 'Gateway 2.4', runs: [at(1, {}), at(2, broken)] };
  const replica = { name: 'replica', runs: [at(1, {})] };
  const pages = sitePages('Console API', [gateway, replica]);

  test('are an index, a page for each implementation, and the style in a file of its own', () => {
    expect([...pages.keys()]).toEqual(['style.css', 'index.html', 'gateway-2-4.html', 'replica.html']);
  });

  test('show implementations × endpoints, link each to its history, and name every drop', () => {
    const index = pages.get('index.html') ?? '';
    expect(index).toContain('<a href="gateway-2-4.html">Gateway 2.4</a>');
    expect(index).toContain('patch-gate fell from conformant to non-conformant');
    expect(index).toContain('href="gateway-2-4.html#run-2"');
    expect(pages.get('gateway-2-4.html')).toContain('<tr id="run-2">');
    expect(pages.get('gateway-2-4.html')?.match(/ drop"/g)).toHaveLength(1);
    expect(pages.get('replica.html')).not.toContain(' drop"');
  });

  test.each([...pages].filter(([name]) => name.endsWith('.html')))(
    '%s needs no script and nothing but its style',
    (_name, page) => {
      expect(page).toContain(
        `content="default-src 'none'; style-src 'self' file:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"`,
      );
      expect(page).not.toMatch(
        /<(script|style|img|svg|iframe|object|embed|base|form)\b|\sstyle=|\son\w+=|https?:\/\/[^ <]*"/,
      );
      expect(page).not.toMatch(/>(undefined|null|NaN)<|="(undefined|null|NaN)"|\[object Object\]/);
      const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(match => match[1]);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      for (const [, href = ''] of page.matchAll(/\shref="([^"#]+)/g)) expect([...pages.keys()]).toContain(href);
    },
  );

  test('say of the coverage of a part of a run that it is of a part', () => {
    const runs = [at(1, {}), at(2, {}, { only: ['patch-gate'] })];
    const page = sitePages('t', [{ name: 'replica', runs }]).get('replica.html') ?? '';
    expect(page.match(/(?<=\d )%( of this part)?/g)).toEqual(['% of this part', '%']);
  });

  test('escape whatever a run or a name holds', () => {
    const name = `"><script>alert(1)</script>\u202e`;
    const hostile = reportOf(examples.hostile);
    const first = hostile.endpoints[0];
    if (first === undefined) throw new Error('the hostile run has no endpoint');
    const runs = [{ source: `../<img src=x onerror="alert(1)">`, report: { ...hostile, startedAt: '<b>now</b>' } }];
    const all = sitePages(name, [{ name, runs }]);
    expect([...all.keys()].every(file => /^[a-z0-9-]+\.(html|css)$/.test(file))).toBe(true);
    for (const [file, page] of all) {
      if (!file.endsWith('.html')) continue;
      expect(page).not.toMatch(/<(script|img|b)\b/i);
      expect(page).not.toContain('\u202e');
      expect(page).toContain('&lt;script&gt;');
    }
  });

  test('give two implementations whose names read alike a file each, and none the name of the index', () => {
    const names = ['A b', 'a-b', 'index', 'style', '日本'].map(name => ({ name, runs: replica.runs }));
    const files = [...sitePages('t', names).keys()];
    expect(new Set(files).size).toBe(files.length);
    expect(files.slice(2)).toEqual(['a-b.html', 'a-b-2.html', 'index-2.html', 'style-2.html', 'implementation.html']);
  });
});
