import { alike, distinct, grouped } from '../../contracts/grouped.ts';
import { compact } from '../../contracts/present.ts';
import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { isJudged } from '../../contracts/report/verdict.ts';
import type { Entry, Item, ReportDocument, TableRow } from '../document/document.ts';
import { legend, mark, wholeMark } from '../document/marks.ts';
import { inOrder } from '../journal/causes.ts';
import { endpointIn } from '../journal/selections.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { coverageText, endpointsText, passedText, setText } from '../text/verdict-text.ts';
import { type CheckChange, letterOf, type RunComparison, type Trend } from './compare.ts';

/** Returns compared runs as the document that every format lays out. */
export function comparisonDocument(comparison: RunComparison): ReportDocument {
  const { runs, cautions } = comparison;
  const entries = { worse: changeEntries(comparison, 'worse'), better: changeEntries(comparison, 'better') };
  return {
    title: 'Conformance runs compared',
    kicker: 'Conformance to the Console Management API specification, runs side by side, the oldest first',
    source: 'the reports of the runs',
    verdict: verdictOf(comparison),
    headline: `${runs.length} runs side by side`,
    sentences: sentencesOf(comparison),
    figures: [],
    parts: [
      {
        id: 'sides',
        title: 'Runs',
        isHead: true,
        rows: [
          ...runs.map(({ name, report }, index) => ({
            mark: wholeMark(report.verdict),
            name: letterOf(index),
            text: name,
            about: [runText(report)],
          })),
          ...cautions.map(text => ({ mark: mark('warn'), text })),
        ],
      },
      {
        id: 'matrix',
        title: 'Endpoints and runs',
        isHead: true,
        empty: 'No run tested an endpoint.',
        table: {
          legend: [...legend.filter(({ kind }) => kind !== 'open'), mark('open', 'not run')],
          about: 'The numbers: so many of the checks that apply have passed.',
          columns: [
            { name: 'Endpoint' },
            ...runs.map((_, index) => ({ name: letterOf(index) })),
            { name: 'Changed', kind: 'text' },
          ],
          rows: rowsOf(comparison, entries),
        },
      },
      { id: 'worse', title: 'Worse', entries: entries.worse },
      { id: 'lost', title: 'Verified before, and no more', entries: lostEntries(comparison) },
      { id: 'better', title: 'Better', entries: entries.better },
      {
        id: 'observations',
        title: 'Observed differently',
        note: 'The specification leaves it open: nothing of this is judged.',
        entries: observedEntries(comparison),
      },
    ],
    facts: [],
    rest: 'the reports of the runs',
    whole: 40,
  };
}

/** Returns the result of a run, its target, when it began, and its seed and profile. */
function runText(report: Report): string {
  const { verdict, target, startedAt, seed, profile } = report;
  const coverage = coverageText(report) ?? 'no coverage: a part of a run';
  return `${verdict}, ${coverage}, ${target.baseUrl}, ${startedAt}, seed ${seed}, ${profile}${setText(report)}`;
}

function verdictOf({ worse, better, lost }: RunComparison) {
  const bad = worse.length > 0 ? 'worse' : 'less verified';
  if (worse.length + lost.length > 0) return mark('fail', better.length > 0 ? `${bad}, and better` : bad);
  return better.length > 0 ? mark('pass', 'better') : mark('open', 'no check differs');
}

/** Returns what got worse, what got better and what else differs, a sentence each. */
function sentencesOf({ runs, worse, better, lost, observations }: RunComparison): string[] {
  const last = letterOf(runs.length - 1);
  const said = (changes: readonly CheckChange[], trend: string) => {
    if (changes.length === 0) return `Nothing is ${trend} in run ${last} than before.`;
    const endpoints = new Set(changes.map(({ id }) => endpointIn(id)));
    return `${counted(changes.length, 'check')} of run ${last} ${changes.length === 1 ? 'is' : 'are'} ${trend} than before, at ${endpointsText(endpoints)}.`;
  };
  const differs = `${counted(observations.length, 'observation')} ${observations.length === 1 ? 'differs' : 'differ'}; the specification leaves open what is right.`;
  const count = lost.reduce((sum, { requirements }) => sum + requirements.length, 0);
  return compact([
    said(worse, 'worse'),
    said(better, 'better'),
    count > 0 && `Run ${last} no more verifies ${counted(count, 'requirement')} that a run before it did.`,
    observations.length === 0 ? 'No observation differs.' : differs,
  ]);
}

/** Returns a row for each endpoint: its mark in each run, and how many of its checks changed. */
const rowsOf = (
  { runs, endpoints }: RunComparison,
  changes: Readonly<Record<Direction, readonly Entry[]>>,
): TableRow[] =>
  endpoints.map(({ id, verdicts }) => {
    const links = (['worse', 'better'] as const).flatMap(trend => {
      const own = changes[trend].flatMap(({ anchor, items }) =>
        items.filter(({ where }) => where.startsWith(`${id}/`)).map(() => anchor),
      );
      return own[0] === undefined ? [] : [{ text: `${own.length} ${trend}`, href: `#${own[0]}` }];
    });
    const cells = verdicts.map((verdict, index) => {
      const checks = runs[index]?.report.endpoints.find(one => one.id === id)?.checks;
      return {
        mark: verdict ? wholeMark(verdict) : mark('open', 'not run'),
        text: checks && passedText(checks),
      };
    });
    return {
      cells: [{ text: id }, ...cells, { links }],
      isSame: links.length === 0 && verdicts.every(verdict => verdict === verdicts[0]),
    };
  });

/** Returns the requirements that are no longer verified, by reason. */
const lostEntries = ({ lost }: RunComparison): Entry[] =>
  lost.map((one, index) => ({
    anchor: `lost-${index + 1}`,
    mark: mark('fail', 'verified no more'),
    counts: true,
    title: beginningOf(one.why),
    label: counted(one.requirements.length, 'requirement'),
    clauses: [],
    endpoints: [],
    tags: [{ title: '', items: one.requirements.map(text => ({ text })) }],
    items: [],
  }));

/** Returns the observations in which the runs differ, by requirement. */
function observedEntries({ runs, observations }: RunComparison): Entry[] {
  return [...grouped(observations, ({ requirement }) => requirement)].map(([requirement, changes], index) => ({
    anchor: `observed-${index + 1}`,
    mark: mark('open'),
    counts: true,
    title: rowOf(requirement, runs)?.statement ?? requirement,
    clauses: [clauseOf(requirement, runs)],
    endpoints: [],
    items: changes.map(({ subject, endpoints, values }) => ({
      where: subject,
      note: endpointsText(endpoints),
      pairs: values.map((own, at) => ({
        name: letterOf(at),
        value: own.length === 0 ? 'not seen' : beginningOf(own.join(' | ')),
      })),
      steps: [],
    })),
  }));
}

/** The direction in which a check changed. */
type Direction = Exclude<Trend, 'same'>;

/** Returns at most 300 characters of a text from a target; the reports of the runs have the rest. */
const beginningOf = (text: string): string => safeText(text, 300);

/** Returns the changes in one direction by root cause: those of requirements first, then those of most checks. */
function changeEntries(comparison: RunComparison, trend: Direction): Entry[] {
  const { runs } = comparison;
  const changes = comparison[trend].map(one => {
    const change = { ...one, requirements: requirementsOf(one) };
    return { change, cited: change.requirements, title: titleOf(change, runs) };
  });
  const groups = alike(changes, ({ cited, title }) => [title, cited]);
  return inOrder(
    groups.map(group => ({ ...group[0], group })),
    ({ cited }) => -Math.sign(cited.length),
    ({ group }) => -group.length,
  ).map(({ group, title, cited }, index) => ({
    anchor: `${trend}-${index + 1}`,
    mark: trend === 'worse' ? mark('fail', 'worse') : mark('pass', 'better'),
    counts: true,
    title,
    clauses: cited.map(id => clauseOf(id, runs)),
    endpoints: distinct(group.map(({ change }) => endpointIn(change.id))),
    items: group.map(({ change }) => changedCheck(change)),
  }));
}

/** Returns the requirements of a change; if it has none, those of its warnings. */
function requirementsOf({ requirements, trend, checks }: CheckChange): string[] {
  if (requirements.length > 0) return requirements;
  const found = (trend === 'worse' ? checks.slice(-1) : checks.slice(0, -1)).flatMap(one => one?.findings ?? []);
  return distinct(found.map(({ requirement }) => requirement)).sort();
}

/** Returns the statements of the requirements; if there are none, what the last run says of the check. */
function titleOf({ requirements, checks }: CheckChange, runs: RunComparison['runs']): string {
  if (requirements.length > 0) return requirements.map(one => rowOf(one, runs)?.statement ?? one).join(' ');
  const last = checks.at(-1);
  if (!last) return 'Not run in the last run.';
  return becauseOf(last) ?? (last.verdict === 'pass' ? 'Not known before; passed now.' : mark(last.verdict).word);
}

/** Returns why it is unknown whether a check would pass; undefined if it is known. */
function becauseOf({ verdict, because = 'no reason given' }: CheckReport): string | undefined {
  if (isJudged(verdict)) return undefined;
  return beginningOf(`${mark(verdict).word}: ${because}`);
}

/** Returns the row of a requirement in the last report that has it. */
function rowOf(id: string, runs: RunComparison['runs']) {
  return runs.flatMap(({ report }) => report.requirements.find(row => row.id === id) ?? []).at(-1);
}

/** Returns a requirement with section and level, if a run knows them. The title has its statement. */
function clauseOf(id: string, runs: RunComparison['runs']) {
  const row = rowOf(id, runs);
  return { id, about: row ? `section ${row.section}, ${row.level}` : '', statement: '' };
}

/**
 * Returns a check with its mark in each run, and a finding: of the last run if it got worse, else of the last run that
 * has one.
 */
function changedCheck(change: CheckChange): Item {
  const { id, requirements, trend, checks } = change;
  const isCited = (requirement: string) => requirements.length === 0 || requirements.includes(requirement);
  const found = checks
    .flatMap((check, index) => {
      const finding = check?.findings.find(({ requirement }) => isCited(requirement));
      return finding ? [{ ...finding, index }] : [];
    })
    .findLast(({ index }) => trend === 'better' || index === checks.length - 1);
  const last = checks.at(-1);
  return {
    where: id,
    note: checks.map(check => check?.verdict ?? 'not run').join(' → '),
    because: requirements.length > 0 && last ? becauseOf(last) : undefined,
    pairs: found
      ? [
          { name: 'Expected', value: beginningOf(found.expected) },
          { name: `Run ${letterOf(found.index)} got`, value: beginningOf(found.actual) },
        ]
      : [],
    steps: [],
  };
}
