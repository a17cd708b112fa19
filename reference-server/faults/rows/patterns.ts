import { forgives, holds, matches, refuses } from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';
import { accepts, declines, type Site, sites } from '../site.ts';

const words: Readonly<Record<string, string>> = {
  '.': 'dot',
  '/': 'slash',
  ':': 'colon',
  ' ': 'blank',
  '%': 'percent',
  '@': 'at',
  '+': 'plus',
  '(': 'parenthesis',
  '-': 'hyphen',
  _: 'underscore',
  ',': 'comma',
  '~': 'tilde',
  '#': 'hash',
  '&': 'ampersand',
};

/** Patterns that accept characters that they must not, and patterns that refuse characters that they must accept. */
const wrong = (site: Site, extra: string, forgotten: string): FaultTable => [
  ...[...extra].map(one => accepts(site, `accepts-${words[one]}`, `may hold ${JSON.stringify(one)}`, holds(one))),
  ...[...forgotten].map(one =>
    declines(site, `refuses-${words[one]}`, `must not hold ${JSON.stringify(one)}`, holds(one), ['accept.plain-value']),
  ),
];

const right = {
  '^': 'lacks its ^: one right character at the end is enough',
  $: 'lacks its $: one right character at the start is enough',
};
const unanchored = (site: Site, end: '^' | '$', pattern: RegExp) =>
  accepts(site, `pattern-without-${end === '^' ? 'start' : 'end'}`, right[end], matches(pattern));

const { gate, experiment, metric, prompt, promptId } = sites;

/** Every stated pattern (section 2): one character too many, one too few, an anchor too few. */
// biome-ignore format: a table
export const patternFaults: FaultTable = [
  ...wrong(gate,       '/@', '. '),
  ...wrong(experiment, '.:', '_-'),
  ...wrong(metric,     '+,', '%:/'),
  ...wrong(prompt,     '~&', '-.'),
  ...wrong(promptId,   ' #', '._'),
  unanchored(gate,     '$', /^[a-zA-Z0-9_\-. ]/),
  unanchored(metric,   '^', /[a-zA-Z0-9_.\-()/ %:]$/),
  unanchored(promptId, '$', /^[a-zA-Z0-9_\-.]/),
  ['gate-name-refuses-upper-case',    'patch-gate',            'accept.stated-boundary', '`name` of a gate must be in lower case.',                 refuses('name', value => value !== String(value).toLowerCase()), 'accept.plain-value'],
  ['prompt-id-refuses-digits-first',  'create-prompt-version', 'accept.stated-boundary', '`id` of a prompt version must not begin with a digit.',   refuses('id', value => /^[0-9]/.test(String(value))), 'standard'],
  ['experiment-name-accepts-letters', 'update-experiment',     'experiment.name',        '`name` of an experiment may hold letters of any script.', forgives('name', matches(/^[\p{L}\p{M}0-9_\- ]{3,100}$/u)), 'standard'],
];
