import { table } from '../../contracts/markdown.ts';
import { compact } from '../../contracts/present.ts';
import { tool } from '../../contracts/report/tool.ts';
import { safeLines, safeText } from '../text/safe-text.ts';
import { capitalized, endpointsText } from '../text/verdict-text.ts';
import {
  type Cell,
  type Entry,
  type Item,
  isShown,
  itemText,
  type Part,
  type ReportDocument,
  type Row,
} from './document.ts';
import { commentSign } from './marks.ts';
import { plainSteps, ruleText } from './plain.ts';

/** Maximum numbers of what is shown; GitHub limits a comment to 65,536 characters. */
const most = { entries: 20, whole: 12, items: 40, lines: 12, text: 300, block: 3_000, page: 60_000 } as const;

/**
 * Returns a report for a job summary or pull request comment, of about 60,000 characters at most. Text that may come
 * from a target is inside `<code>` or `<pre>`, where Markdown, HTML, mentions and links have no effect.
 */
export function documentMarkdown(document: ReportDocument): string {
  const { verdict, beside, headline, sentences, figures, parts, facts, rest } = document;
  const word = `${capitalized(verdict.word)}${beside === undefined ? '' : ` · ${beside}`}`;
  const blocks = [
    `## ${commentSign(verdict.kind)} ${word}: ${headline}`,
    listText(sentences.map(inlineText)),
    listText(figures.map(({ name, lines }) => `${name.toLowerCase()}: ${lines.map(inlineText).join(' ')}`)),
    ...parts.filter(part => isShown(part, 'comment')).flatMap(part => partBlocks(part, rest)),
    [
      `${tool.name} ${tool.version}`,
      ...facts.map(({ name, value }) => `${name.toLowerCase()} ${inlineText(value)}`),
    ].join('; '),
  ].filter(block => block !== '');
  let length = 0;
  const shown = blocks.filter(one => {
    length += one.length;
    return length <= most.page;
  });
  return `${compact([...shown, shown.length < blocks.length && `The rest is in ${rest}.`]).join('\n\n')}\n`;
}

/** Returns the first items as a list, and the number of the others. */
const listText = (items: readonly string[], count = items.length, rest = ''): string =>
  compact([...items.slice(0, count), items.length > count && `${items.length - count} more in ${rest}`])
    .map(item => `- ${item}`)
    .join('\n');

/** Returns blocks folded below a summary. */
const folded = (summary: string, blocks: readonly string[]): string =>
  [`<details><summary>${summary}</summary>`, ...blocks, '</details>'].join('\n\n');

const numeric = (character: string): string => `&#${character.codePointAt(0)};`;

/** Returns a text for inline Markdown: on one line, without anything that Markdown or HTML would read as markup. */
export const inlineText = (text: string): string =>
  `<code>${safeText(text, most.text).replace(/[^\p{L}\p{N} /-]/gu, numeric)}</code>`;

/** Returns lines of text unchanged in a block. A long text is cut, but keeps its last line. */
function block(text: string): string {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const cut = text.length <= most.block ? text : `${text.slice(0, Math.max(0, most.block - last.length))}\n…\n${last}`;
  return `<pre>${safeLines(cut, most.block)
    .replace(/[&<>"']/g, numeric)
    .slice(0, most.block * 2)}</pre>`;
}

function partBlocks(
  { title, note, isHead, rows = [], table: cells, entries = [], lines = [], empty }: Part,
  rest: string,
): string[] {
  const more = entries.length - most.entries;
  const head = compact([`### ${title}`, note && inlineText(note)]);
  const body = compact([
    rows.length > 0 && listText(rows.map(rowText), most.items, rest),
    cells &&
      cells.rows.length > 0 &&
      table(
        cells.columns.map(({ name }) => name.toLowerCase()),
        cells.rows.map(row => row.cells.map(cellText)),
      ),
    entries.length > 0 &&
      `${table(['', 'what', 'requirements', 'at', ''], entries.slice(0, most.entries).map(entryRow))}${more > 0 ? `\n\nAnd ${more} more in ${rest}.` : ''}`,
    ...entries
      .filter(({ counts }) => counts)
      .slice(0, most.whole)
      .map(entry => wholeBlock(entry, rest)),
  ]);
  if (lines.length > 0) return [folded(title, [listText(lines.map(inlineText), most.lines, rest)])];
  if (body.length === 0) return empty === undefined ? [] : [empty];
  return isHead ? body : [...head, ...body];
}

function rowText({ mark, name, text, about = [], remedy, command }: Row): string {
  const said = compact([name, text, ...about])
    .map(inlineText)
    .join(' ');
  const todo = remedy === undefined ? '' : ` → ${inlineText(remedy)}`;
  return `${commentSign(mark.kind)} ${said}${todo}${command === undefined ? '' : `\n${block(command)}`}`;
}

const cellText = ({ mark, text, links = [] }: Cell): string =>
  compact([
    mark && `${commentSign(mark.kind)} ${mark.word}`,
    text !== undefined && text !== '' && (/^[\d.,/ ]+( of \d+| s)?$/.test(text) ? text : inlineText(text)),
    ...links.map(one => one.text),
  ]).join(' ');

const entryRow = ({ id = '', counts, mark, title, clauses, endpoints, place = '', known, remedy }: Entry): string[] => [
  `${counts ? commentSign(mark.kind) : ''} ${id}`.trim(),
  inlineText(title),
  clauses
    .slice(0, 3)
    .map(one => inlineText(one.id))
    .join(' '),
  endpoints.length + place.length === 0 ? '' : inlineText(endpoints.length === 0 ? place : endpointsText(endpoints)),
  compact([known !== undefined && inlineText(known), remedy !== undefined && `→ ${inlineText(remedy)}`]).join(' '),
];

/** Returns a folded entry: the side that is blamed, the request and answer, and the other places where it shows. */
function wholeBlock({ id, title, label, place, clauses, items, command }: Entry, rest: string): string {
  const [first, ...others] = items;
  const isExample = first !== undefined && first.steps.length + (first.commands?.length ?? 0) > 0;
  const listed = isExample ? others : items;
  const rule = [...compact([label, place]).map(inlineText), ...clauses.map(clause => inlineText(ruleText(clause)))];
  return folded(
    `${id === undefined ? '' : `<b>${id}</b> `}${inlineText(title)}`,
    compact([
      rule.length > 0 && rule.join(' '),
      isExample && block(exampleLines(first).join('\n')),
      listed.length > 0 && listText(listed.map(itemLine), most.lines, rest),
      command !== undefined && inlineText(command),
    ]),
  );
}

const itemLine = (item: Item): string =>
  compact([itemText(item), item.because, ...item.pairs.map(({ name, value }) => `${name} ${value}`)])
    .map(inlineText)
    .join(' ');

/** Returns the values of an item, its requests and answers, and the commands that send them again. */
function exampleLines(item: Item): string[] {
  const { pairs, more = [], example, steps, race = [], commands = [] } = item;
  return compact([
    itemText(item),
    ...[...pairs, ...more].map(({ name, value }) => `${name}: ${value}`),
    example,
    ...plainSteps(steps),
    ...race,
    ...commands.map(({ text }) => text),
  ]);
}
