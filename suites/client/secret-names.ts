const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Names that are for a secret wherever they stand: of members, of fields of a form, of headers, in any text. */
const secret =
  /passw(or)?d|passphrase|passcode|secret|authorization|credential|bearer|signature|(csrf|xsrf|access|auth|refresh|id|session|api|bearer)token|^tokens?\d*$|token$|tokens?(value|secret)$|cookie$|jwt|^pwd|pwd$|^sig$|^hmac|hmac$|^otp$|^sid$|sessid|session(id)?$|(api|access|auth|secret|private|service|client|session|subscription|shared|signing|encryption)key/;

/** Names that are for one where there is hardly anything else: in a header or in a query. */
const bare = /^(key|auth)$/;

/** What was found of names: the same ones stand in message after message. So many are remembered, and none that is long. */
const known = new Map<string, boolean>();
const most = { names: 4_000, characters: 64 } as const;

/** True of the name of a member, a field or a header in which somebody proves himself, by whatever convention. */
export function namesSecret(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const isSecret = secret.test(plain(name));
  if (known.size < most.names && name.length <= most.characters) known.set(name, isSecret);
  return isSecret;
}

/** True of the name of a header or a parameter of which the same is true. */
export const namesCredential = (name: string): boolean => namesSecret(name) || bare.test(plain(name));

/** True of a text that may hold such a name, whatever stands between its words. */
export const mentionsSecret = (text: string): boolean =>
  /pass[\W_]*(w|phrase|code)|pwd|secret|token|authorization|credential|bearer|signature|cookie|jwt|hmac|\b(sig|otp|sid)\b|sess[\W_]*i|session|(api|ss|auth|te|vice|ent|tion|ed|ing)[\W_]*key/i.test(
    text,
  );
