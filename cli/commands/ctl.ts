import { asText, membersOf, parsedJson } from '../../contracts/json.ts';
import { compact, present } from '../../contracts/present.ts';
import { urlText } from '../../contracts/url-text.ts';
import { stepOf, stepWords } from '../../reference-server/behaviours/step-text.ts';
import { controlKeyHeader } from '../../reference-server/control/guard.ts';
import type { LoggedRequest } from '../../reference-server/index.ts';
import { safeJson, safeText } from '../../reports/text/safe-text.ts';
import type { BehaveFlags, ControlFlags } from '../definitions/server.ts';
import { refuse } from '../input.ts';
import { parseJson, readInput, readJson, standardInput } from '../input-file.ts';
import { requestLine } from '../served.ts';
import { print, tell } from '../writer.ts';

/** A request to the control paths. */
export interface ControlRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** The parts of the path below `/_reference/v1`. */
  readonly path: readonly (string | undefined)[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** The body as it was given: JSON, `@FILE`, or `-` for the standard input. */
  readonly json?: string | undefined;
  /** True if the answer lists requests of the log, to be printed one a line; otherwise its JSON is printed. */
  readonly inLines?: boolean;
}

/** Joins the parts of a path. Throws a `UsageError` for a part (empty, `.` or `..`) that HTTP clients resolve away. */
const pathOf = (parts: ControlRequest['path']): string =>
  compact(parts)
    .map(part => {
      if (/^\.{0,2}$/.test(part)) refuse(`"${part}" is no name that a URL can carry`);
      return `/${urlText(part)}`;
    })
    .join('');

/** Parses JSON: the given text itself, `@FILE`, or `-` for the standard input. Throws a `UsageError` if invalid. */
function givenJson(text: string): unknown {
  if (text === '-') return parseJson('the standard input', readInput(standardInput, 'JSON'));
  if (text.startsWith('@')) return readJson(text.slice(1), 'JSON');
  return parseJson(`${JSON.stringify(text)} (neither JSON nor @FILE)`, text);
}

/** Returns the reason for a refusal by the server, on one line. */
function refusalLine(status: number, answer: unknown): string {
  const { message, errors } = membersOf(answer);
  const listed = (Array.isArray(errors) ? errors.slice(0, 5) : []).map(membersOf);
  const first = listed.map(one => `${asText(one.pointer ?? '')} ${asText(one.message ?? '')}`.trim());
  return safeText([`status ${status}`, asText(message ?? ''), ...first].filter(Boolean).join(': '), 1000);
}

function urlOf({ url, world }: ControlFlags, { path, query = {} }: ControlRequest): URL {
  const below = pathOf(path);
  let at: URL;
  try {
    at = new URL(`${url.replace(/\/+$/, '')}/_reference/v1${below}`);
  } catch {
    refuse(`--url ${safeText(url, 200)} is no URL`);
  }
  for (const [name, value] of Object.entries({ ...query, world }))
    if (value !== undefined) at.searchParams.set(name, String(value));
  return at;
}

function headersOf({ apiKey, apiKeyHeader, controlKey }: ControlFlags): Headers {
  const key = controlKey ?? (process.env.REFERENCE_CONTROL_KEY || undefined);
  try {
    return new Headers({
      ...(apiKey !== undefined && { [apiKeyHeader]: apiKey }),
      ...(key !== undefined && { [controlKeyHeader]: key }),
    });
  } catch {
    refuse('a key or its header has characters that cannot stand in an HTTP header');
  }
}

/** The flags that are members of a behaviour under the same name. */
// biome-ignore format: one line
const asTheyAre = ['id', 'entity', 'skip', 'until', 'share', 'seed', 'fault', 'dialect', 'latency', 'afterWork'] as const;

/** Returns the request of `behave --explain`. Throws a `UsageError` if its text names no request. */
function explaining(request: string, lines: readonly string[], body: unknown): ControlRequest {
  const [, method, url] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(request.trim()) ?? [];
  if (method === undefined)
    refuse(`--explain ${JSON.stringify(request)} is no request such as "PATCH /console/v1/gates/a"`);
  const headers = lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  return {
    method: 'POST',
    path: ['behaviours', 'explain'],
    body: { method, url, headers: Object.fromEntries(headers), body },
  };
}

/** Returns the request of `behave` for its flags; `json` is as given. Throws a `UsageError` if it is invalid. */
export function behaviourRequest(json: string | undefined, flags: BehaveFlags): ControlRequest {
  const given = json === undefined ? undefined : givenJson(json);
  const { on, off, rm, clear, explain, operation, method, status, message, then, next } = flags;
  if (explain !== undefined) return explaining(explain, flags.header, given);
  const switched = on ?? off;
  if (switched !== undefined)
    return { method: 'PATCH', path: ['behaviours', switched], body: { on: on !== undefined } };
  if (rm !== undefined) return { method: 'DELETE', path: ['behaviours', rm] };
  const path = ['behaviours'];
  if (clear) return { method: 'DELETE', path };
  const body = {
    ...(given as object | undefined),
    ...present({
      ...Object.fromEntries(asTheyAre.map(name => [name, flags[name]])),
      // A behaviour with a script counts in `times`, the newer name for `next`.
      [then.length > 0 ? 'times' : 'next']: next,
      rateLimit: flags.rate,
      after: flags.restart ? 'restart' : flags.repeat ? 'repeat' : undefined,
      ...(then.length > 0 && {
        then: then.map(
          line => stepOf(line) ?? refuse(`--then ${JSON.stringify(line)} is no step; there are ${stepWords}`),
        ),
      }),
      ...(operation.length > 0 && { operations: operation }),
      ...(method.length > 0 && { methods: method.map(one => one.toUpperCase()) }),
      error: status === undefined ? undefined : { status, message },
      connection: flags.stall ? 'stall' : flags.drop ? 'drop' : undefined,
    }),
  };
  return Object.keys(body).length === 0 ? { method: 'GET', path } : { method: 'POST', path, body };
}

/**
 * Sends a request. Returns undefined if nobody answers, after a message on the standard error. Does not follow
 * redirections, because the keys are only for the named server.
 */
async function asked(request: ControlRequest, flags: ControlFlags) {
  const at = urlOf(flags, request);
  const headers = headersOf(flags);
  const given = request.json === undefined ? request.body : givenJson(request.json);
  if (given !== undefined) headers.set('Content-Type', 'application/json');
  const body = JSON.stringify(given) ?? null;
  let response: Response;
  try {
    response = await fetch(at, { method: request.method, headers, body, redirect: 'manual' });
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    // Node has many codes for a certificate that is not trusted.
    const hint = /CERT|SIGNATURE|ISSUER/.test(code)
      ? 'its certificate is not trusted here; NODE_EXTRA_CA_CERTS=FILE in the environment names a PEM file to trust'
      : 'start it with `conform serve`, or name another with --url';
    tell(`conform: no answer from ${at.origin} (${code || (error as Error).message}); ${hint}\n`);
    return undefined;
  }
  if (response.status >= 300 && response.status < 400)
    refuse(
      `${at.origin} sends elsewhere (status ${response.status}), where no key goes; name the server itself with --url`,
    );
  return response;
}

/**
 * Sends a request to the control paths of a reference server and prints the answer. Returns the exit code: 0; 2 if the
 * server refuses; 3 if nobody answers.
 */
export async function controlCommand(request: ControlRequest, flags: ControlFlags): Promise<number> {
  const response = await asked(request, flags);
  if (!response) return 3;
  const answer = parsedJson(await response.text());
  if (answer === undefined) refuse(`${flags.url} is no reference server: its answer (${response.status}) is not JSON`);
  if (!response.ok) refuse(refusalLine(response.status, answer));
  let text: string;
  try {
    text = request.inLines ? requestLines(answer) : safeJson(answer);
  } catch {
    refuse(`${flags.url} is no reference server: its answer is not that of one`);
  }
  print(text);
  return 0;
}

/** Returns requests of the log as text, one a line. */
const requestLines = (answer: unknown): string =>
  (answer as { readonly requests: readonly LoggedRequest[] }).requests
    .map(one => `${String(one.number).padStart(5)}  ${requestLine(one, 'default')}\n`)
    .join('');

/** Prints every request from now on, until the server or the caller ends the stream. Returns the exit code. */
export async function followCommand(flags: ControlFlags, isJson: boolean): Promise<number> {
  const response = await asked({ method: 'GET', path: ['requests', 'stream'] }, flags);
  if (!response) return 3;
  if (!response.ok || !response.body)
    refuse(refusalLine(response.status, await response.json().catch(() => undefined)));
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true });
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data === undefined) continue;
        const one = JSON.parse(data) as LoggedRequest;
        print(isJson ? safeJson(one, 0) : requestLines({ requests: [one] }));
      }
    }
  } catch {
    // The server is gone: nothing more to follow.
  }
  return 0;
}
