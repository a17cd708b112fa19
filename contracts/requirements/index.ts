import { answerRequirements } from './answers.ts';
import { clientRequirements } from './client.ts';
import { envelopeRequirements, messageRequirements } from './envelope.ts';
import { fieldRequirements } from './field-rows.ts';
import { semanticsRequirements } from './field-semantics.ts';
import { openRequirements } from './open.ts';
import { paginationRequirements } from './paging.ts';
import { authenticationRequirements, requestRequirements, robustnessRequirements } from './requests.ts';
import type { Requirement } from './requirement.ts';
import { stateRequirements } from './state.ts';
import type { FieldRequirementId } from './tables.ts';

export { clientRequirements, type Side, sideOf } from './client.ts';
export type { Requirement, RequirementLevel, Section } from './requirement.ts';
export { sections, sectionTitles } from './requirement.ts';
export type { FieldTable } from './tables.ts';

/** The hand-written requirements: every statement of the specification except those about single fields. */
export const proseRequirements = [
  ...envelopeRequirements,
  ...messageRequirements,
  ...answerRequirements,
  ...requestRequirements,
  ...paginationRequirements,
  ...authenticationRequirements,
  ...robustnessRequirements,
  ...stateRequirements,
  ...semanticsRequirements,
  ...openRequirements,
] as const;

/** The id of any requirement: a hand-written one, one for clients, or `<table>.<field>`. */
export type RequirementId =
  | (typeof proseRequirements)[number]['id']
  | (typeof clientRequirements)[number]['id']
  | FieldRequirementId;

/** Every requirement that binds a server, in the order of their tables. */
export const requirements: readonly Requirement<RequirementId>[] = [...proseRequirements, ...fieldRequirements];

/** Every requirement, including those for clients, which only traffic can show. */
export const allRequirements: readonly Requirement<RequirementId>[] = [...requirements, ...clientRequirements];

const byId: ReadonlyMap<string, Requirement<RequirementId>> = new Map(allRequirements.map(row => [row.id, row]));

/** Returns the requirement of an id. Throws a `RangeError` for an unknown id. */
export function requirementById(id: string): Requirement<RequirementId> {
  const row = byId.get(id);
  if (!row) throw new RangeError(`No requirement has the id "${id}".`);
  return row;
}

/** True if a requirement has this id. */
export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id);
}
