/**
 * Generators: from a contract's schema and an accepted template to the requests worth sending. Enumerations come first
 * and are deterministic. Arbitraries draw further requests from fast-check's source, so that one seed fixes everything.
 */

export { acceptArbitrary, acceptCases } from './accept.ts';
export type { AcceptCase, RejectCase } from './cases.ts';
export { schemaAt } from './context.ts';
export { exampleOf } from './examples.ts';
export { rejectArbitrary } from './fuzz-reject.ts';
export { sharesOf } from './groups.ts';
export { besideOthers, laterItemCases } from './later-items.ts';
export { type ListStep, listSteps } from './list-forms.ts';
export { type NearChange, type NearChanges, nearChanges } from './near-requests.ts';
export { nodeOf, takesNull } from './node.ts';
export { isWhole } from './numbers.ts';
export { formedTexts, isUnbounded, longLengths, longLists } from './odd-texts.ts';
export { mergedBody, type Pack, packsOf } from './packs.ts';
export { bodyOfParts, fieldParts, oddParts, type Part, type PartsInput } from './parts.ts';
export { queriesAround, withPlaceholders } from './queries.ts';
export { linesIn, namesIn, referenceIn, references, referencesFor, remedyFor } from './references.ts';
export { lifted, rejectCases, wholeControl } from './reject.ts';
export { seedOf } from './seed.ts';
export { turnedChoices } from './turned-choices.ts';
export { unknownNames } from './unknown-names.ts';
export { unlikeGroups } from './varied.ts';
export { type WideBody, wideBodies } from './wide-body.ts';
