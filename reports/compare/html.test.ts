import { describe, expect, test } from 'vitest';
import { documentHtml } from '../document/html.ts';
import { expectWholePage } from '../testing/browser.fixture.ts';
import { compared, comparisons } from '../testing/examples.fixture.ts';
import { noContentType, tooLong } from '../testing/findings.fixture.ts';
import { run } from '../testing/runs.fixture.ts';
import type { RunComparison } from './compare.ts';
import { comparisonDocument } from './document.ts';

const pageOf = (comparison: RunComparison): string => documentHtml(comparisonDocument(comparison));

const mixed = pageOf(comparisons.mixed);
const empty = pageOf(comparisons.empty);

describe('the page of a comparison', () => {
  test('says in words what got better and what got worse, and why', () => {
    expect(mixed).toContain('<span class="first">worse, and better</span>');
    expect(mixed).toMatch(/1 check of run C is worse than before, at list-events\./);
    expect(mixed).toMatch(
      /checks of run C are better than before, at (\d+ endpoints|[a-z, -]*list-segments[a-z, -]*)\./,
    );
    expect(mixed).toContain('The <code>isEnabled</code> of a gate is a boolean.');
    expect(mixed).toContain('gate.isEnabled.type</span>, section 2.3, MUST');
    expect(mixed).toContain('Not known before; passed now.');
    expect(mixed).toContain('1 observation differs');
  });

  test('of runs that are alike, or of none that did anything, says so', () => {
    for (const page of [pageOf(comparisons.same), empty]) {
      expect(page).toContain('<span class="first">no check differs</span>');
      expect(page).toContain('Nothing is worse in run B than before.');
      expect(page).toContain('No observation differs.');
      expect(page).not.toMatch(/id="(worse|better|observations)"/);
    }
    expect(pageOf(comparisons.same)).toMatch(/<details><summary>15 endpoints unchanged<\/summary>/);
    expect(empty).toContain('No run tested an endpoint.');
  });

  test('tells changes of one cause together, and of a check that is better what it got before', () => {
    const before = run({
      'patch-gate/reject': ['fail', { findings: [tooLong] }],
      'disable-gate/reject': ['fail', { findings: [tooLong] }],
    });
    const page = pageOf(compared(['a', before], ['b', run({})]));
    expect(page.match(/<article/g)).toHaveLength(1);
    const [differing, same] = page.split('<details><summary>13 endpoints unchanged');
    expect(differing).toContain('>patch-gate<');
    expect(same).toMatch(/Run A got<\/dt><dd class="data ">status 200, accepted</);
  });

  test('names the requirement of a warning, and says why nobody knows any more', () => {
    const page = pageOf(
      compared(
        ['a', run({})],
        [
          'b',
          run({
            'patch-gate/headers': ['warn', { findings: [noContentType] }],
            'patch-gate/auth': ['untested', { because: 'no gate' }],
          }),
        ],
      ),
    );
    expect(page).toContain('answer.content-type</span>, section 1, SHOULD');
    expect(page).toContain('not tested: no gate');
  });

  test.each(Object.entries(comparisons))(
    '%s: needs no other file, and its links lead somewhere',
    (_name, comparison) => {
      expectWholePage(pageOf(comparison));
    },
  );
});
