import { withBody } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/** Section 7 shows no error, so these requirements rest on HTTP: a service stays up and answers whatever it is sent. */
// biome-ignore format: a table
export const robustnessRequirements = [
  { id: 'robust.malformed-json', section: '1', standard: 'RFC 8259 §2', level: 'MUST', endpoints: withBody,
    statement: 'A body that is not JSON never succeeds where the operation has a body.' },
  { id: 'robust.never-5xx', section: '7', standard: 'RFC 9110 §15.6', level: 'MUST', endpoints: 'all',
    statement: 'Odd bodies, content types, ids, methods and member names never bring a 5xx status.' },
  { id: 'robust.no-hang', section: '7', standard: 'RFC 9110 §15', level: 'MUST', endpoints: 'all',
    statement: 'Every request is answered within the time limit of the run.' },
  { id: 'robust.no-drop', section: '7', standard: 'RFC 9110 §15', level: 'MUST', endpoints: 'all',
    statement: 'Every request gets an HTTP answer, and no connection ends without one.' },
  { id: 'robust.no-leak', section: '7', standard: 'CWE-209', level: 'SHOULD', endpoints: 'all',
    statement: 'No answer shows a stack trace or a path of the file system of the server.' },
  { id: 'robust.alive-after', section: '7', standard: 'RFC 9110 §15', level: 'MUST', endpoints: 'all',
    statement: 'After any number of odd requests a plain one still succeeds.' },
  { id: 'robust.error-json-elsewhere', section: '1', standard: 'RFC 9110 §15.5', level: 'SHOULD', endpoints: 'all',
    statement: 'The body of a refusal for its method, size or path (405, 413, 414, 431 and beyond the fifteen routes), if it has one, is JSON.' },
] as const satisfies RequirementTable;
