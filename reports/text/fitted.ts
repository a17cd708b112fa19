import { safeText } from './safe-text.ts';

/** Returns the path and query of an address. */
export const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '');

/** Returns a text in at most `room` columns; one that is longer ends in `…`. */
export function fitted(text: string, room: number): string {
  const shown = safeText(text, Number.POSITIVE_INFINITY);
  return shown.length <= room ? shown : `${shown.slice(0, Math.max(1, room - 1))}…`;
}

/** So many parts of a path are kept where there is no room for all of it: they tell operation and entity. */
const keptParts = 2;

/**
 * Returns a request in at most `room` columns: method, path with query, and the beginning of its body. A long path keeps
 * its end, where entity, operation and page stand.
 */
export function fittedRequest(
  { method, url, body }: { readonly method: string; readonly url: string; readonly body?: { readonly text: string } },
  room: number,
): string {
  const path = pathOf(url);
  const sent = body === undefined || body.text === '' ? '' : ` ${body.text}`;
  const whole = `${method} ${path}${sent}`;
  if (whole.length <= room) return fitted(whole, room);
  const parts = path.split('/');
  const short = parts.length > keptParts + 2 ? `…/${parts.slice(-keptParts).join('/')}` : path;
  return fitted(`${method} ${short}${sent}`, room);
}
