import { isJson, isObject, parsedJson } from '../../contracts/json.ts';
import { exactPointer, jsonAt } from '../../contracts/json-tree.ts';
import { same, steps } from '../../contracts/pointer.ts';
import type { Discrepancy } from '../../contracts/report/evidence.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { singleQuoted } from '../text/shell.ts';
import { deviationOf } from '../text/symptom.ts';
import type { ShellParts } from './request-lines.ts';

/** The required shape of a value: as a filter of jq, and as a predicate. */
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

/** Returns the shape of values that have one of some shapes. */
const oneOf = (shapes: readonly Shape[]): Shape => ({
  filter: shapes.map(({ filter }) => `(${filter})`).join(' or '),
  has: value => shapes.some(({ has }) => has(value)),
});

/** Returns the shape that a keyword of JSON Schema requires; undefined if a script does not judge that keyword. */
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
 * Shell lines that judge the accused answer, `$work/answer` with the status `$status`. They call `there`, `gone` or
 * `unknown`.
 */
export type Judgement = readonly string[];

const unclear = 'unknown "status $status"';

/** Returns a judgement by patterns of the status, the first that matches; any other status is unknown. */
const byStatus = (
  ...rows: readonly (readonly [pattern: string, verdict: 'there' | 'gone' | 'unclear'])[]
): Judgement => [
  'case $status in',
  ...rows.map(([pattern, verdict]) => `  ${pattern}) ${verdict === 'unclear' ? unclear : verdict} ;;`),
  `  *) ${unclear} ;;`,
  'esac',
];

/**
 * Returns the row of the statuses that a wrong key, another server or a limit may have caused: they are no proof that a
 * defect is gone, or there. What is about keys, or about no field, may be refused so.
 */
const byCircumstance = (finding: ReportedFinding): [pattern: string, verdict: 'unclear'][] => {
  const { requirement, counterexample, exchange } = finding;
  const statuses = counterexample?.pointer ? [401, 403, 404, 429] : [401, 429];
  // Where the accused answer has such a status, it is the defect.
  const isAccused = statuses.includes(exchange?.response?.status ?? 0);
  return /^auth\./.test(requirement) || isAccused ? [] : [[statuses.join('|'), 'unclear']];
};

const mustSucceed = 'case $status in 2??) ;; *) unknown "status $status" ;; esac';

/** Returns the command that tells by its exit code whether a filter of jq holds for the accused answer. */
export const jq = (filter: string, ...options: string[]): string =>
  `jq -e ${[...options, singleQuoted(filter)].join(' ')} "$work/answer" >/dev/null 2>&1`;

/** Returns the line that keeps a JSON text in a file; `slurp` gives it to a filter as `$NAME[0]`. */
export const keep = (name: string, json: string, { written }: ShellParts): string =>
  `{ ${written(json)}; } >"$work/${name}"`;

/** Returns the option of jq that reads a kept file. */
export const slurp = (name: string): string => `--slurpfile ${name} "$work/${name}"`;

/** Returns a judgement by a filter of jq that is true if the answer is right. */
export const byFilter = (filter: string, ...options: string[]): Judgement => [
  mustSucceed,
  jq(filter, ...options),
  // Exit code 3: this jq cannot compile the filter.
  'case $? in 0) gone ;; 3) unknown "this jq does not understand the filter" ;; *) there ;; esac',
];

/** Returns the steps of a jq path. */
const jqSteps = (pointer: string): (string | number)[] =>
  steps(pointer).map(step => (/^(0|[1-9]\d{0,9})$/.test(step) ? Number(step) : step));

/** Returns the filter of jq for the value at a place. */
export const valueAt = (pointer: string): string => `getpath(${JSON.stringify(jqSteps(pointer))})`;

/** Requirements on the frame, each as a filter of jq over a right body. */
// biome-ignore format: a table
const frames: Readonly<Record<string, string>> = {
  'envelope.json':        'true',
  'envelope.success-2xx': 'true',
  'envelope.object':      'type == "object"',
};

/** Returns the JSON text of the expected value, if the finding has it. */
export const wantedJson = ({ fault }: ReportedFinding): string | undefined => JSON.stringify(fault?.expected);

/**
 * Judges the shape of the value at a place. Without a value it is unknown. A list inside an entity is an exception:
 * without that item it has no misshapen one.
 */
function judgeShape(place: string, filter: string): Judgement {
  const path = jqSteps(place);
  const last = path.pop();
  const parent = `getpath(${JSON.stringify(path)})`;
  const isItem = typeof last === 'number' && path.length > 1;
  const isRight = `${valueAt(place)} | ${filter}`;
  return [
    isItem
      ? `${jq(`${parent} | type == "array"`)} || unknown "the answer has no list there"`
      : `${jq(`${parent} | has(${JSON.stringify(last)})`)} || unknown "the answer has nothing there"`,
    ...byFilter(isItem ? `(${isRight}) or (${parent} | length <= ${last})` : isRight),
  ];
}

/** Returns the place of the accused value in the recorded answer, and its JSON text; undefined if neither is known. */
function accusedIn({ pointer, fault, exchange, accused }: ReportedFinding) {
  const body = exchange?.response?.body.text ?? '';
  const got = JSON.stringify(fault?.got);
  const place = exactPointer(body, pointer, got);
  if (steps(place).includes('*')) return undefined;
  const shown = jsonAt(body, place);
  // If the position is unknown, the first item stands in for the accused one.
  const isThatItem = !steps(pointer).includes('*') || shown === got;
  return { place, isThatItem, shown: isThatItem ? (shown ?? accused) : undefined };
}

function sameJson(one: string, other: string): boolean {
  const [a, b] = [parsedJson(one), parsedJson(other)];
  return a !== undefined && b !== undefined && same(a, b);
}

/** Judges by the value at the accused place; undefined if the recorded answer would pass. */
function judgeValue(finding: ReportedFinding, parts: ShellParts): Judgement | undefined {
  const { fault } = finding;
  const found = accusedIn(finding);
  if (!found || !fault) return undefined;
  const { place, isThatItem, shown } = found;
  const here = valueAt(place);
  if (fault.kind === 'missing') {
    if (shown !== undefined) return undefined;
    const parent = valueAt(place.slice(0, place.lastIndexOf('/')));
    return byFilter(`${parent} | type == "object" and has(${JSON.stringify(steps(place).at(-1))})`);
  }
  const shape = fault.constraint && shapeOf(fault.constraint);
  if (shape) {
    const value = parsedJson(shown ?? '');
    if (value !== undefined && shape.has(value)) return undefined;
    return judgeShape(place, shape.filter);
  }
  if (!isThatItem) return undefined;
  const wanted = wantedJson(finding);
  if (wanted !== undefined) {
    if (shown !== undefined && sameJson(shown, wanted)) return undefined;
    return [keep('expected', wanted, parts), ...byFilter(`${here} == $expected[0]`, slurp('expected'))];
  }
  // The right value is unknown: only require another one than was shown.
  if (shown === undefined || !isJson(shown)) return undefined;
  return [keep('wrong', shown, parts), ...byFilter(`${here} != $wrong[0]`, slurp('wrong'))];
}

/** Returns how to tell whether the defect of a finding is there; undefined if a script cannot. */
export function judgementOf(finding: ReportedFinding, parts: ShellParts): Judgement | undefined {
  const { requirement, exchange } = finding;
  switch (deviationOf(finding)) {
    case 'accepted':
      return byStatus(...byCircumstance(finding), ['2??|5??', 'there'], ['4??', 'gone']);
    case 'refused':
      return byStatus(...byCircumstance(finding), ['2??', 'gone'], ['4??|5??', 'there']);
    case 'failed':
      return byStatus(...byCircumstance(finding), ['5??', 'there'], ['2??|3??|4??', 'gone']);
    case 'unanswered':
      return byStatus(...byCircumstance(finding), ['000', 'there'], ['[1-5]??', 'gone']);
    case 'value':
      return judgeValue(finding, parts);
    case 'frame': {
      if (requirement === 'envelope.status-200') return byStatus(['200', 'gone'], ['2??', 'there']);
      const filter = Object.hasOwn(frames, requirement) ? frames[requirement] : undefined;
      if (filter === undefined || !exchange) return undefined;
      // Without `-s` jq would ignore an empty body, and judge only the last of several texts.
      return byFilter(`length == 1 and (.[0] | ${filter})`, '-s');
    }
  }
}

/** Maximum pages of a list, and readings of it, because a new entity may appear late. */
const most = { pages: 200, readings: 3 } as const;

/**
 * Returns lines that walk the list of the accused answer. `whole` runs on each page, and may return. The pages are
 * counted so that an endless list ends the script.
 */
const walkLines = (sendPage: string, whole: readonly string[]): Judgement => [
  'walk() {',
  '  query= pages=0 items=0',
  `  while [ $pages -lt ${most.pages} ]; do`,
  `    ${sendPage}`,
  `    ${mustSucceed}`,
  '    items=$((items + $(jq ".data | length" "$work/answer"))) || unknown "the answer is no list"',
  ...whole.map(line => `    ${line}`),
  `    next=$(jq -r '.pagination.nextPage // "" | tostring' "$work/answer")`,
  // Follow only the query of a link.
  `    case $next in *\\?*) query="?\${next#*\\?}" ;; *) return 1 ;; esac`,
  '    pages=$((pages + 1))',
  '  done',
  '  unknown "the list has no end"',
  '}',
];

/**
 * Returns how a script tells whether a created metric is listed or counted on all pages of the list together. Undefined
 * if the finding does not name the metric. `sendPage` is the line that reads the page of `$query`.
 */
export function judgeListed(finding: ReportedFinding, parts: ShellParts, sendPage: string): Judgement | undefined {
  if (finding.pointer === '/pagination/totalItems')
    return [
      ...walkLines(sendPage, []),
      'walk',
      `if ${jq('.pagination.totalItems == $items', '--argjson items "$items"')}; then gone; else there; fi`,
    ];
  const id = finding.fault?.kind === 'missing' ? wantedJson(finding) : undefined;
  if (id === undefined) return undefined;
  const isListed = jq('[.data[].id] | index($expected[0]) != null', slurp('expected'));
  return [
    keep('expected', id, parts),
    ...walkLines(sendPage, [`if ${isListed}; then return 0; fi`]),
    'readings=0',
    'until walk; do',
    '  readings=$((readings + 1))',
    `  [ $readings -lt ${most.readings} ] || there`,
    '  sleep 1',
    'done',
  ];
}
