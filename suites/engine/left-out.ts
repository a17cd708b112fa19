import type { Endpoint } from '../../contracts/endpoint.ts';
import { fieldRequirementsOf } from '../../contracts/fields.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { schemaAt } from '../generators/index.ts';
import { bodyRequirement } from '../judge/schema.ts';

/** The requirement of a field of a body, dotted, and those of the fields below it, which are left out with it. */
function requirementsBelow(row: Endpoint, field: string): RequirementId[] {
  const pointer = `/${field.replaceAll('.', '/')}`;
  const node = row.body === null ? undefined : schemaAt(row.body, undefined, pointer);
  return [bodyRequirement(row, pointer), ...(node === undefined ? [] : fieldRequirementsOf(node))];
}

/** Fields of a body that were left out, each with its requirement. */
export const leftOut = (fields: readonly NotExercised[], row: Endpoint): readonly NotExercised[] =>
  row.body === null ? fields : fields.map(one => ({ requirements: requirementsBelow(row, one.field), ...one }));

/** What was known to be left out, and what a case found to be: each field once. */
export const withLeftOut = (
  known: readonly NotExercised[],
  found: readonly NotExercised[],
  row: Endpoint,
): readonly NotExercised[] => [
  ...known,
  ...leftOut(
    found.filter(({ field }) => !known.some(one => one.field === field)),
    row,
  ),
];
