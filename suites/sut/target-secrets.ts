import { memoized } from '../../contracts/memoized.ts';
import { hidden, redactions } from '../../contracts/report/evidence.ts';
import { proxyCredentials } from '../client/proxy.ts';
import { createSecrets, longSecret, type Secrets } from '../client/secrets.ts';
import type { Target } from '../protocol/sut.ts';
import { credentialsOf, nearMisses } from './near-miss-keys.ts';

/**
 * All that must not be shown of a target: every key that is ever in use, its near misses, the values of the headers
 * that its owner adds, and what a proxy is told. One set for each target.
 */
export const secretsOf = memoized(({ keys, access }: Target): Secrets => {
  const secrets = createSecrets();
  keys.watch(key => {
    secrets.add(key, redactions.key);
    secrets.add(credentialsOf(key).secret, redactions.key);
    // A near miss of a long key that lacks one character gives it away, however short it is itself.
    for (const [secret, mark] of nearMisses(key))
      secrets.add(secret, mark, secret.length >= Math.min(longSecret, key.length - 1) && key.length >= longSecret);
  });
  for (const value of Object.values(access.headers)) secrets.add(value, hidden.header);
  if (access.proxy !== null) secrets.add(proxyCredentials(access.proxy)[1], hidden.proxy);
  return secrets;
});
