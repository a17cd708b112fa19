import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { compact } from '../../contracts/present.ts';
import type { Report } from '../../contracts/report/report.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { faults } from '../../reference-server/faults/index.ts';
import { entryLines } from '../../reports/document/entry-lines.ts';
import { type Cause, causesWithFindings } from '../../reports/journal/causes.ts';
import { causeNamed, isCauseId, NoSuchFinding } from '../../reports/journal/replay.ts';
import { checksOf } from '../../reports/journal/selections.ts';
import { causeEntry } from '../../reports/run/causes.ts';
import { coverageLines } from '../../reports/run/coverage.ts';
import { remedyText } from '../../reports/run/untested.ts';
import { counted, type Display, pageWidth, paint } from '../../reports/text/page.ts';
import { safeText } from '../../reports/text/safe-text.ts';
import { symptomOf } from '../../reports/text/symptom.ts';
import { checks } from '../../suites/checks/index.ts';
import { citedBy, verifiedBy } from '../../suites/checks/verified-by.ts';
import type { explain } from '../definitions/documents.ts';
import { filterSuggestion } from '../filter-suggestion.ts';
import { lastReport, type Work } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { terminalOf } from '../outputs.ts';
import { readReport } from '../report-file.ts';
import { output, shown } from '../writer.ts';

const isEndpoint = (id: string): id is EndpointId => (endpointIds as readonly string[]).includes(id);

function explainRequirement(id: string): string[] {
  const { section, standard, level, statement, endpoints: bound, unverified } = requirementById(id);
  const by = verifiedBy(id);
  return compact([
    `${id}  ${level}, section ${section}${standard === undefined ? '' : ` (${standard})`}`,
    '',
    `  ${statement}`,
    '',
    `  binds        ${bound === 'all' ? 'all endpoints' : bound.join(', ')}`,
    by.length > 0 && `  verified by  ${by.join(', ')}`,
    ...faultLines([id]),
    unverified !== undefined && `  not verified from outside: ${unverified}`,
    level === 'OPEN' && '  open: never judged; what a target does is recorded as an observation',
  ]);
}

/** Returns lines on the faults that break any of some requirements: a check that verifies these must catch them. */
function faultLines(requirements: readonly string[], at?: readonly EndpointId[]): string[] {
  const breaking = faults.filter(
    fault => requirements.includes(fault.requirement) && (!at || fault.endpoints.some(one => at.includes(one))),
  );
  return breaking.length === 0
    ? []
    : ['  faults it must catch', ...breaking.map(({ id, title }) => `    ${id}: ${title}`)];
}

function explainCheck(id: string, only?: EndpointId, file?: string): string[] {
  const check = checks.find(one => one.id === id);
  if (!check) return [];
  const at = endpointIds.filter(one => check.appliesTo(endpoints[one]) && (!only || one === only));
  const cited = [...new Set(at.flatMap(one => citedBy(check, one)))];
  return [
    `${only ? `${only}/${id}` : id}  ${check.level}, ${check.kind === 'active' ? 'active: sends requests of its own' : 'passive: judges every answer of its endpoint'}`,
    '',
    `  ${check.title}.`,
    '',
    `  detects      ${check.detects}`,
    `  endpoints    ${at.join(', ')}`,
    '  requirements',
    ...cited.map(one => {
      const { level, section, statement } = requirementById(one);
      return `    ${one} (${level}, section ${section}): ${statement}`;
    }),
    ...faultLines(cited, at),
    ...(file === undefined ? [] : outcomeIn(file, `${only}/${id}`)),
  ];
}

/** Returns the outcome of a check in a report: its verdict, why it proved nothing, and what was sent. */
function outcomeIn(file: string, id: string): string[] {
  const found = checksOf(readReport(file)).find(one => one.id === id);
  if (!found) return ['', `  ${safeText(file)}: no such check was planned`];
  const { verdict, because, remedy, stats } = found;
  const sent = `${counted(stats.requests, 'request')}, ${stats.accepted} accepted, ${stats.refused} refused`;
  return compact([
    '',
    `  ${safeText(file)}: ${verdict}; ${sent}`,
    because !== undefined && `    ${safeText(because)}`,
    remedy !== undefined && `    → ${safeText(remedyText(remedy))}`,
  ]);
}

function explainEndpoint(id: EndpointId): string[] {
  const { method, path, title, section, effect, fixture } = endpoints[id];
  const bound = checks.filter(check => check.appliesTo(endpoints[id]));
  return [
    `${id}  ${method} ${path}`,
    '',
    `  ${title} (section ${section}); ${effect}`,
    `  fixture      ${fixture ? `fixtures.${fixture}` : 'none'}`,
    '  checks',
    ...bound.map(check => `    ${check.id} (${check.level}): ${check.title}`),
  ];
}

/** Returns a cause of a report. */
const wholeCause = (report: Report, id: string, file: string): Cause =>
  refusing(
    [NoSuchFinding],
    () => causeNamed(report, id),
    ({ message }) => `${file}: ${message}`,
  );

/** Returns one finding of a report (`patch-gate/rejects#2`), as a cause by itself. */
function causeOfFinding(report: Report, name: string, file: string): Cause {
  const cause = causesWithFindings(report).find(({ findings }) => findings.some(one => one.name === name));
  const found = cause?.findings.find(one => one.name === name);
  if (!cause || !found) refuse(`${file}: the report has no finding ${name}`);
  const { finding, endpoint } = found;
  return {
    ...cause,
    title: symptomOf(finding),
    requirements: [finding.requirement],
    endpoints: [endpoint.id],
    findings: [found],
    blocked: [],
  };
}

/** Returns a cause of a report, or one finding of it, with all of its evidence. */
function explainEvidence(id: string, file: string, display: Display): string {
  const report = readReport(file);
  const cause = isCauseId(id) ? wholeCause(report, id, file) : causeOfFinding(report, id, file);
  return paint(entryLines(causeEntry(report, cause), pageWidth(display.columns)), display.colour);
}

/** Returns the coverage of a report: all of it, or every cell of one operation or relation. */
function explainCoverage([first, second]: readonly string[], display: Display): string {
  const isFile = first !== undefined && /[./\\]/.test(first);
  const [of, file] = isFile ? [undefined, first] : [first, second ?? lastReport];
  const lines = coverageLines(readReport(file), of, pageWidth(display.columns));
  if (!lines) refuse(`${file} has no coverage: it is of judged traffic, of a replay, or was cut short`);
  if (lines.length === 0)
    refuse(
      `${file} has no cells of ${of}: name an operation or a relation that \`explain coverage\` lists${filterSuggestion(of ?? '')}`,
    );
  return paint(lines, display.colour);
}

/** Explains something on the standard output. Returns the exit code, 0. */
export const command: Work<typeof explain> = (_, [id, of]) => {
  output.write(shown(explanation(id, of, terminalOf(output))));
  return 0;
};

/**
 * Returns the text of `explain ID [REPORT]`, for a requirement, a check, an endpoint, or a cause (`F3`) of a report.
 * Without a named report it takes the last one. Throws a `UsageError` for an ID that does not exist.
 */
export function explanation(id: string, of: readonly string[] = [], display: Display = { colour: false }): string {
  const [file = lastReport, extra] = of;
  if (id === 'coverage' && of.length <= 2) return explainCoverage(of, display);
  if (extra !== undefined) refuse(`explain takes one report, and ${extra} is more`);
  // Reports name their findings `endpoint/check#n`.
  if (isCauseId(id) || /^[^#]*#[1-9]\d*$/.test(id)) return explainEvidence(id, file, display);
  const [endpoint = '', check] = id.split('/');
  const lines = isRequirementId(id)
    ? explainRequirement(id)
    : isEndpoint(id)
      ? explainEndpoint(id)
      : check !== undefined && isEndpoint(endpoint)
        ? explainCheck(check, endpoint, of[0])
        : explainCheck(id);
  if (lines.length === 0) {
    refuse(
      `there is no requirement, check or endpoint called ${id}; \`list requirements\`, \`list checks\` and \`list endpoints\` show them all${filterSuggestion(id)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
