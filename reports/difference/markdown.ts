import { table } from '../../contracts/markdown.ts';
import type { DifferenceReport, DifferenceReportEntry } from '../../contracts/report/difference.ts';
import { block, inlineText } from '../formats/markdown.ts';
import { counted } from '../text/page.ts';
import { endpointsText } from '../text/verdict-text.ts';
import {
  answerText,
  explainCommand,
  isCounted,
  labelText,
  otherLists,
  partsOf,
  placeText,
  requestsOf,
  requirementWords,
  sideText,
  timesText,
  verdictSentences,
} from './words.ts';

/** The most that is shown of each; GitHub takes 65,536 characters for a comment. */
const most = { entries: 20, whole: 12, places: 12, lines: 12, body: 1_500, page: 60_000 } as const;

const words = { alike: '✅ Alike', different: '❌ Different', incomplete: '🟡 Incomplete' } as const satisfies Record<
  DifferenceReport['verdict'],
  string
>;

/**
 * Returns a comparison of two servers for a job summary or a comment on a pull request, of some 60,000 characters at
 * most. Text that may come from a target stands inside `<code>` or `<pre>`, where neither Markdown nor HTML works.
 */
export function differenceMarkdown(report: DifferenceReport): string {
  const blocks = [
    `## ${words[report.verdict]}: A and B side by side`,
    table(
      ['', 'server', 'ended'],
      (['a', 'b'] as const).map(side => [
        side.toUpperCase(),
        inlineText(sideText(report[side])),
        inlineText(report[side].outcome),
      ]),
    ),
    verdictSentences(report)
      .map(text => `- ${inlineText(text)}`)
      .join('\n'),
    ...staleBlocks(report),
    ...partsOf(report).flatMap(({ title, entries }) => [
      `### ${title}`,
      listOf(entries, report),
      ...entries
        .filter(one => isCounted(one, report))
        .slice(0, most.whole)
        .map(one => wholeBlock(one, report)),
    ]),
    ...otherLists(report).map(({ title, lines }) => foldedList(title, lines)),
    `${report.tool.name} ${report.tool.version}; seed ${report.seed}, profile ${report.profile}, exit code ${report.exitCode}`,
  ];
  let length = 0;
  const shown = blocks.filter(one => {
    length += one.length;
    return length <= most.page;
  });
  return `${[...shown, ...(shown.length < blocks.length ? ['The rest is in `difference.json`.'] : [])].join('\n\n')}\n`;
}

function listOf(entries: readonly DifferenceReportEntry[], report: DifferenceReport): string {
  const rows = entries
    .slice(0, most.entries)
    .map(one => [
      isCounted(one, report) ? `❌ ${one.id}` : one.id,
      inlineText(one.title),
      one.requirements.slice(0, 3).map(inlineText).join(' '),
      inlineText(endpointsText(one.endpoints)),
      ...(one.acknowledged === undefined ? [''] : [inlineText(one.acknowledged.reason)]),
    ]);
  const more = entries.length - rows.length;
  return `${table(['', 'what differs', 'requirements', 'endpoints', ''], rows)}${more > 0 ? `\n\nAnd ${more} more in \`difference.json\`.` : ''}`;
}

/** A difference folded up: whose it is, both answers, and where else it shows. */
function wholeBlock(one: DifferenceReportEntry, report: DifferenceReport): string {
  const [first] = one.places;
  const steps = (first?.example.steps ?? []).flatMap(step => [
    ...requestsOf(step).map(({ to, request: { method, path, body } }) =>
      [
        `${step.number}${to === '' ? '' : ` to ${to}`}  ${method} ${path}`,
        ...(body === undefined ? [] : [cut(body)]),
      ].join('\n'),
    ),
    ...(['a', 'b'] as const).flatMap(side => {
      const head = answerText(step[side]);
      return head === undefined ? [] : [`   ${side.toUpperCase()}  ${head}  ${cut(step[side]?.body ?? '')}`.trimEnd()];
    }),
  ]);
  const clauses = one.requirements.map(id => {
    const { about, statement } = requirementWords(id);
    return [id, ...(about === '' ? [] : [`(${about}): ${statement}`])].join(' ');
  });
  const places = one.places
    .slice(0, most.places)
    .map(
      place =>
        `- ${inlineText(placeText(place))} A ${inlineText(place.a)} B ${inlineText(place.b)} ${timesText(place.occurrences)}`,
    );
  const more = one.places.length - places.length;
  const command = explainCommand(one, report);
  return [
    `<details><summary><b>${one.id}</b> ${inlineText(one.title)}</summary>`,
    '',
    `${labelText(one)}${clauses.length === 0 ? '' : ` ${clauses.map(inlineText).join(' ')}`}`,
    '',
    block(steps.join('\n')),
    '',
    places.join('\n'),
    ...(more > 0 ? ['', `And ${counted(more, 'place')} more in \`difference.json\`.`] : []),
    ...(command === undefined ? [] : ['', inlineText(command)]),
    '',
    '</details>',
  ].join('\n');
}

const cut = (text: string): string => (text.length <= most.body ? text : `${text.slice(0, most.body)}…`);

function staleBlocks({ acknowledged }: DifferenceReport): string[] {
  if (acknowledged === undefined || acknowledged.stale.length === 0) return [];
  const items = acknowledged.stale
    .slice(0, most.lines)
    .map(({ entry, why, line }) => `- ❌ ${inlineText(entry)} ${inlineText(why)} → remove ${inlineText(line)}`);
  const more = acknowledged.stale.length - items.length;
  return [
    `### ${inlineText(acknowledged.file)}`,
    [...items, ...(more > 0 ? [`- ${more} more in \`difference.json\``] : [])].join('\n'),
  ];
}

function foldedList(title: string, lines: readonly string[]): string {
  const more = lines.length - most.lines;
  return [
    `<details><summary>${title}</summary>`,
    '',
    ...lines.slice(0, most.lines).map(line => `- ${inlineText(line)}`),
    ...(more > 0 ? [`- ${more} more in \`difference.json\``] : []),
    '',
    '</details>',
  ].join('\n');
}
