import type { ImplementationFile } from '../../contracts/report/implementation.ts';
import { type Mark, mark, wholeMark } from '../document/marks.ts';
import type { Implementation, RecordedRun } from './history.ts';

/** A result that somebody handed in: its envelope, and what came of verifying it. */
export interface Submission {
  readonly envelope: ImplementationFile;
  /** What contradicts the rest of the result; such a result says nothing. */
  readonly contradictions: readonly string[];
  /** What of the whole was not run. */
  readonly omissions: readonly string[];
  /** Under which conditions it was made, and what of it could not be verified. */
  readonly notes: readonly string[];
  /** Whether it is older than results may be. */
  readonly isExpired: boolean;
}

const partial = mark('warn', 'partial');
const expired = mark('open', 'expired');
const contradicted = mark('error', 'contradicts itself');

/** Where a result that was handed in may stand, besides the verdict of its run. */
export const standings: readonly Mark[] = [partial, expired, contradicted];

/** Where a run stands. A part of the truth is never a pass: what was broken counts first, then age, then what is missing. */
export function standingOf({ report, submission }: RecordedRun): Mark {
  if (submission === undefined) return wholeMark(report.verdict);
  const { contradictions, omissions, isExpired } = submission;
  if (contradictions.length > 0) return contradicted;
  if (report.verdict === 'non-conformant') return wholeMark(report.verdict);
  if (isExpired) return expired;
  return omissions.length > 0 || report.verdict !== 'conformant' ? partial : wholeMark('conformant');
}

/** Whether a run says anything: not where what somebody handed in contradicts itself. */
export const isCredible = ({ submission }: RecordedRun): boolean => (submission?.contradictions ?? []).length === 0;

const hidden = 'host-redacted';
const inUrl = /(\b[a-z][a-z\d+.-]*:\/\/)([^\s/?#,;)"'<>`]+)/gi;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Makes a text of what it is to be shown as. */
export type Redactor = (text: string) => string;

/** Takes the names of hosts out of texts: that of each target wherever it stands, and of whatever is written as a URL. */
export function hostRedactor(implementations: readonly Implementation[]): Redactor {
  const targets = implementations.flatMap(({ runs }) => runs.map(({ report }) => new URL(report.target.baseUrl)));
  const names = [...new Set(targets.flatMap(({ host, hostname }) => [host, hostname]))].filter(name => name !== '');
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map(escaped);
  const alone = new RegExp(`(?<![\\w-])(?:${longestFirst.join('|')})(?![\\w-])`, 'gi');
  return text => {
    const urls = text.replace(inUrl, `$1${hidden}`);
    return names.length === 0 ? urls : urls.replace(alone, hidden);
  };
}

/** What of a view is no text for a reader: places in the pages, and kinds of marks. */
const structural = new Set(['home', 'href', 'anchor', 'id', 'kind', 'sign', 'columns']);

/** A view with every text for a reader redacted. */
export function redactedView<T>(view: T, redact: Redactor): T {
  const mapped = (value: unknown, name = ''): unknown => {
    if (structural.has(name)) return value;
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(item => mapped(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapped(member, key)]));
  };
  return mapped(view) as T;
}
