/**
 * Notes anew what the comparison of two servers says of each dialect and each fault, for `docs/differences.md`.
 * `npx tsx tools/differences.ts [dialects|faults] [I/N]` measures every N-th row alone, from the I-th on.
 */
import { writeFileSync } from 'node:fs';
import { dialects, faults } from '../reference-server/index.ts';
import { comparedDialect } from '../suites/proof/diff/dialects.fixture.ts';
import { attributed } from '../suites/proof/diff/faults.fixture.ts';
import { notedDifferences, notedFile } from '../suites/proof/diff/page.fixture.ts';

const [what, part = '1/1'] = process.argv.slice(2);
const [index = 1, of = 1] = part.split('/').map(Number);
const mine = <Row>(rows: readonly Row[]): readonly Row[] => rows.filter((_, at) => at % of === index - 1);
const tell = (text: string): void => void process.stdout.write(`${text}\n`);

/** Parts may be measured side by side: what others noted meanwhile stays. */
function note(change: (noted: ReturnType<typeof notedDifferences>) => ReturnType<typeof notedDifferences>): void {
  const { dialects: lines, faults: named } = change(notedDifferences());
  const sorted = Object.fromEntries(dialects.flatMap(({ id }) => (lines[id] === undefined ? [] : [[id, lines[id]]])));
  const ordered = Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(notedFile, `${JSON.stringify({ dialects: sorted, faults: ordered }, null, 2)}\n`);
}

if (what !== 'faults')
  for (const dialect of mine(dialects)) {
    const { toItself, toReference } = await comparedDialect(dialect);
    tell(
      `${dialect.id}: ${toReference.join(', ')}${toItself.length > 0 ? ` DIFFERS FROM ITSELF: ${toItself.join(', ')}` : ''}`,
    );
    note(noted => ({ ...noted, dialects: { ...noted.dialects, [dialect.id]: toReference } }));
  }

if (what !== 'dialects')
  for (const fault of mine(faults)) {
    const { asA, asB } = await attributed(fault);
    const isNamed = asA.isNamed && asB.isNamed;
    const wrongly = [...asA.wrongly, ...asB.wrongly];
    tell(`${fault.id}: ${isNamed ? 'named' : 'NOT NAMED'} ${wrongly.join(', ')}`);
    note(noted => ({ ...noted, faults: { ...noted.faults, [fault.id]: isNamed } }));
  }
process.exit(0);
