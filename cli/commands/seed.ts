import { rendered } from '../../contracts/redaction/shown.ts';
import { documentOf } from '../../contracts/redaction/values.ts';
import { type Seed, spelledOutSeedSchema } from '../../contracts/seed.ts';
import { counted } from '../../reports/text/page.ts';
import { safeText } from '../../reports/text/safe-text.ts';
import { invocation, shellWord } from '../../reports/text/shell.ts';
import { readSeedOf, type SeedReading } from '../../suites/sut/seed-reading.ts';
import type { seedFrom } from '../definitions/server.ts';
import type { Work } from '../flags.ts';
import { refuse } from '../input.ts';
import { chooseTarget, fileOf } from '../target.ts';
import { knownSecrets } from '../writer.ts';

/** Maximum number of lines shown for what was not read, and for what was left out. */
const most = 20;

function listed(title: string, lines: readonly string[]): string[] {
  const more = lines.length > most ? [`  and ${lines.length - most} more`] : [];
  return lines.length === 0
    ? []
    : ['', title, ...lines.slice(0, most).map(line => `  ${safeText(line, 200)}`), ...more];
}

/** Returns the output: what was read, what was not, and what to do next. */
function readingText(baseUrl: URL, { read, unread, leftOut, requests }: SeedReading, out: string): string {
  const counts = [...read].flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  return [
    `Read from ${baseUrl.href} in ${counted(requests, 'request')} that change nothing: ${counts.join(', ') || 'nothing'}.`,
    `Written to ${out}; the key is not in the file.`,
    ...listed('Not read:', unread),
    ...listed(
      'Left out, as no seed may have it:',
      [...leftOut].map(([what, count]) => `${what} (${count})`),
    ),
    ...listed('No operation shows them; those that the target file names are there by name:', [
      'experiments, prompts, environments, users, teams, apps, id types, models, providers, pipelines, review groups',
      ...(read.get('gates') === 0
        ? ['gates: name them under "fixtures" of a target file, and give it with --config']
        : []),
    ]),
    '',
    `Next: ${invocation} serve --seed ${shellWord(out)}`,
    '',
  ].join('\n');
}

/** Redacts a seed for display. This second safeguard also covers what the target file adds. */
const shownSeed = documentOf<Seed>(spelledOutSeedSchema);

/** Carries out `seed from`. Returns the exit code: 0, or 3 if the server does not answer; then no file was written. */
export const command: Work<typeof seedFrom> = async flags => {
  if ((flags.baseUrl ?? flags.config) === undefined)
    refuse('seed from needs --base-url or --config: which server is to be read?');
  const { target } = await chooseTarget(flags);
  return fileOf(target, flags, readSeedOf, reading => [
    rendered(shownSeed(reading.seed, knownSecrets()), seed => `${JSON.stringify(seed, null, 2)}\n`),
    readingText(target.baseUrl, reading, flags.out),
  ]);
};
