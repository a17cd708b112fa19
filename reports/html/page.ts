import type { Report } from '../../contracts/report/report.ts';
import { counted } from '../text/page.ts';
import type { Cause } from './causes.ts';
import { documentOf } from './document.ts';
import { mark } from './marks.ts';
import { prose } from './prose.ts';
import { renderer } from './render.ts';
import { script } from './script.ts';
import { templates } from './templates/index.ts';
import { type View, viewOf } from './view.ts';

const render = renderer(templates);

/** The page of a report: one HTML document that needs nothing beside itself. */
export function pageOf(report: Report): string {
  const view = viewOf(report);
  const body = render('@page', {
    ...view,
    failures: view.failures.map(told),
    warnings: view.warnings.map(told),
    gaps: view.gaps.map(gap => ({ ...gap, count: counted(gap.checks.length, 'check') })),
    contents: contentsOf(view),
  });
  return documentOf({ title: `Conformance report: ${report.verdict}`, body, script });
}

/** Of a cause so many findings have a line of their own; the others are folded away together. */
const seenAtOnce = 15;

/** A cause with the words that only the page needs. */
function told(cause: Cause) {
  const found = counted(cause.findings.length + cause.more, cause.kind === 'fail' ? 'failure' : 'warning');
  const extent = `${found} of ${counted(cause.checks.length, 'check')} at ${counted(cause.endpoints.length, 'endpoint')}.`;
  const { findings } = cause;
  return {
    ...cause,
    extent,
    first: findings.slice(0, seenAtOnce),
    others: findings.slice(seenAtOnce),
    prose: prose(cause.statement),
    mark: mark(cause.kind),
  };
}

/** The contents of the page: what it has, and how much of it. */
function contentsOf(view: View): { anchor: string; title: string; count: number }[] {
  // biome-ignore format: a table
  const parts: readonly (readonly [anchor: string, title: string, count: number | null])[] = [
    ['matrix',        'Endpoints and checks', null],
    ['failures',      'Failures',             view.failures.length],
    ['warnings',      'Warnings',             view.warnings.length],
    ['faults',        'Faults of the suite',  view.faults.length],
    ['gaps',          'Not tested',           view.gaps.length],
    ['requirements',  'Requirements',         null],
    ['observations',  'Observations',         view.observations.length],
    ['left-behind',   'Left behind',          null],
    ['not-exercised', 'Fields not sent',      view.notExercised.length],
    ['about',         'About this run',       null],
  ];
  return parts.flatMap(([anchor, title, count]) => (count === 0 ? [] : [{ anchor, title, count: count ?? 0 }]));
}
