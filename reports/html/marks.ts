import type { Verdict } from '../../contracts/report/journal.ts';
import type { EndpointVerdict, RequirementVerdict, RunVerdict } from '../../contracts/report/report.ts';

/** How a verdict looks: one sign, one shape and one colour for each kind (the shape and the colour are in the style), and a word for who sees neither. */
export type MarkKind = Verdict | 'open';

/** A verdict as the page shows it. */
export interface Mark {
  readonly kind: MarkKind;
  readonly sign: string;
  readonly word: string;
}

// biome-ignore format: a table
const signs = {
  'pass':           ['✓', 'passed'],
  'fail':           ['✕', 'failed'],
  'warn':           ['!', 'warned'],
  'untested':       ['?', 'not tested'],
  'error':          ['E', 'fault of the suite'],
  'not-applicable': ['–', 'not applicable'],
  'open':           ['○', 'left open'],
} as const satisfies Record<MarkKind, readonly [sign: string, word: string]>;

/** The kinds of marks with their words, for the legend. */
export const legend: readonly Mark[] = (Object.keys(signs) as MarkKind[]).map(kind => mark(kind));

// biome-ignore format: a table
const ofWholes = {
  'conformant':     'pass',
  'non-conformant': 'fail',
  'incomplete':     'untested',
  'not-applicable': 'not-applicable',
} as const satisfies Record<EndpointVerdict | RunVerdict, MarkKind>;

// biome-ignore format: a table
const ofRequirements = {
  'verified':       'pass',
  'failed':         'fail',
  'warned':         'warn',
  'untested':       'untested',
  'not-verifiable': 'not-applicable',
  'open':           'open',
} as const satisfies Record<RequirementVerdict, MarkKind>;

/** The mark of a kind, with another word where the kind's own would not say it well. */
export function mark(kind: MarkKind, word: string = signs[kind][1]): Mark {
  return { kind, sign: signs[kind][0], word };
}

/** The mark of an endpoint or of the run. */
export function wholeMark(verdict: EndpointVerdict | RunVerdict): Mark {
  return mark(ofWholes[verdict], verdict.replace('not-applicable', 'not applicable'));
}

/** The mark of a requirement. */
export function requirementMark(verdict: RequirementVerdict): Mark {
  const words = { 'not-verifiable': 'not verifiable', untested: 'not tested', open: 'left open' } as const;
  return mark(ofRequirements[verdict], verdict in words ? words[verdict as keyof typeof words] : verdict);
}
