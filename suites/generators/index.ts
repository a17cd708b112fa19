/**
 * Generators: from a contract's schema and an accepted template to the requests worth sending. Enumerations come first and are
 * deterministic; arbitraries draw further ones from fast-check's source, so that one seed fixes everything.
 */

export type { TargetCapabilities } from '../protocol/sut.ts';
export { acceptCases } from './accept.ts';
export { arbitraryOf } from './arbitrary.ts';
export type { AcceptCase, Enumeration, Level, Mutant, RejectCase } from './cases.ts';
export { acceptArbitrary } from './fuzz-accept.ts';
export { rejectArbitrary } from './fuzz-reject.ts';
export { mutantsOf } from './mutants.ts';
export { rejectCases } from './reject.ts';
export { seedOf } from './seed.ts';
