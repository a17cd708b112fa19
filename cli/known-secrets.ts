import { membersOf } from '../contracts/json.ts';
import { credentialsIn, userInformationIn } from '../contracts/redaction/credentials.ts';
import { createSecrets, longSecret, type Secrets } from '../contracts/redaction/secrets.ts';
import type { Shown } from '../contracts/redaction/shown.ts';
import { hidden, redactions } from '../contracts/report/evidence.ts';
import { namesCredential } from '../suites/client/secret-names.ts';
import type { Environment } from './input.ts';

/** All that this process was told in confidence until now: whatever it says of itself is without these. */
let secrets: Secrets = createSecrets();

/** The secrets that are known until now. A secret that is learned later is added before anything else is said. */
export const knownSecrets = (): Secrets => secrets;

/** A text of this program, with whatever stands in it, as it may be shown. */
export const shown = (text: string): Shown => secrets.redact(text);

/** Flags whose names sound like it, and whose values are no secrets: names, commands and files. */
const harmless: ReadonlySet<string> = new Set([
  '--api-key-header',
  '--api-key-command',
  '--client-key',
  '--client-cert',
  '--tls-key',
  '--tls-cert',
]);

/** Adds what may be a part of something longer: a short one where it is a whole value of a header, a cookie or a form. */
function addParts(parts: readonly string[], mark: string): void {
  for (const part of parts) secrets.add(part, mark, part.length >= longSecret ? 'text' : 'field');
}

/** What is secret in the value of a flag, by its name. */
function learnFlag(flag: string, value: string): void {
  // Where the colon was forgotten, what follows the name is secret all the same.
  if (flag === '--header') addParts(credentialsIn(value.replace(/^[^\s:]*[\s:]?/, '')), hidden.header);
  else if (flag === '--key') {
    const key = value.slice(value.indexOf('=') + 1);
    for (const one of [key, key.replace(/:[\w-]*$/, '')]) secrets.add(one, redactions.key);
  } else if (namesCredential(flag) && !harmless.has(flag)) secrets.add(value, redactions.key);
}

/**
 * Begins anew, with what the words of a command and the environment tell: a mistake in one flag must not show what
 * stands in another.
 */
export function learnCommand(argv: readonly string[], environment: Environment): void {
  secrets = createSecrets();
  for (const [index, word] of argv.entries()) {
    const [, flag = word, value = argv[index + 1]] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    if (flag.startsWith('--') && value !== undefined) learnFlag(flag, value);
    addParts(userInformationIn(word.replace(/^--[a-z-]+=/, '')), hidden.named);
  }
  for (const name of ['SERVICE_API_KEY', 'REFERENCE_CONTROL_KEY'])
    if (environment[name] !== undefined) secrets.add(environment[name], redactions.key);
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])
    addParts(userInformationIn(environment[name] ?? ''), hidden.proxy);
}

/** Adds what a target file holds in confidence, whatever else is wrong with it. */
export function learnFile(value: unknown): void {
  const { apiKey, baseUrl, headers } = membersOf(value);
  if (typeof apiKey === 'string' && apiKey !== '') secrets.add(apiKey, redactions.key);
  if (typeof baseUrl === 'string') addParts(userInformationIn(baseUrl), hidden.named);
  for (const header of Array.isArray(headers) ? headers : []) {
    const { value: text } = membersOf(header);
    if (typeof text === 'string') addParts(credentialsIn(text), hidden.header);
  }
}
