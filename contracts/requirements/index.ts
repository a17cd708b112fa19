import { fieldRequirements } from './field-rows.ts';
import { type ProseRequirementId, proseRequirements } from './prose.ts';
import type { Requirement } from './requirement.ts';
import type { FieldRequirementId } from './tables.ts';

export type { Requirement, RequirementLevel, Section } from './requirement.ts';
export { sections, sectionTitles } from './requirement.ts';
export type { FieldTable } from './tables.ts';

/** The id of any row: a hand-written one, or `<table>.<field>` of a field row. */
export type RequirementId = ProseRequirementId | FieldRequirementId;

/** The whole ledger, in the order of its tables. */
export const requirements: readonly Requirement<RequirementId>[] = [...proseRequirements, ...fieldRequirements];

const byId: ReadonlyMap<string, Requirement<RequirementId>> = new Map(requirements.map(row => [row.id, row]));

/** The row of an id. Throws a `RangeError` for an id that no row has. */
export function requirementById(id: string): Requirement<RequirementId> {
  const row = byId.get(id);
  if (row === undefined) throw new RangeError(`No requirement has the id "${id}".`);
  return row;
}

/** True of the id of a row of the ledger. */
export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id);
}
