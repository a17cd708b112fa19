import { lastResults, memoized } from '../../contracts/memoized.ts';
import { credentialsIn, keyMaterialIn, userInformationIn } from '../../contracts/redaction/credentials.ts';
import { createSecrets, longSecret, type Secrets } from '../../contracts/redaction/secrets.ts';
import { hidden, redactions } from '../../contracts/report/evidence.ts';
import type { Target } from '../protocol/sut.ts';
import { credentialsOf, nearMisses } from './near-miss-keys.ts';

/**
 * Adds all that must not be shown of a target: every key that is ever in use, its near misses, what stands in the
 * headers that its owner adds, what a proxy is told, and the key of the client's certificate.
 */
export function addSecretsOf({ keys, access }: Pick<Target, 'keys' | 'access'>, secrets: Secrets): void {
  keys.watch(key => {
    secrets.add(key, redactions.key);
    secrets.add(credentialsOf(key).secret, redactions.key);
    for (const one of credentialsIn(key)) addPart(one, redactions.key, secrets);
    // A near miss of a long key that lacks one character gives it away, however short it is itself.
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

/** Adds the value of a header, and each secret within it. */
export function addHeader(value: string, secrets: Secrets): void {
  for (const one of credentialsIn(value)) addPart(one, hidden.header, secrets);
}

/** Of so many targets the secrets are remembered, by what lets the suite in. */
const mostTargets = 8;
const ofTargets = lastResults<Secrets>(mostTargets);

/**
 * The secrets of a target, and those alone: one set for each target. Targets that are told the same have one together,
 * as one run after another in the same process has them: it knows the texts that are free of its secrets. What one of
 * those is told later is a secret of all of them.
 */
export const secretsOf = memoized((target: Pick<Target, 'keys' | 'access'>): Secrets => {
  const { keys, access } = target;
  const told = JSON.stringify([keys.current(), access.headers, access.proxy?.href, access.tls.key]);
  const secrets = ofTargets(told, createSecrets);
  addSecretsOf(target, secrets);
  return secrets;
});

/**
 * What is sent to a target in order to be let in and is too short to be looked for within texts, in words; undefined
 * where there is nothing of that kind.
 */
export function tooShortText({ apiKey, access }: Pick<Target, 'apiKey' | 'access'>): string | undefined {
  const isShort = (value: string): boolean => value.length < longSecret;
  const names = Object.entries(access.headers).flatMap(([name, value]) =>
    credentialsIn(value).some(isShort) ? [name] : [],
  );
  const what = [
    ...(isShort(apiKey) ? ['the API key'] : []),
    ...(names.length === 0 ? [] : [`values in the header${names.length === 1 ? '' : 's'} ${names.join(', ')}`]),
  ];
  return what.length === 0
    ? undefined
    : `Shorter than ${longSecret} characters, and so hidden where it is a whole value, but not within texts: ${what.join('; ')}.`;
}
