import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Listening } from '../suites/traffic/wire/proxy.ts';

/** Parses where to listen: `127.0.0.1:4011`, `[::1]:4011`, `:4011` or `4011`. Port 0 takes a free one. */
export function listening(text: string): Listening {
  const [, bracketed, plain, port = ''] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) throw new InvalidArgumentError('Give an address such as 127.0.0.1:4011.');
  return { host: bracketed ?? (plain || '127.0.0.1'), port: Number(port) };
}

/** Parses the name of an environment variable, of which several may be given. */
export function variableName(text: string, before: readonly string[] = []): string[] {
  if (!/^[A-Za-z_]\w*$/.test(text)) throw new InvalidArgumentError('Give the name of a variable such as API_URL.');
  return [...before, text];
}
