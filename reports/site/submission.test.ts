import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { examples } from '../testing/examples.fixture.ts';
import { tooLong } from '../testing/findings.fixture.ts';
import { reportOf, run } from '../testing/runs.fixture.ts';
import { historyOf, type RecordedRun, type Submission, standingOf } from './history.ts';
import { sitePages } from './view.ts';

const sound: Submission = {
  envelope: {
    version: 1,
    name: 'gateway',
    organization: 'Acme',
    release: '2.4.0',
    commit: 'c0ffee',
    started: 'docker run acme/gateway',
    again: ['docker run acme/gateway', 'npx conform run --config conform.config.json'],
  },
  contradictions: [],
  omissions: [],
  notes: [],
  isExpired: false,
};
const broken = run({ 'patch-gate/reject': ['fail', { findings: [tooLong] }] }) as RunEvent[];

const handedIn = (submission: Partial<Submission>, events: readonly RunEvent[] = examples.green): RecordedRun => ({
  source: 'implementation.json',
  report: reportOf(events),
  submission: { ...sound, ...submission },
});

const pageOf = (one: RecordedRun, isRedacted = false): string =>
  [...sitePages('Conformance', [{ name: 'gateway', runs: [one] }], isRedacted).values()].join('\n');

describe('a result that was handed in', () => {
  const cut = { omissions: ['only list-events was run'] };

  // biome-ignore format: a table
  test.each<[stands: string, submission: Partial<Submission>, events?: readonly RunEvent[]]>([
    ['conformant',         {}],
    ['partial',            cut],
    ['partial',            {}, examples.interrupted],
    ['expired',            { isExpired: true }],
    ['expired',            { isExpired: true, ...cut }],
    ['non-conformant',     {}, broken],
    ['non-conformant',     { isExpired: true, ...cut }, broken],
    ['contradicts itself', { contradictions: ['two runs begin'] }],
    ['contradicts itself', { contradictions: ['two runs begin'], isExpired: true, ...cut }, broken],
  ])('is %s with %j', (stands, submission, events) => {
    expect(standingOf(handedIn(submission, events)).word).toBe(stands);
  });

  test('says of what it is, how to do it again, what was not run, and by which set it was judged', () => {
    const { report, ...more } = handedIn(cut);
    const requirementSet = { name: '2026-11', hash: 'h', errata: 0 };
    const text = pageOf({ ...more, report: { ...report, requirementSet } });
    for (const told of ['Acme', '2.4.0', 'c0ffee', ...sound.envelope.again, 'only list-events was run', '2026-11'])
      expect(text).toContain(told);
  });

  test('counts for nothing in the matrix where it contradicts itself, and says why', () => {
    const tampered = handedIn({ contradictions: ['two runs begin'] });
    const [point] = historyOf({ name: 'gateway', runs: [tampered] });
    expect(point?.cells.filter(({ verdict }) => verdict !== null)).toEqual([]);
    expect(pageOf(tampered)).toMatch(/contradicts itself<\/span><div><p>two runs begin</);
    expect(pageOf(tampered)).not.toMatch(/<td class="text">\d+\.\d %/);
  });

  test('is escaped, whatever its envelope holds', () => {
    const evil = `"><script>alert(1)</script>`;
    const { envelope } = sound;
    const texts = {
      organization: evil,
      contact: evil,
      url: evil,
      release: evil,
      commit: evil,
      image: evil,
      started: evil,
    };
    const text = pageOf(
      handedIn({
        envelope: { ...envelope, ...texts, name: evil, again: [evil] },
        contradictions: [evil],
        omissions: [evil],
        notes: [evil],
      }),
    );
    expect(text).not.toContain('<script');
    expect(text.split('&lt;script&gt;').length).toBeGreaterThan(10);
  });
});

describe('redaction', () => {
  const { report } = handedIn({});
  const { host } = new URL(report.target.baseUrl);
  const telling = handedIn({
    envelope: {
      ...sound.envelope,
      started: `ssh admin@${host.toUpperCase()}`,
      url: 'https://user@inner.acme.test:8443/x',
    },
    contradictions: [`it was sent elsewhere than to ${host}`],
    notes: [`of ${report.target.baseUrl}`],
  });

  test('takes the hosts out of all that is shown, and nothing else', () => {
    expect(pageOf(telling)).toContain(host);
    const text = pageOf(telling, true);
    expect(text.toLowerCase()).not.toContain(host);
    expect(text).not.toContain('inner.acme.test');
    expect(text).toContain('https://host-redacted/x');
    expect(text).toContain('ssh admin@host-redacted');
    expect(text).toContain('2.4.0');
  });

  test.each(['', 'n/a', 'inner.acme.test', 'inner.acme.test:8443'])('takes a target that is no URL (%j)', baseUrl => {
    const odd = { ...telling, report: { ...report, target: { ...report.target, baseUrl } } };
    const text = pageOf(odd, true);
    expect(text).toContain('2.4.0');
    expect(text).not.toContain('inner.acme.test');
  });

  test('leaves the pages whole for a host that is called like a part of them', () => {
    const named = (one: string): RecordedRun => ({
      ...telling,
      report: { ...report, target: { ...report.target, baseUrl: `http://${one}:8080` } },
    });
    for (const one of ['gateway', 'pass', 'index', 'list-events']) {
      const pages = sitePages('Conformance', [{ name: 'gateway', runs: [named(one)] }], true);
      const hrefs = [...pages.values()].flatMap(page => [...page.matchAll(/\shref="([^"#]+)/g)].map(match => match[1]));
      expect(hrefs.filter(href => !pages.has(href ?? ''))).toEqual([]);
      expect([...pages.values()].join('')).not.toContain(`${one}:8080`);
    }
  });
});
