import { compact } from '../contracts/present.ts';
import type { LoggedRequest } from '../reference-server/index.ts';
import { safeJson, safeText } from '../reports/text/safe-text.ts';
import type { ServeFlags } from './definitions/server.ts';
import { UsageError } from './input.ts';
import { shown } from './known-secrets.ts';
import type { Stream } from './writer.ts';

/** Is told of every request, and of the name of its world. */
type Listener = (request: LoggedRequest, world: string) => void;

/** The longest that is shown of a path, and of why a request was refused. */
const longest = { path: 120, why: 160 } as const;

/** Why a request was refused, on one line. */
function whyOf({ refused, behaviours, answeredBy }: LoggedRequest): string {
  const errors = refused?.errors.map(({ property, errorMessage }) => `${property} ${errorMessage}`) ?? [];
  const { behaviour, left = null } = answeredBy ?? {};
  const nameOf = (id: string): string => (id === behaviour && left !== null ? `[${id}, ${left} left]` : `[${id}]`);
  const why = errors.length > 0 ? errors.join('; ') : (refused?.message ?? '');
  return [why, ...behaviours.map(nameOf)].filter(text => text !== '').join(' ');
}

/** What the key of `--api-key` is called. */
const mainKey = 'api-key';

/**
 * A request on one line: method, path, status, time, and why it was refused; the world where it is not the default, and
 * the name of a key that was given with `--key`.
 */
export function requestLine(request: LoggedRequest, world: string): string {
  const { method, url, status, took, keyName } = request;
  const shown = compact([
    method.padEnd(6),
    safeText(url, longest.path),
    status === null ? 'no answer' : String(status),
    `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`,
    world !== 'default' && world,
    keyName !== null && keyName !== mainKey && keyName,
    safeText(whyOf(request), longest.why),
  ]);
  return shown.filter(text => text !== '').join('  ');
}

/** What `serve` does with each request; undefined where it prints none. Throws a `UsageError` for flags that contradict. */
export function requestPrinter(
  { log, quiet = false }: Pick<ServeFlags, 'log' | 'quiet'>,
  out: Pick<Stream, 'isTTY' | 'say'>,
): Listener | undefined {
  if (quiet && log !== undefined) throw new UsageError('--quiet prints nothing: it takes no --log');
  if (quiet || (log === undefined && !out.isTTY)) return undefined;
  if (log === 'json') return (request, world) => out.say(shown(safeJson({ world, ...request }, 0)));
  return (request, world) => out.say(shown(`${requestLine(request, world)}\n`));
}
