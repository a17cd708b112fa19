import { compact } from '../../contracts/present.ts';
import { tool } from '../../contracts/report/tool.ts';
import { boundedBody, differingPart, markedDifference } from '../text/finding-text.ts';
import { foldedJson } from '../text/folded-json.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import {
  type Entry,
  type Group,
  type Item,
  isShown,
  type Message,
  type Pair,
  type Part,
  type ReportDocument,
  type Step,
  type Table,
} from './document.ts';
import { requestText } from './evidence.ts';
import { htmlDocument, type PageFiles, renderer } from './frame.ts';
import { legend } from './marks.ts';
import { script } from './script.ts';
import { templates } from './templates.ts';

/**
 * Maximum numbers on a page. Of a part: its entries, those whose items have requests, and unfolded ones. Of an entry:
 * its items, those with a line of their own, those with requests, and so on.
 */
// biome-ignore format: a table
const most = {
  entries: 300, wholeEntries: 60, open: 3, items: 1_000, ownLine: 15, wholeItems: 12, lists: 200, tags: 12,
  note: 160, value: 1_000, line: 110, shown: 120, command: 20_000,
} as const;

const inStep = { lines: 30, columns: 300, empty: '(empty body)' } as const;
const alone = { ...inStep, lines: 60 } as const;
/** Maximum size of the shown part around an accused value. */
const around = { lines: 40, columns: 300 } as const;

const render = renderer(templates);

/** Returns a report as one HTML document that needs no other files but those named. */
export function documentHtml(document: ReportDocument, files?: PageFiles): string {
  const parts = document.parts
    .filter(part => isShown(part, 'page'))
    .map(part => partView(part, document))
    .filter(({ count, isHead, note, empty, table }) => count > 0 || (isHead && note) || empty !== undefined || table);
  const body = render('@page', {
    ...document,
    ...(document.home === undefined ? {} : { home: { href: document.home } }),
    head: parts.filter(({ isHead }) => isHead),
    parts: parts.filter(({ isHead }) => !isHead),
    contents: parts.map(({ id, title, entries }) => ({ id, title, count: entries.length || '' })),
    kinds: legend,
    tool: `${tool.name} ${tool.version}`,
  });
  return htmlDocument({ title: document.title, body, script: document.filter && script, files });
}

/** Returns how many items are left out, in words; undefined if none is. */
const more = (count: number, shown: number, rest: string): string | undefined =>
  count > shown ? `${count - shown} more in ${rest}.` : undefined;

function partView(part: Part, { rest }: ReportDocument) {
  const { entries = [], groups = [], lines = [], rows = [], table, empty } = part;
  const count = entries.length + groups.length + lines.length + rows.length + (table?.rows.length ?? 0);
  return {
    ...part,
    count,
    empty: count === 0 ? empty : undefined,
    table: !table || table.rows.length === 0 ? undefined : tableView(table),
    entries: entries.slice(0, most.entries).map((entry, index) => entryView(entry, index, rest)),
    groups: groups.map(groupView),
    lines: lines.slice(0, most.lists).map(line => safeText(line, alone.columns)),
    more: more(entries.length, most.entries, rest) ?? more(lines.length, most.lists, rest),
  };
}

function tableView({ rows, ...table }: Table) {
  const same = rows.filter(({ isSame }) => isSame);
  const sameTitle = `${counted(same.length, 'endpoint')} unchanged`;
  return { ...table, rows: rows.filter(({ isSame }) => !isSame), same, sameTitle };
}

const groupView = ({ items = [], ...group }: Group) => ({
  ...group,
  items: items.slice(0, most.lists),
  more: items.length > most.lists ? `and ${items.length - most.lists} more` : '',
});

function entryView(entry: Entry, index: number, rest: string) {
  const { endpoints, tags = [], items, label, place } = entry;
  const shown = items.slice(0, most.items);
  const views = shown.map((item, at) => ({
    ...itemView(item, index < most.wholeEntries && at < most.wholeItems, rest),
    kind: entry.mark.kind,
    // An item without requests is short.
    isOpen: at === 0 ? index < most.open && entry.counts : item.steps.length === 0,
  }));
  return {
    ...entry,
    said: compact([label, place]),
    tags: [{ title: '', items: endpoints.map(text => ({ text })) }, ...tags]
      .filter(list => list.items.length > 0)
      .map(list => ({ ...list, isLong: list.items.length > most.tags })),
    first: views.slice(0, most.ownLine),
    others: views.slice(most.ownLine),
    elsewhere: more(items.length, shown.length, rest),
  };
}

/** Returns the view of an item, with or without its requests, and where to find the rest. */
function itemView(item: Item, isWhole: boolean, rest: string) {
  const {
    where,
    note,
    about,
    because,
    pairs,
    more: others = [],
    difference,
    example,
    steps,
    race = [],
    commands = [],
  } = item;
  const [first, second] = pairs;
  const isNarrow = pairs.length > 0 && pairs.every(({ name }) => name.length < 3);
  const sendable = commands.filter(({ text }) => text.length <= most.command);
  const [single] = isWhole && steps.length === 1 && steps[0]?.number === undefined ? steps : [];
  return {
    ...item,
    where: safeText(where, most.value),
    note: safeText(note, most.note),
    isNarrow,
    isBare: pairs.length + steps.length + commands.length === 0 && because === undefined,
    said: compact([about, because, example]),
    pairs:
      !first || !second || pairs.length > 2
        ? [...pairs, ...others]
        : [markedIn(first, second), markedIn(second, first), ...others],
    difference: difference && markedDifference(difference),
    single: single && stepView(single, alone),
    steps: isWhole && !single ? steps.map(step => stepView(step, inStep)) : [],
    race,
    commands: (isWhole ? sendable : sendable.slice(-1)).map(({ name, text }) => ({ name, lines: text.split('\n') })),
    elsewhere:
      !isWhole && steps.length > 0
        ? `Request, answer and curl line: see ${rest}.`
        : sendable.length < commands.length
          ? `The curl line is long: see ${rest}.`
          : undefined,
  };
}

/** Returns a value split around the part in which it differs from another; unmarked if they have little in common. */
function markedIn({ name, value, own = value, kind }: Pair, other: Pair) {
  const [shown, mine, others] = [value, own, other.own ?? other.value].map(text => safeText(text, most.value));
  const characters = Array.from(shown ?? '');
  const part = differingPart(others ?? '', mine ?? '');
  if (!part) return { name, value: shown, kind };
  const shift = characters.length - Array.from(mine ?? '').length;
  const cut = (from: number, to?: number): string => characters.slice(from, to).join('');
  const [from, to] = [part.from + shift, part.to + shift];
  return { name, value: shown, kind, marked: { before: cut(0, from), odd: cut(from, to), after: cut(to) } };
}

type Bounds = typeof inStep | typeof alone;

function stepView({ number, requests, answers, shown, isOpen }: Step, bounds: Bounds) {
  const [request] = requests;
  const came = answers.map(({ letter, brief }) => `${letter} ${brief}`.trim()).join(', ');
  const views = [requests, answers].map(side => side.map(message => messageView(message, bounds)));
  return {
    number,
    isOpen,
    line: `${request ? requestText(request, most.line) : ''} → ${came}`,
    shown: shown === undefined ? undefined : safeText(shown, most.shown),
    // One answer stands beside its request; several stand beside one another.
    sides: requests.length + answers.length === 2 ? [views.flat()] : views,
  };
}

/** Returns a message with its body folded around the accused place; without such a place, as much as fits. */
function messageView({ label, line, headers, body, place, accused }: Message, bounds: Bounds) {
  const { body: lines, note } = body ? boundedBody(body, bounds) : { body: [] };
  const head = { label, line, headers, accused };
  const folded = !body || place === undefined ? undefined : foldedJson(body.text, place, around);
  if (!body || !folded?.some(one => one.accused))
    return { ...head, lines: lines.map(text => ({ text, accused: false })), note };
  const whole = { title: `All of the body, ${counted(Buffer.byteLength(body.text), 'byte')}`, lines };
  return { ...head, lines: folded, note, ...(folded.length < lines.length ? { whole } : {}) };
}
