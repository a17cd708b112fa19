import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { forgives, holds, refuses } from '../../decorators/validation.ts';
import type { Fault, FaultTable } from '../fault.ts';

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

type Site = readonly [subject: string, endpoint: EndpointId, path: string, requirement: RequirementId];

/** A pattern that lets characters through that it should not, and one that forgets some it should let through. */
const wrong = ([subject, endpoint, path, requirement]: Site, extra: string, forgotten: string): readonly Fault[] => [
  ...[...extra].map(one => ({
    id: `${subject}-accepts-${words[one]}`,
    requirement,
    endpoints: [endpoint],
    profile: 'standard' as const,
    title: `\`${path}\` may hold ${JSON.stringify(one)}.`,
    decorator: forgives(path, holds(one)),
  })),
  ...[...forgotten].map(one => ({
    id: `${subject}-refuses-${words[one]}`,
    requirement: 'accept.stated-boundary' as const,
    alsoAs: ['accept.plain-value' as const],
    endpoints: [endpoint],
    profile: 'standard' as const,
    title: `\`${path}\` must not hold ${JSON.stringify(one)}.`,
    decorator: refuses(path, holds(one)),
  })),
];

const unanchored = ([subject, endpoint, path, requirement]: Site, end: '^' | '$', pattern: RegExp): Fault => ({
  id: `${subject}-pattern-without-${end === '^' ? 'start' : 'end'}`,
  requirement,
  endpoints: [endpoint],
  profile: 'standard',
  title: `The pattern of \`${path}\` lacks its ${end}: one right character at ${end === '^' ? 'the end' : 'the start'} is enough.`,
  decorator: forgives(path, value => typeof value === 'string' && pattern.test(value)),
});

const gate = ['gate-name', 'patch-gate', 'name', 'gate.name'] as const;
const experiment = ['experiment-name', 'update-experiment', 'name', 'experiment.name'] as const;
const metric = ['metric-name', 'create-metric', 'name', 'metric.name'] as const;
const prompt = ['prompt-name', 'create-prompt-version', 'name', 'promptVersion.name'] as const;
const promptId = ['prompt-id', 'create-prompt-version', 'id', 'promptVersion.id'] as const;

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
  ['experiment-name-accepts-letters', 'update-experiment',     'experiment.name',        '`name` of an experiment may hold letters of any script.', forgives('name', value => typeof value === 'string' && /^[\p{L}\p{M}0-9_\- ]{3,100}$/u.test(value)), 'standard'],
];
