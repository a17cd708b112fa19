import { asText, membersOf, parsedJson } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import { urlText } from '../../contracts/url-text.ts';
import { stepOf, stepWords } from '../../reference-server/behaviours/step-text.ts';
import { controlKeyHeader } from '../../reference-server/control/guard.ts';
import type { LoggedRequest } from '../../reference-server/index.ts';
import { safeJson, safeText } from '../../reports/text/safe-text.ts';
import type { BehaveFlags, ControlFlags } from '../definitions/server.ts';
import { refuse } from '../input.ts';
import { parseJson, readInput, standardInput } from '../input-file.ts';
import { requestLine } from '../served.ts';
import { print, tell } from '../writer.ts';

/** What is asked of the control paths. */
export interface ControlRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** The parts of the path below `/_reference/v1`. */
  readonly path: readonly (string | undefined)[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** The body as it was given: JSON, `@FILE`, or `-` for the standard input. */
  readonly json?: string | undefined;
  /** The answer is requests of the log, to be printed a line each; else its JSON is printed. */
  readonly inLines?: boolean;
}

/** The path of its parts. Throws a `UsageError` for one that every client of HTTP would take for a step in the path. */
const pathOf = (parts: ControlRequest['path']): string =>
  parts
    .flatMap(part => {
      if (part === undefined) return [];
      if (/^\.{0,2}$/.test(part)) refuse(`"${part}" is no name that a URL can carry`);
      return [`/${urlText(part)}`];
    })
    .join('');

/** JSON that was given: itself, `@FILE`, or `-` for the standard input. Throws a `UsageError` for anything else. */
function givenJson(text: string): unknown {
  if (text === '-') return parseJson('the standard input', readInput(standardInput, 'JSON'));
  if (text.startsWith('@')) return parseJson(text.slice(1), readInput(text.slice(1), 'JSON'));
  return parseJson(`${JSON.stringify(text)} (neither JSON nor @FILE)`, text);
}

/** Why the server refused, on one line. */
function refusalLine(status: number, answer: unknown): string {
  const { message, errors } = membersOf(answer);
  const listed = (Array.isArray(errors) ? errors.slice(0, 5) : []).map(membersOf);
  const first = listed.map(one => `${asText(one.pointer ?? '')} ${asText(one.message ?? '')}`.trim());
  return safeText([`status ${status}`, asText(message ?? ''), ...first].filter(text => text !== '').join(': '), 1000);
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

/** The flags that are members of a behaviour. */
// biome-ignore format: one line
const asTheyAre = ['id', 'entity', 'skip', 'until', 'share', 'seed', 'fault', 'dialect', 'latency', 'afterWork'] as const;

/** A step of `--then`. Throws a `UsageError` for a line that is none. */
function stepIn(line: string): unknown {
  const step = stepOf(line);
  if (step === undefined) refuse(`--then ${JSON.stringify(line)} is no step; there are ${stepWords}`);
  return step;
}

/** What `behave --explain` sends. Throws a `UsageError` for what is no request. */
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

/** Returns what `behave` sends, by its flags; `json` as it was given. Throws a `UsageError` for what cannot be sent. */
export function behaviourRequest(json: string | undefined, flags: BehaveFlags): ControlRequest {
  const given = json === undefined ? undefined : givenJson(json);
  const { on, off, rm, clear, explain, operation, method, status, message, then, next } = flags;
  if (explain !== undefined) return explaining(explain, flags.header, given);
  const switched = on ?? off;
  if (switched !== undefined)
    return { method: 'PATCH', path: ['behaviours', switched], body: { on: on !== undefined } };
  if (rm !== undefined) return { method: 'DELETE', path: ['behaviours', rm] };
  if (clear) return { method: 'DELETE', path: ['behaviours'] };
  const body = {
    ...(given as object | undefined),
    ...present({
      ...Object.fromEntries(asTheyAre.map(name => [name, flags[name]])),
      // With a script the newer word for the same is asked for.
      [then.length > 0 ? 'times' : 'next']: next,
      rateLimit: flags.rate,
      after: flags.restart ? 'restart' : flags.repeat ? 'repeat' : undefined,
      ...(then.length > 0 && { then: then.map(stepIn) }),
      ...(operation.length > 0 && { operations: operation }),
      ...(method.length > 0 && { methods: method.map(one => one.toUpperCase()) }),
      error: status === undefined ? undefined : { status, message },
      connection: flags.stall ? 'stall' : flags.drop ? 'drop' : undefined,
    }),
  };
  const path = ['behaviours'];
  return Object.keys(body).length === 0 ? { method: 'GET', path } : { method: 'POST', path, body };
}

/** Whether a connection failed for the certificate that was shown, of which Node has many codes. */
const isUntrusted = (code = ''): boolean => /CERT|SIGNATURE|ISSUER/.test(code);

/**
 * Asks; undefined where nobody answers, which is told on the standard error. The keys go to the server that was named:
 * a redirection is not followed.
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
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    const hint = isUntrusted(code)
      ? 'its certificate is not trusted here; NODE_EXTRA_CA_CERTS=FILE in the environment names a PEM file to trust'
      : 'start it with `conform serve`, or name another with --url';
    tell(`conform: no answer from ${at.origin} (${code ?? (error as Error).message}); ${hint}\n`);
    return undefined;
  }
  if (response.status >= 300 && response.status < 400)
    refuse(
      `${at.origin} sends elsewhere (status ${response.status}), where no key goes; name the server itself with --url`,
    );
  return response;
}

/**
 * Asks the control paths of a reference server, and prints what it answers. Returns the exit code: 0, 2 where the
 * server refuses, 3 where nobody answers.
 */
export async function controlCommand(request: ControlRequest, flags: ControlFlags): Promise<number> {
  const response = await asked(request, flags);
  if (response === undefined) return 3;
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

/** Requests of the log, one a line. */
const requestLines = (answer: unknown): string =>
  (answer as { readonly requests: readonly LoggedRequest[] }).requests
    .map(one => `${String(one.number).padStart(5)}  ${requestLine(one, 'default')}\n`)
    .join('');

/** Prints every request from now on, until the server or the caller ends it. Returns the exit code. */
export async function followCommand(flags: ControlFlags, isJson: boolean): Promise<number> {
  const response = await asked({ method: 'GET', path: ['requests', 'stream'] }, flags);
  if (response === undefined) return 3;
  if (!response.ok || response.body === null)
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
    // The server went away: there is nothing more to follow.
  }
  return 0;
}
