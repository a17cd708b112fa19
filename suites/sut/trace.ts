import { hash } from 'node:crypto';

/** Whether requests say by which case they are sent, so that they are found in the log of the target. */
export interface Trace {
  on: boolean;
  /** The token of the run. */
  readonly token: string;
}

const digits = (text: string): string => hash('sha256', text, 'hex');

/**
 * The header `traceparent` of a request (W3C Trace Context): the trace is that of its case in this run, the span its own.
 *
 * @param id `endpoint/check#path`, with `.n` from the second request of a case on
 */
export function traceparent(token: string, id: string): string {
  const ofCase = id.replace(/\.\d+$/, '');
  const trace = digits(`${token} ${ofCase}`);
  const span = ofCase === id ? trace : digits(`${token} ${id}`);
  return `00-${trace.slice(0, 32)}-${span.slice(0, 16)}-01`;
}
