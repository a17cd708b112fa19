import type { EndpointId } from '../endpoints.ts';

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

/** What each section is about, in a few words. */
// biome-ignore format: a table
export const sectionTitles: Readonly<Record<Section, string>> = {
  '1': 'The service', '2.1': 'Shared shapes', '2.2': 'Environment', '2.3': 'Gate', '2.4': 'Dynamic config', '2.5': 'Experiment',
  '2.6': 'Qualifying event', '2.7': 'Metric', '2.8': 'Segment', '2.9': 'Prompt version', '2.10': 'Logged event', '3': 'States and transitions',
  '4': 'All endpoints', '4.1': 'Update Environments', '4.2': 'List Dynamic Config Versions', '4.3': 'Update Qualifying Event', '4.4': 'Fully Update Experiment',
  '4.5': 'Disable Dynamic Config', '4.6': 'Partially Update Gates', '4.7': 'Disable Gate', '4.8': 'Enable Experiment Groups', '4.9': 'Create Metric',
  '4.10': 'Archive Dynamic Config', '4.11': 'List qualifying events', '4.12': 'List Segments', '4.13': 'Create Prompt Version',
  '4.14': 'Get metrics using event name', '4.15': 'Get specific events', '5': 'Authentication', '6': 'Events', '7': 'Errors', '8': 'Limits', '9': 'Versioning',
};

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
