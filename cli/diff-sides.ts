import { tool } from '../contracts/report/tool.ts';
import type { Recording } from '../suites/diff/record/recording.ts';
import { runDefaults } from '../suites/engine/config.ts';
import type { DiffFlags } from './definitions/diff.ts';
import { refuse } from './input.ts';
import { readRecord } from './record-output.ts';
import { baseUrlOf, chooseTarget } from './target.ts';

/** What both runs are made with, by flags of `diff`. */
type SelectionFlags = Pick<DiffFlags, 'only' | 'skip' | 'profile' | 'seed' | 'readOnly'>;

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** The recording that A is, where it is no address; `name` is the file. */
interface ChosenRecording {
  readonly name: string;
  readonly recording: Recording;
}

/**
 * Returns a server. Its address is that of the command line, else that of its own target file, B's else of the one that
 * both share; its key is that of `--api-key`, of SERVICE_API_KEY_A or _B, of the file, of SERVICE_API_KEY. Throws a
 * `UsageError` for a mistake in any of them.
 */
async function serverOf(letter: 'A' | 'B', address: string | undefined, flags: DiffFlags) {
  const own = letter === 'A' ? flags.configA : flags.configB;
  const config = own ?? flags.config;
  const isNamed = address !== undefined || own !== undefined || (letter === 'B' && config !== undefined);
  if (!isNamed) refuse(`which server is ${letter}? Give its base URL, or --config-${letter.toLowerCase()}`);
  if (address !== undefined && !isUrl(address))
    refuse(
      `B is the server that is to take the place of A, and has to be there: give its base URL, not ${JSON.stringify(address)}`,
    );
  if (address !== undefined) baseUrlOf(address, letter);
  const ownKey = flags.apiKey ?? process.env[`SERVICE_API_KEY_${letter}`];
  const apiKey = flags.apiKeyCommand === undefined ? ownKey : flags.apiKey;
  const chosen = await chooseTarget({
    ...flags,
    baseUrl: address,
    config,
    apiKey: apiKey === '' ? undefined : apiKey,
  });
  return { ...chosen, config };
}

const names = {
  seed: '--seed',
  profile: '--profile',
  only: '--only',
  skip: '--skip',
  readOnly: '--read-only',
} as const;

/**
 * Returns what both runs are made with: by the flags, or by the recording, whose requests are sent again. Throws a
 * `UsageError` for a flag that was given and says otherwise than the recording.
 */
export function selectionOf(
  flags: SelectionFlags,
  recorded: ChosenRecording | undefined,
  given: ReadonlySet<string>,
): SelectionFlags & { readonly readOnly: boolean } {
  const asked = { ...flags, readOnly: flags.readOnly ?? runDefaults.readOnly };
  if (recorded === undefined) return asked;
  const { name, recording } = recorded;
  const { seed, profile, only, skip, readOnly } = recording;
  const kept = { seed, profile, only, skip, readOnly };
  for (const [property, flag] of Object.entries(names) as [keyof typeof names, string][]) {
    const [wanted, was] = [JSON.stringify(asked[property]), JSON.stringify(kept[property])];
    if (given.has(property) && wanted !== was)
      refuse(`${flag} ${wanted}: ${name} was recorded with ${was}, and B is sent the same; leave ${flag} out`);
  }
  return kept;
}

/** Returns what to say of a recording of another version; undefined where it is of this one. */
export function versionText({ name, recording }: ChosenRecording): string | undefined {
  return recording.tool === tool.version
    ? undefined
    : `${name} was recorded by version ${recording.tool}, and this is ${tool.version}: what only one of them sends is not compared`;
}

/**
 * Chooses both sides by what was named: A is a server or what a run of one left behind. Throws a `UsageError` where both are one server: what differs would be noise; and
 * for a recording that is none.
 */
export async function sidesOf(a: string | undefined, b: string | undefined, flags: DiffFlags) {
  const recorded = a === undefined || isUrl(a) ? undefined : { name: a, recording: readRecord(a) };
  const server = recorded === undefined ? await serverOf('A', a, flags) : undefined;
  const other = await serverOf('B', b, flags);
  const { href } = other.target.baseUrl;
  if (server?.target.baseUrl.href === href) refuse(`A and B are one server, ${href}; give two`);
  return { a: server, recorded, b: other };
}

/** Both sides, chosen. */
export type Sides = Awaited<ReturnType<typeof sidesOf>>;
