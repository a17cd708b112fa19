import { grouped } from '../../contracts/grouped.ts';
import { compact } from '../../contracts/present.ts';
import { tool } from '../../contracts/report/tool.ts';
import {
  counted,
  fitted,
  headed,
  heading,
  indented,
  type Line,
  entry as labelled,
  pageWidth,
  paint,
  type ReportDisplay,
  type Style,
  styled,
  wrapped,
} from '../text/page.ts';
import {
  type Cell,
  type Entry,
  isShown,
  type Part,
  type ReportDocument,
  type Row,
  type Table,
  type TableRow,
} from './document.ts';
import { entryLines, indexLine, listedLines, remedyLines } from './entry-lines.ts';
import { terminalSign } from './marks.ts';

/** Maximum entries of a part in a line each, and lines of a list. With more than `roomy` entries, clauses are short. */
const most = { listed: 18, lines: 4, roomy: 5 } as const;

/** Minimum number of columns of a terminal for all columns of a table. */
const roomForAll = 96;

/** Returns a report for a terminal: counting entries in full, the rest in a line each, and the verdict last. */
export function documentText(document: ReportDocument, display: ReportDisplay): string {
  const facts = document.facts.map(({ name, value }) => `${name.toLowerCase()} ${value}`).join(', ');
  const head: Line = [styled('strong', `${tool.name} ${tool.version}`), styled('faint', `  ${facts}`)];
  return paint([head, ...documentLines(document, display)], display.colour);
}

/** Returns the lines of the report without the first. */
export function documentLines(document: ReportDocument, display: ReportDisplay): Line[] {
  const { columns, verbose, files = [] } = display;
  const page = pageWidth(columns);
  const figures = compact([...document.figures, files.length > 0 && { name: 'Reports', lines: [files.join(', ')] }]);
  const lines = [
    ...document.parts
      .filter(part => isShown(part, 'terminal') || (verbose && isShown(part, 'verbose')))
      .flatMap(part => partLines(part, document, display, page)),
    ...verdictLines(document, page),
    ...figures.flatMap(({ name, lines }) =>
      labelled(
        name.toLowerCase(),
        lines.flatMap(text => wrapped(text, page - 15)),
        2,
      ),
    ),
  ];
  return lines[0]?.length === 0 ? lines.slice(1) : lines;
}

function verdictLines({ verdict, beside, sentences }: ReportDocument, page: number): Line[] {
  const [sign, style] = terminalSign(verdict.kind);
  const word = `${sign} ${verdict.word.replace(/^[^(]*/, word => word.toUpperCase())}${beside === undefined ? '' : ` · ${beside}`}`;
  const isBeside = page - word.length > 30;
  const indent = isBeside ? word.length + 2 : 2;
  const lines = sentences.flatMap(text => indented(indent, text, page));
  const [[, ...first] = [], ...others] = lines;
  return isBeside ? [[], [styled(style, word), '  ', ...first], ...others] : [[], [styled(style, word)], ...lines];
}

/** Returns a part, unless it is empty. Parts at the head have no heading. */
function partLines(part: Part, document: ReportDocument, display: ReportDisplay, page: number): Line[] {
  const { title, note, isHead, rows = [], table, entries = [], lines = [], commands = [], empty } = part;
  const more = (count: number): Line[] => (count > 0 ? [[`  and ${count} more in ${document.rest}`]] : []);
  const body = [
    ...rows.flatMap(row => rowLines(row, document.rest, page)),
    ...(!table || table.rows.length === 0 ? [] : tableLines(table, page)),
    ...(part.isIndex
      ? entries.slice(0, most.listed).flatMap(entry => indexLine(entry, page))
      : entriesLines(entries, document, display, page)),
    ...(part.isIndex ? more(entries.length - most.listed) : []),
    ...(entries.length + rows.length === 0
      ? []
      : commands.map(({ name, text }): Line => [styled('faint', `  ${name}:  `), text])),
    ...lines.slice(0, most.lines).flatMap(text => indented(2, text, page)),
    ...more(lines.length - most.lines),
  ];
  if (body.length === 0) return empty === undefined ? [] : [[], [empty]];
  const worst = entries.find(({ counts }) => counts) ?? entries[0];
  return [
    ...(isHead ? [[]] : heading(title.toUpperCase(), worst ? styleOf(worst, 'strong') : 'strong')),
    ...(note === undefined ? [] : indented(2, note, page)),
    ...body,
  ];
}

const styleOf = ({ mark: { kind } }: Entry, otherwise: Style): Style =>
  kind === 'open' ? otherwise : terminalSign(kind)[1];

function rowLines(row: Row, rest: string, page: number): Line[] {
  const { mark, name, text, about = [], remedy, command } = row;
  const [sign, style] = terminalSign(mark.kind);
  const head = styled(style, `  ${sign} `);
  const width = page - 4;
  return compact([
    ...headed(head, wrapped(compact([name, text, ...about]).join('  '), width)),
    ...remedyLines(remedy, page),
    command !== undefined && [
      styled('faint', '    to send: '),
      command.length <= width - 9
        ? command
        : `${fitted(command.replace(/ [{[].*/s, ''), width - 37)} (body: see ${rest})`,
    ],
  ]);
}

/** Returns the rows of a table. Rows without differences share a line that names them. */
function tableLines({ columns: all, rows }: Table, page: number): Line[] {
  const same = rows.filter(({ isSame }) => isSame);
  const head = { cells: all.map(({ name }) => ({ text: name.toLowerCase() })) };
  const differing = rows.filter(({ isSame }) => !isSame);
  const shown = differing.length === 0 ? [] : [head, ...differing];
  const textOf = ({ mark, text = '' }: Cell = {}): string =>
    mark ? `${terminalSign(mark.kind)[0]} ${mark.word}` : text;
  // A column without texts has only links for a page: skip it here.
  const filled = [...all.keys()].filter(index => differing.some(({ cells }) => textOf(cells[index]) !== ''));
  const widthOf = (index: number): number => Math.max(...shown.map(({ cells }) => textOf(cells[index]).length)) + 2;
  // What matters less stands where nothing else is cut for it.
  const isRoomy = page >= roomForAll && filled.reduce((sum, index) => sum + widthOf(index), 0) <= page;
  const at = filled.filter(index => all[index]?.kind !== 'minor' || isRoomy);
  const widths = at.map(widthOf);
  const line = (row: TableRow): Line => {
    let room = page - 2;
    return at.flatMap((index, place) => {
      const { kind } = all[index] ?? {};
      const cell = row.cells[index];
      const width = widths[place] ?? 0;
      const isNumber = kind === 'number' || kind === 'minor';
      const text = fitted(isNumber ? textOf(cell).padStart(width - 2) : textOf(cell), Math.max(1, room));
      const plain = row === head || kind === 'text' ? 'faint' : undefined;
      const style = cell?.mark ? terminalSign(cell.mark.kind)[1] : plain;
      room -= width;
      return [
        place === 0 ? '  ' : '',
        !style || text === '' ? text : styled(style, text),
        ' '.repeat(width - text.length),
      ];
    });
  };
  const words = [...grouped(same, ({ cells }) => cells.find(({ mark }) => mark)?.mark?.word ?? '')]
    .map(([word, own]) => `${own.length} ${word}`)
    .join(', ');
  return [
    ...shown.map(line),
    ...(same.length === 0 ? [] : indented(2, `${counted(same.length, 'endpoint')} unchanged: ${words}`, page)),
  ];
}

/** Returns entries: as many counting ones in full as there is room for, the others in a line each. */
function entriesLines(
  entries: readonly Entry[],
  { parts, rest, whole: usual }: ReportDocument,
  { maxFailures = usual, verbose }: ReportDisplay,
  page: number,
): Line[] {
  const whole = new Set(entries.filter(({ counts }) => counts).slice(0, maxFailures));
  const left = entries.filter(entry => entry.counts && !whole.has(entry)).length;
  // If another part lists all entries, do not list here those without room.
  const isListed = parts.some(({ isIndex }) => isIndex);
  const shown = entries
    .filter(({ counts }) => !isListed || !counts || left === 0 || whole.size > 0)
    .filter(entry => whole.has(entry) || !isListed || !entry.counts)
    .slice(0, Math.max(most.listed, whole.size));
  const detail = verbose ? 'whole' : whole.size > most.roomy ? 'crowded' : 'short';
  const more = isListed ? 0 : entries.length - shown.length;
  return compact([
    ...shown.flatMap((entry, index) =>
      whole.has(entry)
        ? compact([!(index === 0 && !isListed) && [], ...entryLines(entry, page, detail)])
        : listedLines(entry, page),
    ),
    ...(isListed && left > 0 ? [[], [styled('bad', `  ${left} more: see --max-failures all`)]] : []),
    more > 0 && [`  and ${more} more in ${rest}`],
  ]);
}
