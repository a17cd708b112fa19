/** A part of a path as the text that it stands for; as it is, where it stands for none (RFC 3986 section 2.1). */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
