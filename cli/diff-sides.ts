import type { Recording } from '../suites/diff/record/recording.ts';
import { runDefaults } from '../suites/engine/config.ts';
import type { DiffFlags } from './definitions/target.ts';
import { flagOf } from './flags.ts';
import { refuse } from './input.ts';
import { readRecord } from './record-output.ts';
import { baseUrlOf, chooseTarget } from './target.ts';

/** The flags of `diff` that select what both runs send. */
type SelectionFlags = Pick<DiffFlags, 'only' | 'skip' | 'profile' | 'seed' | 'readOnly'>;

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** The recording that stands for A; `name` is its file. */
type ChosenRecording = { readonly name: string; readonly recording: Recording };

/**
 * Returns a server.
 *
 * The address comes from the command line, else from the side's own target file, else (for B only) from the shared one.
 * The key comes from `--api-key`, else SERVICE_API_KEY_A or _B, else the file, else SERVICE_API_KEY.
 *
 * Throws a `UsageError` for a mistake in any of them.
 */
async function serverOf(letter: 'A' | 'B', address: string | undefined, flags: DiffFlags) {
  const own = letter === 'A' ? flags.configA : flags.configB;
  const config = own ?? flags.config;
  const isNamed = address !== undefined || own !== undefined || (letter === 'B' && config !== undefined);
  if (!isNamed) refuse(`which server is ${letter}? Give its base URL, or --config-${letter.toLowerCase()}`);
  if (address !== undefined) {
    if (!isUrl(address))
      refuse(
        `B is the server that is to take the place of A, and has to be there: give its base URL, not ${JSON.stringify(address)}`,
      );
    baseUrlOf(address, letter);
  }
  const ownKey = flags.apiKeyCommand === undefined ? process.env[`SERVICE_API_KEY_${letter}`] : undefined;
  const apiKey = (flags.apiKey ?? ownKey) || undefined;
  return { ...(await chooseTarget({ ...flags, baseUrl: address, config, apiKey })), config };
}

/**
 * Returns what both runs send: as the flags say, or as recorded, because the recorded requests are sent again. Throws a
 * `UsageError` for a given flag that contradicts the recording.
 */
export function selectionOf(
  flags: SelectionFlags,
  recorded: ChosenRecording | undefined,
  given: ReadonlySet<string>,
): SelectionFlags & { readonly readOnly: boolean } {
  const asked = { ...flags, readOnly: flags.readOnly ?? runDefaults.readOnly };
  if (!recorded) return asked;
  const { name, recording } = recorded;
  const { seed, profile, only, skip, readOnly } = recording;
  const kept = { seed, profile, only, skip, readOnly };
  for (const property of Object.keys(kept) as (keyof typeof kept)[]) {
    const [wanted, was] = [JSON.stringify(asked[property]), JSON.stringify(kept[property])];
    const flag = flagOf(property);
    if (given.has(property) && wanted !== was)
      refuse(`${flag} ${wanted}: ${name} was recorded with ${was}, and B is sent the same; leave ${flag} out`);
  }
  return kept;
}

/**
 * Chooses both sides; A is a server or the recording of one. Throws a `UsageError` if both are one server, because any
 * difference would be noise, and for an invalid recording.
 */
export async function sidesOf(a: string | undefined, b: string | undefined, flags: DiffFlags) {
  const recorded = a === undefined || isUrl(a) ? undefined : { name: a, recording: readRecord(a) };
  const server = recorded ? undefined : await serverOf('A', a, flags);
  const other = await serverOf('B', b, flags);
  const { href } = other.target.baseUrl;
  if (server?.target.baseUrl.href === href) refuse(`A and B are one server, ${href}; give two`);
  return { a: server, recorded, b: other };
}

/** Both sides of a comparison. */
export type Sides = Awaited<ReturnType<typeof sidesOf>>;
