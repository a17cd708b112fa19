import { createHash } from 'node:crypto';

/** Whether requests say by which case they are sent, so that they are found in the log of the target. */
export interface Trace {
  on: boolean;
  /** The token of the run. */
  readonly token: string;
}

const digits = (text: string, count: number): string => createHash('sha256').update(text).digest('hex').slice(0, count);

/**
 * The header `traceparent` of a request (W3C Trace Context): the trace is that of its case in this run, the span its own.
 *
 * @param id `endpoint/check#path`, with `.n` from the second request of a case on
 */
export const traceparent = (token: string, id: string): string =>
  `00-${digits(`${token} ${id.replace(/\.\d+$/, '')}`, 32)}-${digits(`${token} ${id}`, 16)}-01`;
