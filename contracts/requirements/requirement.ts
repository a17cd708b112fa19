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

/** A section of the specification with statements; 4.1, 4.2 … are those of the endpoints. */
export type Section =
  | (typeof beforeEndpoints | typeof afterEndpoints)[number][0]
  | EndpointTable[EndpointId]['section'];

const titled: readonly (readonly [Section, string])[] = [
  ...beforeEndpoints,
  ...endpointIds.map(id => [endpoints[id].section, endpoints[id].title] as const),
  ...afterEndpoints,
];

/** The sections in order. */
export const sections: readonly Section[] = titled.map(([section]) => section);

/** A short title for each section; that of an endpoint is the endpoint's. */
export const sectionTitles = Object.fromEntries(titled) as Readonly<Record<Section, string>>;

/**
 * How binding a requirement is. `MUST`: the specification states it. `SHOULD`: a sample or list shows it without
 * requiring it, or HTTP practice demands it. `OPEN`: the specification says "not shown", is silent, or contradicts
 * itself; only observed, never judged.
 */
export type RequirementLevel = 'MUST' | 'SHOULD' | 'OPEN';

/** One normative statement of the specification. */
export interface Requirement<Id extends string = string> {
  /** Stable, because reports, baselines, checks and faults cite it. */
  readonly id: Id;
  /** The section that states it, or comes nearest to stating it. */
  readonly section: Section;
  /** The published standard on which it also rests, such as `RFC 9110 §5.1`. */
  readonly standard?: string;
  readonly level: RequirementLevel;
  /** One sentence in our own words, in the present tense. */
  readonly statement: string;
  /** The endpoints it binds. */
  readonly endpoints: readonly EndpointId[] | 'all';
  /**
   * One occurrence is enough: a forbidden effect, an answer to another client, a lost write that was accepted. For
   * other requirements a violation that does not recur is a warning.
   */
  readonly sporadic?: true;
  /** Why it cannot be verified from outside. Only for a MUST or a SHOULD. */
  readonly unverified?: string;
  /**
   * It concerns something that a target may never do, such as an optional field or a refusal with a body. If no answer
   * of a run shows that, there is nothing to judge.
   */
  readonly conditional?: true;
  /**
   * Requirements of which at least one must also be verified. For example, leaving other fields unchanged proves
   * nothing if nothing is stored.
   */
  readonly restsOn?: readonly string[];
  /** The capability that it needs to apply. */
  readonly capability?: Capability;
  /** What the target must provide to exercise it, if no check can say. */
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

/** One violation is enough. */
export const sporadic = { sporadic: true } as const;
/** It concerns something that a target may never do. */
export const conditional = { conditional: true } as const;

/** Returns the requirements of a hand-written table: the columns of each row, then its optional properties. */
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
