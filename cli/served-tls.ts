import { createSecureContext } from 'node:tls';
import type { Tls } from '../reference-server/index.ts';
import type { ServeFlags } from './definitions/server.ts';
import { UsageError } from './input.ts';
import { readInput } from './input-file.ts';

/** Certificate and key of the flags. Throws a `UsageError` that names the flag, and nothing of the files. */
export function servedTls({ tlsCert, tlsKey }: ServeFlags): Tls | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined) throw new UsageError('--tls-key without --tls-cert: which certificate is it the key of?');
  if (tlsKey === undefined) throw new UsageError('--tls-cert without --tls-key: which file has its key?');
  const tls = { cert: readInput(tlsCert, 'file of --tls-cert'), key: readInput(tlsKey, 'file of --tls-key') };
  const refusal = (given: Partial<Tls>): string | undefined => {
    // Of an empty text the system makes a context without a certificate, to which nobody can connect.
    if (Object.values(given).some(text => String(text).trim() === '')) return 'it is empty';
    try {
      createSecureContext(given);
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code ?? 'not valid';
    }
  };
  for (const [flag, file, given] of [
    ['--tls-cert', tlsCert, { cert: tls.cert }],
    ['--tls-key', tlsKey, { key: tls.key }],
  ] as const) {
    const code = refusal(given);
    if (code !== undefined) throw new UsageError(`${flag} ${file} cannot be used (${code})`);
  }
  if (refusal(tls) !== undefined) throw new UsageError(`--tls-key ${tlsKey} is not the key of --tls-cert ${tlsCert}`);
  return tls;
}
