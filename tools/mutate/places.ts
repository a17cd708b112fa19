import { parseAst } from 'vitest/node';

/** One change to a source: the text from `start` to `end` becomes `text`. */
export interface Mutant {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A node of the syntax tree, with the fields that all operators need. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A change to a node: its place and the new text. */
type Change = readonly [start: number, end: number, text: string];
type Operator = (node: Node, source: string) => readonly Change[];

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const whole = (node: Node, text: string): Change => [node.start, node.end, text];
const textOf = (node: Node, source: string): string => source.slice(node.start, node.end);

/** The replacements of each operator: boundaries and negations, arithmetic, logic. */
// biome-ignore format: a table
const otherOperators: Readonly<Record<string, readonly string[]>> = {
  '<':   ['<=', '>='],  '<=':  ['<', '>'],  '>':  ['>=', '<='],  '>=': ['>', '<'],
  '===': ['!=='],       '!==': ['==='],
  '+':   ['-'],         '-':   ['+'],       '*':  ['/'],         '/':  ['*'],  '%': ['*'],
  '&&':  ['||'],        '||':  ['&&'],
  '+=':  ['-='],        '-=':  ['+='],      '++': ['--'],        '--': ['++'],
};

/** Method calls that are replaced by the object on which they are called. */
const droppedCalls = new Set(
  'filter map flatMap slice sort toSorted reverse toReversed flat concat trim toLowerCase toUpperCase'.split(' '),
);

/** Methods and their replacements. */
// biome-ignore format: a table
const otherMethods: ReadonlyMap<string, string> = new Map(Object.entries({
  some: 'every', every: 'some', startsWith: 'endsWith', endsWith: 'startsWith', min: 'max', max: 'min',
  floor: 'ceil', ceil: 'floor', find: 'findLast', unshift: 'push', push: 'unshift',
}));

/** Swaps an operator between two operands, or before or after one. */
const swapped: Operator = (node, source) => {
  const others = otherOperators[String(node.operator)] ?? [];
  const [from, to] = isNode(node.left)
    ? [node.left.end, (node.right as Node).start]
    : [node.start, node.prefix === true ? (node.argument as Node).start : node.end];
  const at = source.indexOf(
    String(node.operator),
    isNode(node.left) || node.prefix ? from : (node.argument as Node).end,
  );
  return at < 0 || at > to ? [] : others.map(other => [at, at + String(node.operator).length, other] as const);
};

/** Uses the fallback of `??` if the value is present, instead of if it is missing. */
const fallback: Operator = (node, source) =>
  node.operator === '??'
    ? [whole(node, `((${textOf(node.left as Node, source)}) && (${textOf(node.right as Node, source)}))`)]
    : [];

/** Makes a condition always true, and always false. */
const decided: Operator = node => {
  const test = node.test as Node | null;
  if (test === null) return [];
  return node.type.endsWith('Statement') && !node.type.startsWith('If')
    ? [whole(test, 'false')]
    : [whole(test, 'true'), whole(test, 'false')];
};

/** True for text with a blank: it is for people to read, so no test should fix its wording. */
const isProse = (text: string): boolean => text.length > 1 && /\s/.test(text);

const literal: Operator = node => {
  const { value } = node;
  if (typeof value === 'boolean') return [whole(node, String(!value))];
  if (typeof value === 'number') return [whole(node, String(value + 1)), whole(node, `(${value - 1})`)];
  if (typeof value !== 'string' || isProse(value)) return [];
  return [whole(node, value === '' ? "'mutated'" : "''")];
};

const template: Operator = node => {
  const prose = (node.quasis as readonly { readonly value: { readonly raw: string } }[]).some(({ value }) =>
    isProse(`x${value.raw}x`),
  );
  return prose ? [] : [whole(node, '``')];
};

const emptied =
  (members: string, empty: string): Operator =>
  node =>
    (node[members] as readonly unknown[]).length > 0 ? [whole(node, empty)] : [];

const call: Operator = (node, source) => {
  const callee = node.callee as Node;
  const property = callee.property as Node | undefined;
  if (callee.type !== 'MemberExpression' || property?.type !== 'Identifier') return [];
  const name = String(property.name);
  const other = otherMethods.get(name);
  return [
    ...(droppedCalls.has(name) ? [whole(node, textOf(callee.object as Node, source))] : []),
    ...(other === undefined ? [] : [whole(property, other)]),
  ];
};

const returned: Operator = (node, source) => {
  const value = node.argument as Node | null;
  return value === null || textOf(value, source) === 'undefined' ? [] : [whole(value, 'undefined')];
};

const arrow: Operator = (node, source) => {
  const body = node.body as Node;
  return body.type === 'BlockStatement' || textOf(body, source) === 'undefined' ? [] : [whole(body, 'undefined')];
};

/** Turns `a?.b` into `a.b`. */
const required: Operator = (node, source) => {
  const { end } = node.object as Node;
  return source.startsWith('?.', end) ? [[end, end + 2, node.computed === true ? '' : '.']] : [];
};

/** The operators by the type of the node that they change. */
// biome-ignore format: a table
const operators: Readonly<Record<string, readonly Operator[]>> = {
  BinaryExpression:        [swapped],
  LogicalExpression:       [swapped, fallback],
  AssignmentExpression:    [swapped],
  UpdateExpression:        [swapped],
  UnaryExpression:         [node => ('!-'.includes(String(node.operator)) ? [[node.start, node.start + 1, '']] : [])],
  IfStatement:             [decided],
  ConditionalExpression:   [decided],
  WhileStatement:          [decided],
  ForStatement:            [decided],
  Literal:                 [literal],
  TemplateLiteral:         [template],
  ArrayExpression:         [emptied('elements', '[]')],
  ObjectExpression:        [emptied('properties', '({})')],
  BlockStatement:          [emptied('body', '{}')],
  ExpressionStatement:     [node => [whole(node, ';')]],
  ContinueStatement:       [node => [whole(node, ';')]],
  BreakStatement:          [node => [whole(node, ';')]],
  CallExpression:          [call],
  MemberExpression:        [required],
  ReturnStatement:         [returned],
  ArrowFunctionExpression: [arrow],
};

/** Nodes without running code: types and imports. */
const silent = /^(TS(?!As|Satisfies|NonNull)|Import|ExportAll)/;

/** Returns the children of a node that run. The name of a member is not mutated as a text. */
function running(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if ((key === 'key' || key === 'property') && node.computed !== true) return [];
    if (key === 'source' || key === 'typeArguments') return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

/** Returns every possible mutant of a source, in its order. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const visit = (node: Node): void => {
    if (silent.test(node.type)) return;
    for (const operator of operators[node.type] ?? [])
      for (const [start, end, text] of operator(node, source)) found.push({ file, start, end, text });
    for (const child of running(node)) visit(child);
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node);
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Returns the source with the change made. */
export const mutated = (source: string, { start, end, text }: Omit<Mutant, 'file'>): string =>
  source.slice(0, start) + text + source.slice(end);
