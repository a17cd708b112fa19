/** Returns a name in the letters and digits that all ways of spelling it share. */
export const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Names of secrets in any place: members, form fields, headers, text. */
const secret =
  /passw(or)?d|passphrase|passcode|secret|authorization|credential|bearer|signature|(csrf|xsrf|access|auth|refresh|id|session|api|bearer)token|^tokens?\d*$|token$|tokens?(value|secret)$|cookie$|jwt|^pwd|pwd$|^sig$|^hmac|hmac$|^otp$|^sid$|sessid|session(id)?$|(api|access|auth|secret|private|service|client|session|subscription|shared|signing|encryption)key/;

/** Names of secrets only in headers and queries, where they mean hardly anything else. */
const bare = /^(key|auth)$/;

/** Caches results, because the same names recur in every message. Bounded in number, and without long names. */
const known = new Map<string, boolean>();
const most = { names: 4_000, characters: 64 } as const;

/** True if a member, field or header of this name holds a credential, by any convention. */
export function namesSecret(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const isSecret = secret.test(plain(name));
  if (known.size < most.names && name.length <= most.characters) known.set(name, isSecret);
  return isSecret;
}

/** True if a header or parameter of this name holds a credential. */
export const namesCredential = (name: string): boolean => namesSecret(name) || bare.test(plain(name));

/** True if a text may contain such a name, whatever separates its words. */
export const mentionsSecret = (text: string): boolean =>
  /pass[\W_]*(w|phrase|code)|pwd|secret|token|authorization|credential|bearer|signature|cookie|jwt|hmac|\b(sig|otp|sid)\b|sess[\W_]*i|session|(api|ss|auth|te|vice|ent|tion|ed|ing)[\W_]*key/i.test(
    text,
  );
