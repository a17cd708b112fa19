import type { FixtureKind } from '../../contracts/endpoint.ts';
import { asText, membersOf } from '../../contracts/json.ts';
import { compact } from '../../contracts/present.ts';
import { rendered, type Shown } from '../../contracts/redaction/shown.ts';
import { documentOf } from '../../contracts/redaction/values.ts';
import { namingSchema, type TargetFile, targetFileSchema } from '../../contracts/target.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { safeText } from '../../reports/text/safe-text.ts';
import { invocation, shellWord } from '../../reports/text/shell.ts';
import type { Target } from '../../suites/protocol/sut.ts';
import { type Discovery, discover } from '../../suites/sut/discovery.ts';
import { type Gap, leftOutFields, missingLines } from '../../suites/sut/gaps.ts';
import { targetOf } from '../../suites/sut/target.ts';
import type { InitFlags } from '../definitions/target.ts';
import { refuse } from '../input.ts';
import { chooseTarget, fileOf } from '../target.ts';
import { escapedDollars } from '../target-file.ts';
import { knownSecrets } from '../writer.ts';

/** Why the API cannot tell which entities belong in a list of fixtures. */
// biome-ignore format: a table
const whyNot: Record<FixtureKind, string> = {
  gates:            'the API has no list of gates; name two, so that a write to one is seen to leave the other alone',
  dynamicConfigs:   'the API has no list of dynamic configs; the last one named is archived for good at the end of a run',
  experiments:      'the API has no list of experiments',
  prompts:          'the API has no list of prompts',
  environments:     'the API can replace the set of environments but not show it; give the full set as it is',
  qualifyingEvents: 'the list of metric sources shows none that can be named',
  events:           'the API has no list of logged events, and the metric sources led to none; tell one with --event NAME',
};

/** Returns the target that the flags name. Never the embedded server, whose target file is known. */
async function targetOfFlags(flags: InitFlags): Promise<Target> {
  if (flags.baseUrl === undefined) refuse('init needs --base-url: which server is to be asked?');
  const { apiKeyHeader } = flags;
  if (apiKeyHeader !== undefined && validatorFor(namingSchema)({ apiKeyHeader }).length > 0)
    refuse(`--api-key-header ${JSON.stringify(apiKeyHeader)} is no name of a header`);
  return (await chooseTarget({ ...flags, config: undefined })).target;
}

/** Redacts a target file for display. This is a second safeguard: names that hold a secret were left out before. */
const shownFile = documentOf<TargetFile>(targetFileSchema);

function fileText(target: Target, file: TargetFile): Shown {
  const found = escapedDollars(file) as TargetFile;
  const whole = shownFile(
    { baseUrl: target.baseUrl.href.replace(/\/+$/, ''), apiKey: '$SERVICE_API_KEY', ...found },
    knownSecrets(),
  );
  const problem = validatorFor(targetFileSchema)(whole)[0];
  if (problem) throw new Error(`the file to write is not valid: ${problem.pointer} ${problem.message}`);
  return rendered(whole, one => `${JSON.stringify(one, null, 2)}\n`);
}

/** Returns the name of an entry of a list. */
const entryText = (entry: unknown): string => {
  const { name, type, id } = membersOf(entry);
  return safeText(
    typeof entry === 'string' ? entry : asText(id ?? (type === undefined ? name : `${name}::${type}`)),
    80,
  );
};

/** Returns one line for each list of the file that is not empty. */
function foundLines(file: Discovery['file']): string[] {
  const sections = ['fixtures', 'vocabulary', 'naming'] as const;
  return sections.flatMap(section =>
    Object.entries(file[section] ?? {})
      .map(([kind, found]) => [`${section}.${kind}`, [found].flat()] as const)
      .filter(([, entries]) => entries.length > 0)
      .map(([name, entries]) => `  ${name.padEnd(28)} ${entries.map(entryText).join(', ')}`),
  );
}

function missingText({ remedy, because, endpoints }: Gap): string[] {
  const [, why = because] = Object.entries(whyNot).find(([kind]) => remedy.startsWith(`fixtures.${kind}:`)) ?? [];
  return [`  ${remedy}`, `      ${why}`, `      without it untested: ${endpoints.join(', ')}`];
}

/** Returns the output: what was found, what the file allows a run to do, and what only the owner can add. */
function discoveryText(target: Target, discovery: Discovery, out: string): string {
  const { file, read, unknownEvents, silent, requests } = discovery;
  const described = targetOf(file, target.baseUrl, target.apiKey);
  const nothing = { qualifyingEvents: new Map() };
  const missing = missingLines(described, nothing);
  const optional = leftOutFields(described, nothing).filter(({ line }) => line);
  const over = file.fixtures.events?.[0];
  const lists = read.map(
    ({ endpoint, items, unread }) =>
      `${items} from ${endpoint}${unread === undefined ? '' : ` (a page cannot be read: ${safeText(unread)})`}`,
  );
  return compact([
    `Asked ${target.baseUrl.href} in ${requests} GET requests: ${lists.join(', ')}.`,
    '',
    `Found, and written to ${out}:`,
    ...foundLines(file),
    '  The key is not in the file: it reads $SERVICE_API_KEY from the environment.',
    ...[...silent].map(
      ([endpoint, why]) => `  Left out: ${endpoint} was asked no further, for it does not answer (${safeText(why)})`,
    ),
    silent.size > 0 && '      name the events that exist under fixtures.events, or ask again with a longer --timeout',
    ...unknownEvents.map(
      name =>
        `  --event ${safeText(name, 80)}: ${silent.size === 0 ? 'the target shows' : 'the lists that answer show'} no metric and no record of it`,
    ),
    '',
    'Naming an entity under "fixtures" is consent: a run writes to it. Metric sources are put back;',
    over === undefined
      ? 'take out of the file what must not be touched.'
      : `metrics created over ${safeText(over, 80)} stay. Take out of the file what must not be touched.`,
    missing.length > 0 && '\nMissing: lines that only you can fill in',
    ...missing.flatMap(missingText),
    optional.length > 0 && '\nWorth adding: fields that are not sent without it',
    ...optional.map(({ remedy, fields }) => `  ${remedy} (${fields.length})`),
    '',
    'A run learns more: what the fixtures themselves show (unit types, apps, groups, people, teams) it reads from their',
    'answers, and sends people and teams back only to the entity that holds them. "learn": false forbids it.',
    '',
    `Next: ${invocation} doctor --config ${shellWord(out)}`,
    '',
  ]).join('\n');
}

/** Carries out `init`. Returns the exit code: 0, or 3 if the server does not answer; then no file was written. */
export const command = async (flags: InitFlags) => {
  const target = await targetOfFlags(flags);
  return fileOf(target, flags, discover, found => [
    fileText(target, found.file),
    discoveryText(target, found, flags.out),
  ]);
};
