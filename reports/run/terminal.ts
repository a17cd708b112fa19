import type { RunStart } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import { documentLines } from '../document/terminal.ts';
import { sinceLastText } from '../journal/last-run.ts';
import type { Output, Reporter } from '../journal/reporter.ts';
import { baseUrlOf, invocation } from '../text/invocation.ts';
import { type Line, pageWidth, paint, styled } from '../text/page.ts';
import { timeText } from '../text/time-text.ts';
import { isUnjudged } from '../text/verdict-text.ts';
import { runDocument } from './document.ts';
import { effectLines } from './effects.ts';
import { progressBar } from './progress.ts';

/** Shows a run at a terminal: live progress, then endpoints, failures, what was not tested, and the verdict. */
export const terminal: Reporter = out => {
  const bar = out.interactive ? progressBar(out) : undefined;
  let titled = false;
  return {
    event(event) {
      if (event.event === 'run-start' && !titled) {
        titled = true;
        out.write(paint(titleLines(event, out.columns), out.colour));
      }
      if (event.event === 'planned-effects') out.write(paint(effectLines(event, out.columns), out.colour));
      bar?.event(event);
    },
    end(report) {
      bar?.stop();
      out.write(paint(pageLines(report, out), out.colour));
    },
  };
};

/** The head of the page: what is tested and how. */
function titleLines({ tool, target, seed, profile, options }: RunStart, columns: number | undefined): Line[] {
  const { timeMs, readOnly, strict, traffic } = options;
  const what = target.embedded ? `the embedded reference server (${target.baseUrl})` : target.baseUrl;
  const how = (
    traffic === undefined
      ? [
          `seed ${seed}`,
          profile,
          ...(timeMs === undefined ? [] : [`time ${timeText(timeMs)}`]),
          ...(readOnly ? ['read-only'] : []),
          ...(strict ? ['strict'] : []),
        ]
      : [
          `traffic${traffic.sources.length === 0 ? '' : ` of ${traffic.sources.join(', ')}`}`,
          ...(traffic.soleWriter ? ['nobody else writes'] : []),
        ]
  ).join(', ');
  const name = `${tool.name} ${tool.version}`;
  const title: Line = [styled('strong', name), `  ${what}`];
  return name.length + what.length + how.length + 4 <= pageWidth(columns)
    ? [[...title, '  ', styled('faint', how)]]
    : [title, ['  ', styled('faint', how)]];
}

function pageLines(report: Report, out: Output): Line[] {
  const document = runDocument(report);
  const { files = [], last } = out;
  // If the target never answered, a table of what was not tested would say nothing more.
  if (report.outcome === 'unreachable' && isUnjudged(report)) {
    const parts = document.parts.filter(({ id }) => id === 'notices');
    return documentLines({ ...document, parts, figures: [] }, { ...out, files: [] });
  }
  const since = last === undefined ? [] : [[styled('strong', sinceLastText(last, report))]];
  const parts = document.parts.map(part => (part.isIndex ? { ...part, commands: commandsOf(report, files) } : part));
  return [...since, ...documentLines({ ...document, parts }, out)];
}

/** The commands that show the first cause, and send it again. */
function commandsOf(report: Report, files: readonly string[]): { name: string; text: string }[] {
  const named = (name: string) => files.find(one => one.split('/').at(-1) === name);
  const file = named('report.json') ?? named('journal.ndjson');
  // The commands take the usual one by themselves.
  const of = file === undefined || file === 'conform-report/report.json' ? '' : ` ${file}`;
  const id = report.causes?.[0]?.id;
  return [
    { name: 'see one whole', text: `${invocation} explain ${id}${of}` },
    ...(report.traffic === undefined
      ? [{ name: 'send it again', text: `${invocation} replay ${id}${of}${baseUrlOf(report)}` }]
      : []),
  ];
}
