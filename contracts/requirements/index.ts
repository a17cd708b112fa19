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

/** The hand-written requirements: every statement of the specification but those about single fields. */
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

/** The id of any requirement: a hand-written one, one of clients, or `<table>.<field>` of a field. */
export type RequirementId =
  | (typeof proseRequirements)[number]['id']
  | (typeof clientRequirements)[number]['id']
  | FieldRequirementId;

/** Every requirement that binds a server, in the order of their tables. */
export const requirements: readonly Requirement<RequirementId>[] = [...proseRequirements, ...fieldRequirements];

/** Those, and the ones that bind a client, which traffic alone can show. */
export const allRequirements: readonly Requirement<RequirementId>[] = [...requirements, ...clientRequirements];

const byId: ReadonlyMap<string, Requirement<RequirementId>> = new Map(allRequirements.map(row => [row.id, row]));

/** The requirement of an id. Throws a `RangeError` for an id that none has. */
export function requirementById(id: string): Requirement<RequirementId> {
  const row = byId.get(id);
  if (row === undefined) throw new RangeError(`No requirement has the id "${id}".`);
  return row;
}

/** True of the id of a requirement. */
export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id);
}
