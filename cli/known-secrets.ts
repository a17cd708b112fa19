import { membersOf } from '../contracts/json.ts';
import { credentialsIn, userInformationIn } from '../contracts/redaction/credentials.ts';
import { createSecrets, longSecret, type Secrets } from '../contracts/redaction/secrets.ts';
import type { Shown } from '../contracts/redaction/shown.ts';
import { hidden, redactions } from '../contracts/report/evidence.ts';
import { namesCredential } from '../suites/client/secret-names.ts';
import type { Environment } from './input.ts';

/** The secrets known so far; every output of this process is redacted by them. */
let secrets: Secrets = createSecrets();

/** Returns the secrets known so far. Add a newly learned secret before anything else is printed. */
export const knownSecrets = (): Secrets => secrets;

/** Redacts a text of this program, with all that it quotes, for display. */
export const shown = (text: string): Shown => secrets.redact(text);

/** Flags whose names sound secret but whose values are not: names, commands and files. */
const harmless: ReadonlySet<string> = new Set([
  '--api-key-header',
  '--api-key-command',
  '--client-key',
  '--client-cert',
  '--tls-key',
  '--tls-cert',
]);

/** Adds parts of a longer secret. A short part is redacted only as a whole value of a header, cookie or form. */
function addParts(parts: readonly string[], mark: string): void {
  for (const part of parts) secrets.add(part, mark, part.length >= longSecret ? 'text' : 'field');
}

/** Adds the secrets in the value of a flag. */
function learnFlag(flag: string, value: string): void {
  // If the colon was forgotten, the text after the name is still secret.
  if (flag === '--header') addParts(credentialsIn(value.replace(/^[^\s:]*[\s:]?/, '')), hidden.header);
  else if (flag === '--key') {
    const key = value.slice(value.indexOf('=') + 1);
    for (const one of [key, key.replace(/:[\w-]*$/, '')]) secrets.add(one, redactions.key);
  } else if (namesCredential(flag) && !harmless.has(flag)) secrets.add(value, redactions.key);
}

/**
 * Starts a new set of secrets from the command line and the environment: a mistake in one flag must not reveal another.
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

/** Adds the secrets of a target file, whatever else is wrong with it. */
export function learnFile(value: unknown): void {
  const { apiKey, baseUrl, headers } = membersOf(value);
  if (typeof apiKey === 'string' && apiKey !== '') secrets.add(apiKey, redactions.key);
  if (typeof baseUrl === 'string') addParts(userInformationIn(baseUrl), hidden.named);
  for (const header of Array.isArray(headers) ? headers : []) {
    const { value: text } = membersOf(header);
    if (typeof text === 'string') addParts(credentialsIn(text), hidden.header);
  }
}
