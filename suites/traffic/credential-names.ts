const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const credential =
  /(authorization|cookie|token|secret|password|passwd|credentials?|jwt|bearer|signature|session|sessionid)$|(api|access|auth|secret|private|service|client|session|subscription)key$|^(key|auth)$/;

/**
 * True of the name of a header, a parameter or a member in which somebody proves himself, by whatever convention: its
 * value is a secret, and is never shown.
 */
export const namesCredential = (name: string): boolean => credential.test(plain(name));

/** The target of a request without the values of those parameters that are credentials by their names. */
export const withoutCredentials = (target: string, mark: string): string =>
  target.replace(/([?&])([^=&#]*)=([^&#]+)/g, (all, sign: string, name: string, value: string) =>
    namesCredential(name) && !value.includes('«') ? `${sign}${name}=${encodeURIComponent(mark)}` : all,
  );

/** The names by which clients send the key of an API where it does not belong. */
const keyNames = new Set(['apikey', 'key', 'token', 'accesstoken', 'authtoken', 'accesskey', 'authkey', 'auth', 'jwt']);

/** True of a name that is for the key of the API itself; `header` is the key header. */
export const namesKey = (name: string, header: string): boolean =>
  plain(name) === plain(header) || plain(name) === 'apikey';

/** True of a name that is for a key where the request has none in its header: there it can be nothing else. */
export const namesSomeKey = (name: string, header: string): boolean =>
  namesKey(name, header) || keyNames.has(plain(name));
