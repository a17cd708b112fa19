import type { Verdict } from '../../contracts/report/journal.ts';
import type { EndpointVerdict, RequirementVerdict, RunVerdict } from '../../contracts/report/report.ts';
import type { Style } from '../text/page.ts';

/** The kinds of verdicts that pages distinguish by sign, shape and colour. The style defines the last two. */
type MarkKind = Verdict | 'open';

/** A verdict as pages show it; the word is for readers who cannot see the sign. */
export interface Mark {
  readonly kind: MarkKind;
  readonly sign: string;
  readonly word: string;
}

/** Each kind: its sign on a page, its usual word, its sign and style at a terminal, its sign in a comment. */
// biome-ignore format: a table
const signs = {
  'pass':           ['✓', 'passed',             '✓', 'good',    '✅'],
  'fail':           ['✕', 'failed',             '✗', 'bad',     '❌'],
  'warn':           ['!', 'warned',             '!', 'careful', '⚠️'],
  'untested':       ['?', 'not tested',         '◐', 'careful', '🟡'],
  'error':          ['E', 'fault of the suite', '✗', 'bad',     '❌'],
  'not-applicable': ['–', 'not applicable',     '–', 'faint',   '➖'],
  'open':           ['○', 'left open',          '·', 'faint',   '⚪'],
} as const satisfies Record<MarkKind, readonly [sign: string, word: string, atTerminal: string, Style, inComment: string]>;

/** Returns the sign of a kind at a terminal, and its style. */
export const terminalSign = (kind: MarkKind): readonly [sign: string, Style] => [signs[kind][2], signs[kind][3]];

/** Returns the sign of a kind in a comment. */
export const commentSign = (kind: MarkKind): string => signs[kind][4];

/** All marks, for the legend. */
export const legend: readonly Mark[] = (Object.keys(signs) as MarkKind[]).map(kind => mark(kind));

// biome-ignore format: a table
const kindsOfWholes = {
  'conformant':     'pass',
  'non-conformant': 'fail',
  'incomplete':     'untested',
  'not-applicable': 'not-applicable',
} as const satisfies Record<EndpointVerdict | RunVerdict, MarkKind>;

// biome-ignore format: a table
const marksOfRequirements = {
  'verified':       ['pass',           'verified'],
  'failed':         ['fail',           'failed'],
  'warned':         ['warn',           'warned'],
  'untested':       ['untested',       'not tested'],
  'not-observed':   ['not-applicable', 'not observed'],
  'not-applicable': ['not-applicable', 'not applicable'],
  'not-verifiable': ['not-applicable', 'not verifiable'],
  'open':           ['open',           'left open'],
} as const satisfies Record<RequirementVerdict, readonly [MarkKind, string]>;

/** Returns the mark of a kind, with its usual word or another one. */
export function mark(kind: MarkKind, word: string = signs[kind][1]): Mark {
  return { kind, sign: signs[kind][0], word };
}

/** Returns the mark of an endpoint or of the run. */
export function wholeMark(verdict: EndpointVerdict | RunVerdict): Mark {
  return mark(kindsOfWholes[verdict], verdict.replace('not-applicable', 'not applicable'));
}

/** Returns the mark of a requirement. */
export function requirementMark(verdict: RequirementVerdict): Mark {
  const [kind, word] = marksOfRequirements[verdict];
  return mark(kind, word);
}
