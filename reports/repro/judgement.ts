import { isJson, isObject } from '../../contracts/json.ts';
import { exactPointer, jsonAt } from '../../contracts/json-tree.ts';
import { same, steps } from '../../contracts/pointer.ts';
import type { Discrepancy } from '../../contracts/report/evidence.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { singleQuoted } from '../text/shell.ts';
import { deviationOf } from '../text/symptom.ts';
import type { ShellParts } from './request-lines.ts';

/** What a value must be: as a filter of jq, and as what is true of it. */
interface Shape {
  readonly filter: string;
  readonly has: (value: unknown) => boolean;
}

// biome-ignore format: a table
const types: Readonly<Record<string, Shape>> = {
  object:  { filter: 'type == "object"',                has: value => isObject(value) },
  array:   { filter: 'type == "array"',                 has: Array.isArray },
  string:  { filter: 'type == "string"',                has: value => typeof value === 'string' },
  number:  { filter: 'type == "number"',                has: value => typeof value === 'number' },
  integer: { filter: 'type == "number" and floor == .', has: Number.isInteger },
  boolean: { filter: 'type == "boolean"',               has: value => typeof value === 'boolean' },
  null:    { filter: 'type == "null"',                  has: value => value === null },
};

/** The shape that one of some shapes has. */
const oneOf = (shapes: readonly Shape[]): Shape => ({
  filter: shapes.map(({ filter }) => `(${filter})`).join(' or '),
  has: value => shapes.some(({ has }) => has(value)),
});

/** Returns the shape that a keyword of JSON Schema asks for; undefined where a script does not judge that keyword. */
export function shapeOf({ keyword, limit }: NonNullable<Discrepancy['constraint']>): Shape | undefined {
  if (!Array.isArray(limit)) return undefined;
  if (keyword === 'enum') {
    const filter = `. as $value | any(${JSON.stringify(limit)}[]; . == $value)`;
    return { filter, has: value => limit.some(one => same(one, value as typeof one)) };
  }
  const known = limit.flatMap(name => (Object.hasOwn(types, name) ? [types[name] as Shape] : []));
  return keyword === 'type' && known.length === limit.length ? oneOf(known) : undefined;
}

/**
 * How a script tells from the accused answer, `$work/answer` with the status `$status`, whether the defect is there: as
 * lines of shell that call `there`, `gone` or `unknown`.
 */
export type Judgement = readonly string[];

/** Returns a list of patterns of the status, each with what it means; anything else cannot be told. */
const byStatus = (...rows: readonly (readonly [pattern: string, verdict: 'there' | 'gone'])[]): Judgement => [
  'case $status in',
  ...rows.map(([pattern, verdict]) => `  ${pattern}) ${verdict} ;;`),
  '  *) unknown "status $status" ;;',
  'esac',
];

/** Returns lines that tell by a filter of jq, which is true where the answer is as it should be. */
export const byFilter = (filter: string, ...options: string[]): Judgement => [
  'case $status in 2??) ;; *) unknown "status $status" ;; esac',
  `jq -e ${[...options, singleQuoted(filter)].join(' ')} "$work/answer" >/dev/null 2>&1`,
  // 3: another jq than this is written for.
  'case $? in 0) gone ;; 3) unknown "this jq does not understand the filter" ;; *) there ;; esac',
];

/** Returns the path of jq to a place. */
export const pathOf = (pointer: string): string =>
  JSON.stringify(steps(pointer).map(step => (/^(0|[1-9]\d{0,9})$/.test(step) ? Number(step) : step)));

/** Frames of answers: what is right, as a filter of jq over the body. */
// biome-ignore format: a table
const frames: Readonly<Record<string, string>> = {
  'envelope.json':        'true',
  'envelope.success-2xx': 'true',
  'envelope.object':      'type == "object"',
};

/** Returns the JSON text of the value that was expected, where the finding has it. */
export const wantedJson = ({ fault }: ReportedFinding): string | undefined => JSON.stringify(fault?.expected);

/**
 * Lines that end the script where an answer has nothing at a place: of what is not there no shape can be told. A list
 * within an entity that has no such item has none of the wrong shape.
 */
function mustBeThere(pointer: string): Judgement {
  const parent = pathOf(pointer.slice(0, pointer.lastIndexOf('/')));
  const [last] = JSON.parse(pathOf(pointer)).slice(-1);
  if (typeof last === 'number' && steps(pointer).length > 2)
    return [
      `jq -e ${singleQuoted(`getpath(${parent}) | type == "array"`)} "$work/answer" >/dev/null 2>&1 || unknown "the answer has no list there"`,
    ];
  const filter = `getpath(${parent}) | has(${JSON.stringify(last)})`;
  return [`jq -e ${singleQuoted(filter)} "$work/answer" >/dev/null 2>&1 || unknown "the answer has nothing there"`];
}

/** True, as a filter, where a list is too short to have an item at this position. */
const absentItem = (pointer: string): string => {
  const [last] = steps(pointer).slice(-1);
  return `(getpath(${pathOf(pointer.slice(0, pointer.lastIndexOf('/')))}) | length <= ${last})`;
};

/** Where the accused value stands in the answer of the report, and its JSON text; undefined where none of it is known. */
function accusedIn({ pointer, fault, exchange, accused }: ReportedFinding) {
  const body = exchange?.response?.body.text ?? '';
  const got = JSON.stringify(fault?.got);
  const place = exactPointer(body, pointer, got);
  if (steps(place).includes('*')) return undefined;
  const shown = jsonAt(body, place);
  // Of several items the first stands in for the accused one where that is not told.
  const isThatItem = !steps(pointer).includes('*') || shown === got;
  return { place, isThatItem, shown: isThatItem ? (shown ?? accused) : undefined };
}

const sameJson = (one: string, other: string): boolean =>
  isJson(one) && isJson(other) && same(JSON.parse(one), JSON.parse(other));

/** Tells by the value at the accused place; undefined where that would not condemn the answer that the report shows. */
function judgeValue(finding: ReportedFinding, { written }: ShellParts): Judgement | undefined {
  const { fault } = finding;
  const found = accusedIn(finding);
  if (found === undefined || fault === undefined) return undefined;
  const { place, isThatItem, shown } = found;
  const here = `getpath(${pathOf(place)})`;
  if (fault.kind === 'missing') {
    if (shown !== undefined) return undefined;
    const parent = pathOf(place.slice(0, place.lastIndexOf('/')));
    const [name] = steps(place).slice(-1);
    return byFilter(`getpath(${parent}) | type == "object" and has(${JSON.stringify(name)})`);
  }
  const shape = fault.constraint && shapeOf(fault.constraint);
  if (shape !== undefined) {
    if (shown !== undefined && isJson(shown) && shape.has(JSON.parse(shown))) return undefined;
    const [last] = steps(place).slice(-1);
    const isItem = /^\d+$/.test(last ?? '') && steps(place).length > 2;
    const { filter } = shape;
    return [
      ...mustBeThere(place),
      ...byFilter(isItem ? `(${here} | ${filter}) or ${absentItem(place)}` : `${here} | ${filter}`),
    ];
  }
  if (!isThatItem) return undefined;
  const wanted = wantedJson(finding);
  if (wanted !== undefined) {
    if (shown !== undefined && sameJson(shown, wanted)) return undefined;
    return [
      `{ ${written(wanted)}; } >"$work/expected"`,
      ...byFilter(`${here} == $expected[0]`, '--slurpfile expected "$work/expected"'),
    ];
  }
  // Nothing says what would be right: only that it is not what came then.
  if (shown === undefined || !isJson(shown)) return undefined;
  return [
    `{ ${written(shown)}; } >"$work/wrong"`,
    ...byFilter(`${here} != $wrong[0]`, '--slurpfile wrong "$work/wrong"'),
  ];
}

/** Returns how to tell whether the defect of a finding is there; undefined where a script cannot. */
export function judgementOf(finding: ReportedFinding, parts: ShellParts): Judgement | undefined {
  const { requirement, exchange } = finding;
  switch (deviationOf(finding)) {
    case 'accepted':
      return byStatus(['2??|5??', 'there'], ['4??', 'gone']);
    case 'refused':
      return byStatus(['2??', 'gone'], ['4??|5??', 'there']);
    case 'failed':
      return byStatus(['5??', 'there'], ['2??|3??|4??', 'gone']);
    case 'unanswered':
      return byStatus(['000', 'there'], ['[1-5]??', 'gone']);
    case 'value':
      return judgeValue(finding, parts);
    case 'frame': {
      if (requirement === 'envelope.status-200') return byStatus(['200', 'gone'], ['2??', 'there']);
      const filter = Object.hasOwn(frames, requirement) ? frames[requirement] : undefined;
      if (filter === undefined || exchange === undefined) return undefined;
      // Of an empty body, or of several texts, jq would tell nothing, or the last.
      return byFilter(`length == 1 and (.[0] | ${filter})`, '-s');
    }
  }
}

/** The pages of a list are read at most so often, and the list, for what was created may be shown late. */
const most = { pages: 200, readings: 3 } as const;

/**
 * Lines that walk the list of the accused answer: `whole` is run on each page, and may return; the pages are counted so
 * that a list without an end ends the script.
 */
const walkLines = (sendPage: string, whole: readonly string[]): Judgement => [
  'walk() {',
  '  query= pages=0 items=0',
  `  while [ $pages -lt ${most.pages} ]; do`,
  `    ${sendPage}`,
  '    case $status in 2??) ;; *) unknown "status $status" ;; esac',
  '    items=$((items + $(jq ".data | length" "$work/answer"))) || unknown "the answer is no list"',
  ...whole.map(line => `    ${line}`),
  `    next=$(jq -r '.pagination.nextPage // "" | tostring' "$work/answer")`,
  // Of a link only the query is followed.
  `    case $next in *\\?*) query="?\${next#*\\?}" ;; *) return 1 ;; esac`,
  '    pages=$((pages + 1))',
  '  done',
  '  unknown "the list has no end"',
  '}',
];

/**
 * Returns how a script tells whether what it created is listed, or counted, on all pages of the list together; undefined
 * where the finding does not say which metric that is. `sendPage` is the line that reads the page of `$query`.
 */
export function judgeListed(finding: ReportedFinding, parts: ShellParts, sendPage: string): Judgement | undefined {
  if (finding.pointer === '/pagination/totalItems')
    return [
      ...walkLines(sendPage, []),
      'walk',
      `if jq -e --argjson items "$items" '.pagination.totalItems == $items' "$work/answer" >/dev/null 2>&1; then gone; else there; fi`,
    ];
  const id = finding.fault?.kind === 'missing' ? wantedJson(finding) : undefined;
  if (id === undefined) return undefined;
  const filter = singleQuoted('[.data[].id] | index($expected[0]) != null');
  return [
    `{ ${parts.written(id)}; } >"$work/expected"`,
    ...walkLines(sendPage, [
      `if jq -e --slurpfile expected "$work/expected" ${filter} "$work/answer" >/dev/null 2>&1; then return 0; fi`,
    ]),
    'readings=0',
    'until walk; do',
    '  readings=$((readings + 1))',
    `  [ $readings -lt ${most.readings} ] || there`,
    '  sleep 1',
    'done',
  ];
}
