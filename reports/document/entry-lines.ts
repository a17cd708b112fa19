import { compact } from '../../contracts/present.ts';
import { markedLines } from '../text/finding-text.ts';
import {
  counted,
  fitted,
  headed,
  indented,
  type Line,
  entry as labelled,
  proseWidth,
  styled,
  wrapped,
} from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { endpointsText } from '../text/verdict-text.ts';
import { clauseText, type Entry, type Item, itemText, type Pair } from './document.ts';
import { exchangeLines, stepLines } from './evidence.ts';
import { terminalSign } from './marks.ts';
import { ruleText } from './plain.ts';

/** Lays out entries at a terminal. */

/**
 * Maximum lines of a title, of listed names, and of a sequence, alone or of two servers; maximum characters of a
 * command.
 */
const most = { title: 3, lines: 4, ownSteps: 3, steps: 5, command: 3_000 } as const;

const all = Number.POSITIVE_INFINITY;

/** How much of an entry is shown: maximum lines in all, and of its clause, a statement and a race; its items. */
// biome-ignore format: a table
const details = {
  crowded: { isWhole: false, entry: 15,  clause: 1, prose: 2,   race: 6,   items: 3 },
  short:   { isWhole: false, entry: 15,  clause: 2, prose: 2,   race: 6,   items: 3 },
  whole:   { isWhole: true,  entry: all, clause: 8, prose: all, race: all, items: 30 },
} as const;

type Detail = keyof typeof details;

/** Returns the lines of a remedy, if there is one. */
export const remedyLines = (remedy: string | undefined, page: number): Line[] =>
  remedy === undefined ? [] : indented(4, `→ ${remedy}`, page, 'strong');

const titleOf = ({ title, known }: Entry): string =>
  known === undefined ? title : `known (${safeText(known, 40)}): ${title}`;

/** Returns an entry in one line. Its first requirement, or where it shows, is beside or below it. */
export function listedLines(entry: Entry, page: number): Line[] {
  const { id, mark, clauses, place = '', remedy } = entry;
  const [sign, style] = terminalSign(mark.kind);
  const head = `  ${id === undefined ? '' : id.padEnd(4)}${sign} `;
  const width = page - head.length;
  const side = clauses[0]?.id ?? place;
  const title = titleOf(entry);
  const lines = id === undefined ? wrapped(title, width) : [[fitted(title, width)]];
  const isBeside = lines.length === 1 && title.length + side.length + 2 <= width;
  return [
    ...headed(
      styled(style, head),
      isBeside && side !== '' ? lines.map(line => [...line, styled('faint', `  ${side}`)]) : lines,
    ),
    // Several clauses may leave open the same symptom: the clause says what was asked.
    ...(isBeside || side === '' ? [] : indented(head.length, side, page, 'faint')),
    ...remedyLines(remedy, page),
  ];
}

/** Returns an entry in one line that ends with where it shows. */
export function indexLine(entry: Entry, page: number): Line[] {
  const { id = '', mark, endpoints, label, brief = entry.title } = entry;
  const [sign, style] = terminalSign(mark.kind);
  const head = `  ${id.padEnd(4)} ${sign} `;
  const where = endpoints.length > 2 ? `${endpoints[0]} + ${endpoints.length - 1}` : endpointsText(endpoints);
  const side = `${label === undefined ? '' : `  ${label}`}  ${where}`;
  const room = page - head.length - side.length;
  const title = titleOf(entry);
  const text = fitted(title.length > room ? titleOf({ ...entry, title: brief }) : title, room);
  return [[styled(entry.known === undefined ? style : 'careful', head), text.padEnd(room), styled('faint', side)]];
}

/** Cuts lines to a number of them; the last one then says within the width that there was more. */
function beginningOf(lines: readonly Line[], count: number, width: number): Line[] {
  const last = lines[count - 1];
  if (lines.length <= count || !last) return [...lines];
  let room = width - 2;
  const kept = last.map(piece => {
    const text = typeof piece === 'string' ? piece : piece.text;
    // No word is cut in two, so that none reads as another.
    const shown = text.length > room ? text.slice(0, Math.max(0, room + 1)).replace(/\s*\S*$/, '') : text;
    room -= text.length;
    return typeof piece === 'string' ? shown : { ...piece, text: shown };
  });
  return [...lines.slice(0, count - 1), [...kept, ' …']];
}

/**
 * Returns an entry that is understood by itself: what happened, the rule, the request and the answer. It has at most
 * fifteen lines; `crowded`: one line for the rule; `whole`: all of its evidence.
 */
export function entryLines(entry: Entry, page: number, detail: Detail = 'whole'): Line[] {
  const { id, mark, title, label, known, place, clauses, items, tags = [], command, remedy } = entry;
  const limits = details[detail];
  const { isWhole } = limits;
  const width = proseWidth(page);
  const [sign, style] = terminalSign(mark.kind);
  const head = `  ${id === undefined ? '' : `${id} `}${sign} `;
  const room = page - head.length - 2;
  const prose = (text = '', count: number = limits.prose): Line[] =>
    text === '' ? [] : beginningOf(wrapped(text, width), isWhole ? all : count, width);
  const [first, ...others] = items;
  // Without a request to show, the places are all there is.
  const isShort = !first || (first.steps.length === 0 && first.pairs.every(({ kind }) => !kind));
  const at = place ?? (isShort ? undefined : itemText(first));
  const listed = isShort ? items : place === undefined || isWhole ? others : [];
  return [
    ...headed(styled(style, head), beginningOf(wrapped(title, room, style), most.title, room)),
    ...labelled('whose', prose(label)),
    ...labelled(
      'requirement',
      clauses.slice(0, 1).flatMap(clause => clauseLines(clause, width, limits.clause)),
    ),
    ...labelled('at', prose(at, place === undefined ? limits.prose : 1)),
    ...(isShort ? [] : itemLines(first, width, limits)),
    ...labelled(
      isShort ? 'at' : isWhole ? 'also' : 'also at',
      compact([
        ...listed.slice(0, limits.items).flatMap(item => listedItem(item, isShort, width)),
        listed.length > limits.items && [`${listed.length - limits.items} more`],
      ]),
    ),
    ...tags.flatMap(list =>
      labelled(list.title.toLowerCase() || 'about', prose(list.items.map(({ text }) => text).join(', '), most.lines)),
    ),
    ...labelled('evidence', command === undefined ? [] : [[command]]),
    ...remedyLines(remedy, page),
    ...labelled('known', prose(known)),
  ].slice(0, limits.entry);
}

/** Returns a requirement with its statement, which begins with its name because readers look it up. */
function clauseLines(clause: Entry['clauses'][number], width: number, count: number): Line[] {
  const name = clauseText(clause);
  const whole = wrapped(ruleText(clause), width);
  const [[text = '', ...more] = [], ...rest] = beginningOf(whole, count, width);
  const isNamed = typeof text === 'string' && text.startsWith(name);
  return [isNamed ? [styled('strong', name), text.slice(name.length), ...more] : [text, ...more], ...rest];
}

/** Returns an item in one line, which says how it differs from the first; or with its values below it. */
function listedItem(item: Item, isRoomy: boolean, width: number): Line[] {
  const { where, note, because, pairs } = item;
  const values = pairs.map(({ name, value }) => `${name} ${value}`);
  if (!isRoomy) {
    // The symptom of a finding names the case, which its values do not.
    const isFinding = note !== '' && pairs.some(({ kind }) => kind === 'expected');
    return [[fitted(`${where}: ${isFinding ? note : values.join(', ')}`, width)]];
  }
  return [
    ...wrapped(itemText(item), width),
    ...compact([because, ...values]).map((text): Line => [`  ${fitted(text, width - 2)}`]),
  ];
}

/** Returns the expected and received values, how it went, and the commands that send it again. */
function itemLines(item: Item, width: number, limits: (typeof details)[Detail]): Line[] {
  const { about = '', pairs, more = [], example = '', steps, race = [], commands = [] } = item;
  const { isWhole, prose } = limits;
  // Answers side by side show for themselves what each has.
  const areBeside = steps.some(({ answers }) => answers.length > 1);
  const [single] = steps.length === 1 && steps[0]?.number === undefined ? steps : [];
  const last = areBeside ? most.steps - 1 : most.ownSteps;
  const shown =
    isWhole || steps.length <= (areBeside ? most.steps : last)
      ? steps
      : [...(areBeside ? steps.slice(0, 1) : []), ...steps.slice(-last)];
  // The history of a race says more than its single requests.
  const areSaid = race.length > 0 && !isWhole;
  const lines = (label: string, text: string): Line[] =>
    text === '' ? [] : labelled(label, beginningOf(wrapped(text, width), prose, width));
  return [
    ...(isWhole ? lines('check', about) : []),
    ...(areBeside ? [] : comparedLines(pairs, width, prose)),
    ...(isWhole ? more.flatMap(({ name, value }) => lines(name.toLowerCase(), value)) : []),
    ...lines('case', example),
    ...(areSaid || single
      ? []
      : labelled(
          areBeside ? 'sent' : 'steps',
          shown.flatMap(step => stepLines(step, width, step === steps.at(-1))),
        )),
    ...labelled('at once', raceLines(race, width, limits.race)),
    ...(areSaid || !single ? [] : exchangeLines(single, width, isWhole)),
    ...(isWhole ? commands.flatMap(({ name, text }) => labelled(name.toLowerCase(), commandLines(text))) : []),
  ];
}

/** Returns the expected and the received value, with the differing part marked. */
function comparedLines([expected, got]: readonly Pair[], width: number, count: number): Line[] {
  if (!expected || !got) return [];
  const line = (pair: Pair, other: Pair, style: 'good' | 'bad'): Line[] => {
    const { name, value: text, own = text } = pair;
    const compared = { text, own, other: other.own ?? other.value, style };
    return labelled(name.toLowerCase(), beginningOf(markedLines(compared, width, style === 'bad'), count, width));
  };
  return [...line(expected, got, 'good'), ...line(got, expected, 'bad')];
}

/** Returns the history of simultaneous requests, a line each; the last line tells the final state. */
function raceLines(race: readonly string[], width: number, count: number): Line[] {
  const shown = race.length <= count ? race : [...race.slice(0, count - 2), ...race.slice(-1)];
  const told = shown.map((text, index): Line => {
    const line = fitted(text, width);
    return index === shown.length - 1 ? [styled('bad', line)] : [line];
  });
  if (shown.length < race.length) told.splice(-1, 0, [`… ${race.length - shown.length} more`]);
  return told;
}

/** Returns a command on one line, so that it can be copied; one that is too long is left to the report. */
const commandLines = (command: string): Line[] =>
  command.length > most.command
    ? [[styled('faint', `${counted(command.length, 'character')}: see report.json`)]]
    : command.split('\n').map(line => [line]);
