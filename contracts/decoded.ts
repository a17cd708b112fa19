/** Returns a part of a path percent-decoded, or unchanged if it cannot be decoded (RFC 3986 section 2.1). */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
