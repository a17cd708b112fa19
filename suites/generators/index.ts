/**
 * Generators: from a contract's schema and an accepted template to the requests worth sending. Enumerations come first
 * and are deterministic; arbitraries draw further requests from fast-check's source, so that one seed fixes everything.
 */

export { acceptArbitrary, acceptCases } from './accept.ts';
export type { AcceptCase, RejectCase } from './cases.ts';
export { schemaAt } from './context.ts';
export { rejectArbitrary } from './fuzz-reject.ts';
export { references, remedyFor } from './references.ts';
export { rejectCases } from './reject.ts';
export { seedOf } from './seed.ts';
