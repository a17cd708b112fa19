import { exactPointer, jsonAt } from '../../contracts/json-tree.ts';
import { steps } from '../../contracts/pointer.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { singleQuoted } from '../text/shell.ts';
import { deviationOf } from '../text/symptom.ts';
import type { ShellParts } from './shell-parts.ts';

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

/** Lines that tell by a filter of jq, which is true where the answer is as it should be. */
const byFilter = (filter: string, ...options: string[]): Judgement => [
  'case $status in 2??) ;; *) unknown "status $status" ;; esac',
  `if jq -e ${[...options, singleQuoted(filter)].join(' ')} "$work/answer" >/dev/null 2>&1; then gone; else there; fi`,
];

/** What a value must be, in the words of a finding, as a filter. */
// biome-ignore format: a table
const shapes: Readonly<Record<string, string>> = {
  'an object':     'type == "object"',
  'an array':      'type == "array"',
  'a string':      'type == "string"',
  'a text':        'type == "string"',
  'a number':      'type == "number"',
  'an integer':    'type == "number" and floor == .',
  'a boolean':     'type == "boolean"',
  'true or false': 'type == "boolean"',
  'null':          'type == "null"',
};

/** The filter for words such as `must be an object or null`; undefined for others. */
function shapeFilter(expected: string): string | undefined {
  const words = expected.replace(/^must be /, '');
  const whole = Object.hasOwn(shapes, words) ? shapes[words] : undefined;
  if (whole !== undefined) return whole;
  const filters = words.split(' or ').map(word => (Object.hasOwn(shapes, word) ? shapes[word] : undefined));
  return filters.includes(undefined) ? undefined : filters.map(filter => `(${filter})`).join(' or ');
}

/** The JSON text that was expected, where the words of a finding hold it: at their beginning, or after a colon. */
export function expectedJson(expected: string): string | undefined {
  const candidates = [
    expected,
    ...[...expected.matchAll(/, /g)].map(({ index }) => expected.slice(0, index)).reverse(),
  ];
  const colon = expected.indexOf(': ');
  if (colon >= 0) candidates.push(expected.slice(colon + 2));
  return candidates.find(isJson);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The path of jq to a place. */
const pathOf = (pointer: string): string =>
  JSON.stringify(steps(pointer).map(step => (/^(0|[1-9]\d{0,9})$/.test(step) ? Number(step) : step)));

/** Frames of answers: what is right, as a filter of jq over the body. */
// biome-ignore format: a table
const frames: Readonly<Record<string, string>> = {
  'envelope.json':        'true',
  'envelope.success-2xx': 'true',
  'envelope.object':      'type == "object"',
};

/** What a value was and what it became, where the words of a finding tell both. */
function changeIn(actual: string): [before?: string, after?: string] {
  const [, before = '', after = ''] = /^[^"{[]*: (.+) became (.+)$/.exec(actual) ?? [];
  return isJson(before) && isJson(after) ? [before, after] : [];
}

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

function judgeValue(finding: ReportedFinding, { written }: ShellParts): Judgement | undefined {
  const { expected, actual, exchange, accused } = finding;
  const body = exchange?.response?.body.text ?? '';
  const [before, after = actual] = changeIn(actual);
  const pointer = exactPointer(body, finding.pointer, after);
  if (steps(pointer).includes('*')) return undefined;
  const here = `getpath(${pathOf(pointer)})`;
  if (/^(no such member|nothing)\b/.test(actual)) {
    const parent = pathOf(pointer.slice(0, pointer.lastIndexOf('/')));
    const [name] = steps(pointer).slice(-1);
    return byFilter(`getpath(${parent}) | type == "object" and has(${JSON.stringify(name)})`);
  }
  const shape = shapeFilter(expected);
  if (shape !== undefined) {
    const [last] = steps(pointer).slice(-1);
    const isItem = /^\d+$/.test(last ?? '') && steps(pointer).length > 2;
    const filter = isItem ? `(${here} | ${shape}) or ${absentItem(pointer)}` : `${here} | ${shape}`;
    return [...mustBeThere(pointer), ...byFilter(filter)];
  }
  const wanted = before ?? expectedJson(expected);
  if (wanted !== undefined)
    return [
      `{ ${written(wanted)}; } >"$work/expected"`,
      ...byFilter(`${here} == $expected[0]`, '--slurpfile expected "$work/expected"'),
    ];
  // Nothing says what would be right: only that it is not what came then.
  const came = accused ?? jsonAt(body, pointer);
  if (came === undefined || !isJson(came)) return undefined;
  return [
    `{ ${written(came)}; } >"$work/wrong"`,
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
