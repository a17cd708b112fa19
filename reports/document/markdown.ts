import { table } from '../../contracts/markdown.ts';
import { tool } from '../../contracts/report/tool.ts';
import { block, folded, inlineText, listText, pageText } from '../formats/markdown.ts';
import type { MarkKind } from '../html/marks.ts';
import { capitalized, endpointsText } from '../text/verdict-text.ts';
import { clauseText, type Entry, type ExampleStep, type Item, type Part, type ReportDocument } from './document.ts';

/** The most that is shown of each; GitHub takes 65,536 characters for a comment. */
const most = { entries: 20, whole: 12, items: 40, lines: 12, body: 1_500 } as const;

// biome-ignore format: a table
const signs: Readonly<Record<MarkKind, string>> = {
  pass: '✅', fail: '❌', warn: '⚠️', untested: '🟡', error: '❌', 'not-applicable': '➖', open: '⚪',
};

/**
 * Returns a report for a job summary or a comment on a pull request, of some 60,000 characters at most. Text that may
 * come from a target stands inside `<code>` or `<pre>`, where neither Markdown nor HTML works.
 */
export function documentMarkdown(document: ReportDocument): string {
  const { verdict, headline, subjects, sentences, cautions, matrix, parts, facts, rest } = document;
  const rows = matrix?.rows ?? [];
  const blocks = [
    `## ${signs[verdict.kind]} ${capitalized(verdict.word)}: ${headline}`,
    table(
      [document.sides.toLowerCase(), '', '', ''],
      subjects.map(({ letter, mark, name, about }) => [
        letter,
        `${signs[mark.kind]} ${mark.word}`,
        inlineText(name),
        inlineText(about),
      ]),
    ),
    listText([
      ...sentences.map(sentence => inlineText(sentence)),
      ...cautions.map(caution => `${signs.warn} ${inlineText(caution)}`),
    ]),
    ...(rows.length === 0
      ? []
      : [
          table(
            ['endpoint', ...subjects.map(({ letter }) => letter)],
            rows.map(({ endpoint, cells }) => [
              inlineText(endpoint),
              ...cells.map(({ mark }) => `${signs[mark.kind]} ${mark.word}`),
            ]),
          ),
        ]),
    ...parts.flatMap(part => partBlocks(part, rest)),
    [
      `${tool.name} ${tool.version}`,
      ...facts.map(({ name, value }) => `${name.toLowerCase()} ${inlineText(value)}`),
    ].join('; '),
  ];
  return pageText(blocks, rest);
}

function partBlocks({ title, note, entries, lines }: Part, rest: string): string[] {
  if (lines !== undefined) return [folded(title, [listText(lines.map(inlineText), most.lines, rest)])];
  const more = entries.length - most.entries;
  return [
    `### ${title}`,
    ...(note === undefined ? [] : [note]),
    `${table(['', 'what differs', 'requirements', 'at', ''], entries.slice(0, most.entries).map(rowOf))}${more > 0 ? `\n\nAnd ${more} more in ${rest}.` : ''}`,
    ...entries
      .filter(({ counts }) => counts)
      .slice(0, most.whole)
      .map(entry => wholeBlock(entry, rest)),
  ];
}

const rowOf = ({ id = '', counts, mark, title, clauses, tags, known, remedy }: Entry): string[] => [
  `${counts ? signs[mark.kind] : ''} ${id}`.trim(),
  inlineText(title),
  clauses
    .slice(0, 3)
    .map(({ id: one }) => inlineText(one))
    .join(' '),
  tags.length === 0 ? '' : inlineText(endpointsText(tags)),
  [
    ...(known === undefined ? [] : [inlineText(known)]),
    ...(remedy === undefined ? [] : [`→ ${inlineText(remedy)}`]),
  ].join(' '),
];

/** An entry folded up: whose it is, what each answered, and where else it shows. */
function wholeBlock({ id, title, label, clauses, items, example, command }: Entry, rest: string): string {
  const rule = [
    ...(label === undefined ? [] : [label]),
    ...clauses.map(clause => inlineText([clauseText(clause), clause.statement].filter(Boolean).join(': '))),
  ];
  return folded(`${id === undefined ? '' : `<b>${id}</b> `}${inlineText(title)}`, [
    ...(rule.length === 0 ? [] : [rule.join(' ')]),
    ...(example === undefined ? [] : [block(example.steps.flatMap(stepLines).join('\n'))]),
    ...(items.length === 0 ? [] : [listText(items.map(itemLine), most.items, rest)]),
    ...(command === undefined ? [] : [inlineText(command)]),
  ]);
}

const itemLine = ({ where, note, because, pairs }: Item): string =>
  [
    inlineText(where),
    note,
    ...(because === undefined ? [] : [inlineText(because)]),
    ...pairs.map(({ name, value }) => `${name} ${inlineText(value)}`),
  ].join(' ');

function stepLines({ number, requests, answers }: ExampleStep): string[] {
  const shortened = (text: string): string => (text.length <= most.body ? text : `${text.slice(0, most.body)}…`);
  return [
    ...requests.flatMap(({ to, method, path, body }) => [
      `${number}${to === '' ? '' : ` to ${to}`}  ${method} ${path}`,
      ...(body === undefined ? [] : [shortened(body)]),
    ]),
    ...answers.flatMap(({ letter, head, body }) =>
      head === undefined ? [] : [`   ${letter}  ${head}  ${shortened(body)}`.trimEnd()],
    ),
  ];
}
