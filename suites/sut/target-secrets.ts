import { lastResults, memoized } from '../../contracts/memoized.ts';
import { credentialsIn, keyMaterialIn, userInformationIn } from '../../contracts/redaction/credentials.ts';
import { createSecrets, longSecret, type Secrets } from '../../contracts/redaction/secrets.ts';
import { hidden, redactions } from '../../contracts/report/evidence.ts';
import type { Target } from '../protocol/sut.ts';
import { credentialsOf, nearMisses } from './near-miss-keys.ts';

/**
 * Adds all secrets of a target: every key in use, its near misses, values of added headers, proxy credentials, and the
 * key of the client certificate.
 */
export function addSecretsOf({ keys, access }: Pick<Target, 'keys' | 'access'>, secrets: Secrets): void {
  keys.watch(key => {
    secrets.add(key, redactions.key);
    secrets.add(credentialsOf(key).secret, redactions.key);
    for (const one of credentialsIn(key)) addPart(one, redactions.key, secrets);
    // A near miss that lacks one character reveals a long key, however short it is itself.
    for (const [secret, mark] of nearMisses(key)) {
      const isLong = secret.length >= Math.min(longSecret, key.length - 1) && key.length >= longSecret;
      secrets.add(secret, mark, isLong ? 'text' : 'value');
    }
  });
  for (const value of Object.values(access.headers)) addHeader(value, secrets);
  if (access.proxy !== null)
    for (const one of userInformationIn(access.proxy.href)) addPart(one, hidden.proxy, secrets);
  for (const line of keyMaterialIn(access.tls.key ?? '')) secrets.add(line, hidden.clientKey);
}

const addPart = (part: string, mark: string, secrets: Secrets): void =>
  secrets.add(part, mark, part.length >= longSecret ? 'text' : 'field');

/** Adds the secrets in the value of a header. */
export function addHeader(value: string, secrets: Secrets): void {
  for (const one of credentialsIn(value)) addPart(one, hidden.header, secrets);
}

/** Maximum number of targets whose secrets are remembered, by their credentials. */
const mostTargets = 8;
const ofTargets = lastResults<Secrets>(mostTargets);

/**
 * Returns the secrets of one target. Targets with the same credentials share a set, so that later runs in the same
 * process reuse the texts known to be clean. A secret added for one applies to all of them.
 */
export const secretsOf = memoized((target: Pick<Target, 'keys' | 'access'>): Secrets => {
  const { keys, access } = target;
  const told = JSON.stringify([keys.current(), access.headers, access.proxy?.href, access.tls.key]);
  const secrets = ofTargets(told, createSecrets);
  addSecretsOf(target, secrets);
  return secrets;
});

/** Returns in words the credentials that are too short to be redacted within texts; undefined if there are none. */
export function tooShortText({ apiKey, access }: Pick<Target, 'apiKey' | 'access'>): string | undefined {
  const isShort = (value: string): boolean => value.length < longSecret;
  const names = Object.entries(access.headers).flatMap(([name, value]) =>
    credentialsIn(value).some(isShort) ? [name] : [],
  );
  const what = [
    ...(isShort(apiKey) ? ['the API key'] : []),
    ...(names.length === 0 ? [] : [`values in the header${names.length === 1 ? '' : 's'} ${names.join(', ')}`]),
  ];
  if (what.length === 0) return undefined;
  const all = what.join(' and ');
  const isOne = what.length === 1 && isShort(apiKey);
  return `${all.charAt(0).toUpperCase()}${all.slice(1)} ${isOne ? 'is' : 'are'} shorter than ${longSecret} characters, and so hidden only where ${isOne ? 'it is a whole value' : 'they are whole values'}, not within texts.`;
}
