import { compact } from '../../contracts/present.ts';
import type { DifferenceReport } from '../../contracts/report/difference.ts';
import type { Entry } from '../document/document.ts';
import { plainSteps, ruleText } from '../document/plain.ts';
import { type SuiteCase, suitesXml } from '../formats/junit.ts';
import { differenceDocument } from './document.ts';

/** Maximum number of places in the text of a case. */
const mostPlaces = 20;

/**
 * Returns a comparison as JUnit XML: a suite for each kind of difference, and a case for each difference. A case fails
 * if it fails the comparison; it is skipped if it is acknowledged or does not count. A last suite says whether the
 * comparison completed.
 */
export function differenceXml(report: DifferenceReport): string {
  const { because, a, b, options } = report;
  const { parts, sentences } = differenceDocument(report);
  const caseOf = (entry: Entry): SuiteCase => {
    const { id, title, brief, counts, label = title, known } = entry;
    const name = compact([id, brief ?? title]).join(' ');
    const text = textOf(entry);
    // The message does not repeat the name.
    if (counts) return { name, outcome: 'failure', message: brief === undefined ? label : title, text };
    const message = known === undefined ? `--fail-on ${options.failOn} does not name it` : `acknowledged: ${known}`;
    return { name, outcome: 'skipped', message, text };
  };
  const name = `${a.name} and ${b.name}`;
  // Otherwise a comparison that never began would look like one that passed.
  const whole: SuiteCase =
    because === undefined
      ? { name, outcome: 'pass' }
      : { name, outcome: 'error', message: because, text: sentences.join('\n') };
  return suitesXml('console-conformance diff', [
    ...parts.flatMap(({ title, entries }) => (entries ? [{ name: title, cases: entries.map(caseOf) }] : [])),
    { name: 'The comparison', cases: [whole] },
  ]);
}

function textOf({ label, clauses, items, command, remedy }: Entry): string {
  const more = items.length - mostPlaces;
  return compact([
    label,
    ...clauses.map(ruleText),
    ...items
      .slice(0, mostPlaces)
      .map(({ where, pairs }) => `at ${where}: ${pairs.map(one => `${one.name} ${one.value}`).join(', ')}`),
    more > 0 && `and ${more} more places in difference.json`,
    ...plainSteps(items[0]?.steps ?? []),
    command,
    remedy,
  ]).join('\n');
}
