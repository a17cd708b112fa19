import type { Capability } from '../dialect.ts';
import { type EndpointId, type EndpointTable, endpointIds, endpoints } from '../endpoints.ts';

// biome-ignore format: a table
const beforeEndpoints = [
  ['1', 'The service'], ['2.1', 'Shared shapes'], ['2.2', 'Environment'], ['2.3', 'Gate'], ['2.4', 'Dynamic config'], ['2.5', 'Experiment'],
  ['2.6', 'Qualifying event'], ['2.7', 'Metric'], ['2.8', 'Segment'], ['2.9', 'Prompt version'], ['2.10', 'Logged event'],
  ['3', 'States and transitions'], ['4', 'All endpoints'],
] as const;

// biome-ignore format: a table
const afterEndpoints = [
  ['5', 'Authentication'], ['6', 'Events'], ['7', 'Errors'], ['8', 'Limits'], ['9', 'Versioning'],
] as const;

/** A section of the specification that states something; 4.1, 4.2 … are those of the endpoints. */
export type Section =
  | (typeof beforeEndpoints | typeof afterEndpoints)[number][0]
  | EndpointTable[EndpointId]['section'];

const titled: readonly (readonly [Section, string])[] = [
  ...beforeEndpoints,
  ...endpointIds.map(id => [endpoints[id].section, endpoints[id].title] as const),
  ...afterEndpoints,
];

/** The sections, in their order. */
export const sections: readonly Section[] = titled.map(([section]) => section);

/** What each section is about, in a few words; an endpoint's is about the endpoint. */
export const sectionTitles = Object.fromEntries(titled) as Readonly<Record<Section, string>>;

/**
 * How binding a requirement is. `MUST`: the specification states it. `SHOULD`: it shows it in a sample or a list
 * without requiring it, or HTTP practice asks for it. `OPEN`: it says "not shown", is silent, or contradicts itself;
 * never judged, only observed.
 */
export type RequirementLevel = 'MUST' | 'SHOULD' | 'OPEN';

/** One normative statement of the specification. */
export interface Requirement<Id extends string = string> {
  /** Stable: reports, baselines, checks and faults cite it. */
  readonly id: Id;
  /** Where the specification states it, or comes nearest to stating it. */
  readonly section: Section;
  /** The published standard on which it rests beside the section, such as `RFC 9110 §5.1`. */
  readonly standard?: string;
  readonly level: RequirementLevel;
  /** One sentence in our own words, in the present tense. */
  readonly statement: string;
  /** The endpoints it binds. */
  readonly endpoints: readonly EndpointId[] | 'all';
  /**
   * Once is enough: an effect that must not be, an answer to somebody else, an accepted write that is lost. Of other
   * statements, what is not seen again when it is tried again is a warning.
   */
  readonly sporadic?: true;
  /** Why nothing can verify it from outside. Only of a MUST or a SHOULD. */
  readonly unverified?: string;
  /**
   * It speaks of something that a target may never do: of an optional field, of a refusal that has a body. Where no
   * answer of a run shows it, there was nothing to judge.
   */
  readonly conditional?: true;
  /**
   * Requirements of which one at least has to be verified beside it: that a write leaves the rest alone is no wonder
   * where nothing is stored.
   */
  readonly restsOn?: readonly string[];
  /** The capability without which it does not apply. */
  readonly capability?: Capability;
  /** What to give the target so that it can be exercised, where no check knows. */
  readonly remedy?: string;
}

type RequirementRow = readonly [
  id: string,
  level: RequirementLevel,
  section: Section,
  endpoints: Requirement['endpoints'],
  statement: string,
  more?: Pick<
    Requirement,
    'standard' | 'sporadic' | 'unverified' | 'conditional' | 'restsOn' | 'capability' | 'remedy'
  >,
];

/** Once is enough to break it. */
export const sporadic = { sporadic: true } as const;
/** It speaks of something that a target may never do. */
export const conditional = { conditional: true } as const;

/** Returns the requirements of a table that is written by hand: of each its columns, then what few have. */
export const requirementTable = <const Rows extends readonly RequirementRow[]>(rows: Rows) =>
  rows.map(
    ([id, level, section, endpoints, statement, more]): Requirement<Rows[number][0]> => ({
      id,
      section,
      level,
      endpoints,
      statement,
      ...more,
    }),
  );
