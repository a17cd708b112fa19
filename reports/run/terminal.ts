import { basename } from 'node:path';
import { alike } from '../../contracts/grouped.ts';
import { compact, present } from '../../contracts/present.ts';
import type { PlannedEffect, PlannedEffects, RunStart } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import type { Command } from '../document/document.ts';
import { documentLines } from '../document/terminal.ts';
import { sinceLastText } from '../journal/known.ts';
import type { Output, Reporter } from '../journal/reporter.ts';
import { counted, entry, firstOf, type Line, pageWidth, paint, proseWidth, styled, wrapped } from '../text/page.ts';
import { baseUrlOf, invocation, shellWord } from '../text/shell.ts';
import { timeText } from '../text/time-text.ts';
import { isUnjudged } from '../text/verdict-text.ts';
import { runDocument } from './document.ts';
import { progressBar } from './progress.ts';
/** Shows a run at a terminal: live progress, then endpoints, failures, untested checks, and the verdict. */
export const terminal: Reporter = out => {
  const bar = out.interactive ? progressBar(out) : undefined;
  const page = pageWidth(out.columns);
  let titled = false;
  return {
    event(event) {
      if (event.event === 'run-start' && !titled) {
        titled = true;
        out.write(paint(titleLines(event, page), out.colour));
      }
      if (event.event === 'planned-effects') out.write(paint(effectLines(event, page), out.colour));
      bar?.event(event);
    },
    end(report) {
      bar?.stop();
      out.write(paint(pageLines(report, out), out.colour));
    },
  };
};

/** Returns the head of the page: what is tested and how. */
function titleLines({ tool, target, seed, profile, options }: RunStart, page: number): Line[] {
  const { timeMs, readOnly, strict, traffic } = options;
  const what = target.embedded ? `the embedded reference server (${target.baseUrl})` : target.baseUrl;
  const how = (
    traffic
      ? compact([
          `traffic${traffic.sources.length === 0 ? '' : ` of ${traffic.sources.join(', ')}`}`,
          traffic.soleWriter && 'nobody else writes',
        ])
      : compact([
          `seed ${seed}`,
          profile,
          timeMs !== undefined && `time ${timeText(timeMs)}`,
          readOnly && 'read-only',
          strict && 'strict',
        ])
  ).join(', ');
  const name = `${tool.name} ${tool.version}`;
  const title: Line = [styled('strong', name), `  ${what}`];
  return name.length + what.length + how.length + 4 <= page
    ? [[...title, '  ', styled('faint', how)]]
    : [title, ['  ', styled('faint', how)]];
}

function pageLines(report: Report, out: Output): Line[] {
  const document = runDocument(report);
  const { last } = out;
  // If the target never answered, a table of untested checks would add nothing.
  if (report.outcome === 'unreachable' && isUnjudged(report)) {
    const parts = document.parts.filter(({ id }) => id === 'notices');
    return documentLines({ ...document, parts, figures: [] }, { ...out, files: [] });
  }
  const since = last ? [[styled('strong', sinceLastText(last, report))]] : [];
  const parts = document.parts.map(part => ({
    ...part,
    ...present({ commands: commandsFor(part.id, report, out) }),
  }));
  return [...since, ...documentLines({ ...document, parts }, out)];
}

/** Returns the commands of a part: to see the first cause and send it again, or to put back what was left changed. */
function commandsFor(part: string, report: Report, { files = [], source }: Output): readonly Command[] | undefined {
  const named = (name: string) => files.find(one => basename(one) === name);
  const journal = named('journal.ndjson');
  if (part === 'not-restored' && journal !== undefined && !report.target.embedded)
    return [{ name: 'put it back', text: `${invocation} restore ${shellWord(journal)}${baseUrlOf(report)}` }];
  if (part !== 'causes') return undefined;
  const file = named('report.json') ?? journal ?? source;
  // The commands read this file by default.
  const of = file === undefined || file === 'conform-report/report.json' ? '' : ` ${shellWord(file)}`;
  const id = report.causes?.[0]?.id;
  return compact([
    { name: 'see one whole', text: `${invocation} explain ${id}${of}` },
    !report.traffic && {
      name: 'send it again',
      text: `${invocation} replay ${id}${of}${baseUrlOf(report)}`,
    },
  ]);
}

/** Maximum number of names shown of one kind. */
const mostNames = 4;

type Alike = readonly [PlannedEffect, ...PlannedEffect[]];

/** Returns the entities of one kind with the same effect, in words. */
function entitiesText([first, ...others]: Alike): string {
  const names = [first, ...others].flatMap(({ id }) => id ?? []);
  return names.length === 0 ? first.kind : `${first.kind} ${firstOf(names, mostNames)}`;
}

/** Each kind of effect: the label of its line, and its entities in words. */
// biome-ignore format: a table
const kinds: readonly (readonly [PlannedEffect['effect'], string, (own: readonly PlannedEffect[]) => string])[] = [
  ['changed-for-good', 'will change', own => `for good: ${phrases(own, all => `${entitiesText(all)} (${all[0].what})`)}`],
  ['created',          'will create', own => `at most ${phrases(own, all => counted(all[0].most ?? 0, all[0].kind))}`],
  ['put-back',         'will restore', own => phrases(own, entitiesText)],
];

const phrases = (own: readonly PlannedEffect[], phrase: (all: Alike) => string): string =>
  alike(own, ({ kind, what }) => [kind, what])
    .map(phrase)
    .join('; ');

/** Returns the planned effects on the target, shown before the first request so that the run can be stopped. */
function effectLines({ effects }: PlannedEffects, page: number): Line[] {
  return kinds.flatMap(([effect, label, text]) => {
    const own = effects.filter(one => one.effect === effect);
    return own.length === 0 ? [] : entry(label, wrapped(text(own), proseWidth(page)), 2);
  });
}
