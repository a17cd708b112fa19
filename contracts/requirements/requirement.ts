import type { EndpointId } from '../endpoint.ts';

/** The sections of the Console Management API specification that state something. */
// biome-ignore format: a table
export const sections = [
  '1',
  '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '2.10',
  '3',
  '4',
  '4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9', '4.10', '4.11', '4.12', '4.13', '4.14', '4.15',
  '5', '6', '7', '8', '9',
] as const;

/** A section of the specification. */
export type Section = (typeof sections)[number];

/**
 * How binding a requirement is. `MUST`: the specification states it. `SHOULD`: it shows it in a sample or a list without requiring
 * it, or HTTP practice asks for it. `OPEN`: it says "not shown", is silent, or contradicts itself; never judged, only observed.
 */
export type RequirementLevel = 'MUST' | 'SHOULD' | 'OPEN';

/** One normative statement of the specification: a row of the ledger. */
export interface Requirement<Id extends string = string> {
  /** Stable: reports, baselines, checks and faults cite it. */
  readonly id: Id;
  /** Where the specification states it, or comes nearest to stating it. */
  readonly section: Section;
  /** The published standard that the row rests on beside the section, such as `RFC 9110 §5.1`. */
  readonly standard?: string;
  readonly level: RequirementLevel;
  /** One sentence in our own words, in the present tense. */
  readonly statement: string;
  /** The endpoints it binds. */
  readonly endpoints: readonly EndpointId[] | 'all';
  /** Why nothing can verify it from outside. Only on MUST and SHOULD rows. */
  readonly unverified?: string;
}

/** What a table file of the ledger holds. */
export type RequirementTable = readonly Requirement[];
