import type { CheckEnd } from '../../../contracts/report/journal.ts';
import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import { due } from './detection.fixture.ts';

/**
 * The part of a finding that shows by which requirement a fault was found, and the unit (`endpoint/check`) that found
 * it.
 */
export type Found = { readonly unit: string } & Pick<
  CheckEnd['findings'][number],
  'requirement' | 'level' | 'pointer' | 'expected' | 'actual'
>;

const quoted = (ids: readonly string[]): string => `[${ids.map(id => `'${id}'`).join(', ')}]`;

const line = ({ unit, requirement, pointer, expected, actual }: Found): string =>
  `  ${unit} cites ${requirement} at ${pointer === '' ? 'the root' : pointer}: expected ${expected}, found ${actual}`;

/** True if a requirement binds an operation of the fault. The fault can break no other. */
function bindsFault(id: string, { endpoints }: Fault): boolean {
  const { level, endpoints: bound } = requirementById(id);
  return level !== 'OPEN' && (bound === 'all' || endpoints.some(endpoint => bound.includes(endpoint)));
}

/**
 * Returns why a run does not match the row of its fault, and what to change; empty if it matches. The findings must
 * cite a requirement of the row, and no other MUST. A mere warning for a MUST, given out of doubt, does not count. A
 * fault marked as missed must not be found.
 */
export function rowProblem(fault: Fault, found: readonly Found[]): string {
  const { id, requirement, alsoAs = [], missed } = fault;
  const named: readonly string[] = due(fault);
  const isFound = found.some(
    one => named.includes(one.requirement) && one.level === requirementById(one.requirement).level,
  );
  if (isFound && missed !== undefined) return `${id} is found now: remove \`missed\` from its row.`;
  const isLost = !isFound && missed === undefined;
  // If the fault is not found, list warnings too, because they may show how it was misjudged.
  const others = found.filter(one => (one.level === 'MUST' ? !named.includes(one.requirement) : isLost));
  if (others.length === 0)
    return isLost ? `${id} is not found: nothing cites ${requirement}. Mend the check, or say why in \`missed\`.` : '';
  const ids = [...new Set(others.map(one => one.requirement))].sort();
  const own = ids.filter(one => !named.includes(one) && bindsFault(one, fault));
  return [
    `${id} is ${isLost ? `not found by ${requirement}, but` : 'found, and also'} by what its row does not name:`,
    ...others.map(line),
    ...(own.length === 0
      ? []
      : [
          `If the fault cannot help breaking ${own.join(', ')} as well, write in its row: alsoAs: ${quoted([...alsoAs, ...own])}`,
          'If it can, the suite accuses the server of something else: mend the check.',
        ]),
    ...ids
      .filter(one => !bindsFault(one, fault))
      .map(one => `${one} binds no endpoint of the fault: the suite accuses the server of something else.`),
  ].join('\n');
}
