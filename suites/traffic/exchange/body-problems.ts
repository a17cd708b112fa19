import type { Schema } from '../../../contracts/dialect.ts';
import type { Endpoint } from '../../../contracts/endpoint.ts';
import type { Json } from '../../../contracts/json.ts';
import { isObject } from '../../../contracts/json.ts';
import { at, join, steps } from '../../../contracts/pointer.ts';
import type { RequirementLevel } from '../../../contracts/requirements/index.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { typeInWords } from '../../judge/words.ts';

/** One way in which a body breaks its stated rules. */
export interface BodyProblem {
  /** JSON Pointer into the body. */
  readonly pointer: string;
  /** The schema keyword; `allOf` if a condition between fields states the rule. */
  readonly keyword: string;
  /** MUST for a stated constraint; SHOULD for a wrong JSON type or an expected but optional member. */
  readonly level: Exclude<RequirementLevel, 'OPEN'>;
  readonly message: string;
  /** The value sent there; undefined if it is missing. */
  readonly sent: Json | undefined;
}

/** Returns the schema nodes for a place, with all branches of a union but without conditional schemas. */
function nodesAt(schema: Schema, pointer: string): readonly Schema[] {
  let nodes = branchesOf(schema);
  for (const step of steps(pointer)) nodes = nodesBelow(nodes, step);
  return nodes;
}

/** Returns the schema nodes one step further. */
const nodesBelow = (nodes: readonly Schema[], step: string): readonly Schema[] =>
  nodes.flatMap(({ properties = {}, items, additionalProperties }) => {
    const below = (Object.hasOwn(properties, step) ? properties[step] : undefined) ?? items;
    const next = below ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    return next ? branchesOf(next) : [];
  });

const branchesOf = (node: Schema): readonly Schema[] => [node, ...(node.anyOf ?? [])];

/** True if a value has none of the JSON types that occur in a closed set. */
const isOfOtherType = (nodes: readonly Schema[], value: unknown): boolean => {
  const members = nodes.flatMap(node => [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])]);
  return members.length > 0 && members.every(member => typeInWords(member) !== typeInWords(value));
};

/** Returns the level of a missing member; undefined if it may be missing. */
function levelOfMissed(schema: Schema, pointer: string): 'MUST' | 'SHOULD' | undefined {
  const missed = nodesAt(schema, pointer).find(node => node.annotation?.missed !== undefined)?.annotation?.missed;
  return missed === 'OPEN' ? undefined : (missed ?? 'MUST');
}

/** True if a condition between fields, not the place itself, states the keyword. */
function isConditional(schema: Schema, pointer: string, keyword: string): boolean {
  if (keyword === 'required') {
    const member = steps(pointer).at(-1) ?? '';
    const above = pointer.slice(0, pointer.lastIndexOf('/'));
    return !nodesAt(schema, above).some(node => node.required?.includes(member));
  }
  return !nodesAt(schema, pointer).some(node => Object.hasOwn(node, keyword));
}

/** Returns the problems of a body, MUST before SHOULD. Fields have their names of the specification. */
export function bodyProblems(sent: Json, { body }: Endpoint): readonly BodyProblem[] {
  if (!body) return [];
  const found = validatorFor(body)(sent).flatMap(({ pointer, keyword, message }): BodyProblem[] => {
    const value = at(sent, pointer);
    const one = { pointer, message, sent: keyword === 'required' ? undefined : value };
    if (keyword === 'required') {
      const level = levelOfMissed(body, pointer);
      const isConditionOf = isConditional(body, pointer, keyword);
      return level ? [{ ...one, keyword: isConditionOf ? 'allOf' : keyword, level }] : [];
    }
    const isType = keyword === 'type' || keyword === 'anyOf' || isOfOtherType(nodesAt(body, pointer), value);
    if (isType) return [{ ...one, keyword: 'type', level: 'SHOULD' }];
    return [{ ...one, keyword: isConditional(body, pointer, keyword) ? 'allOf' : keyword, level: 'MUST' }];
  });
  return found.toSorted((a, b) => Number(a.level === 'SHOULD') - Number(b.level === 'SHOULD'));
}

/** Maximum number of undocumented members reported for one body. */
const mostUndocumented = 20;

/** An undocumented member, and the documented names beside it. */
interface Undocumented {
  readonly pointer: string;
  readonly name: string;
  readonly documented: readonly string[];
}

/** Yields the undocumented members of objects that have documented ones. Looks at the first `mostItems` of an array. */
function* undocumentedIn(
  value: Json,
  nodes: readonly Schema[],
  mostItems: number,
  pointer = '',
): Generator<Undocumented> {
  if (Array.isArray(value))
    for (const [index, item] of value.slice(0, mostItems).entries())
      if (holdsMembers(item))
        yield* undocumentedIn(item, nodesBelow(nodes, String(index)), mostItems, join(pointer, index));
  if (!isObject(value)) return;
  const documented = nodes.flatMap(node => Object.keys(node.properties ?? {}));
  for (const [name, member] of Object.entries(value))
    if (documented.includes(name)) {
      if (holdsMembers(member)) yield* undocumentedIn(member, nodesBelow(nodes, name), mostItems, join(pointer, name));
    } else if (documented.length > 0) yield { pointer: join(pointer, name), name, documented };
}

const holdsMembers = (value: Json): boolean => typeof value === 'object' && value !== null;

/** Returns the pointers of undocumented members in objects that have documented ones. */
export function undocumentedMembers(sent: Json, { body }: Endpoint): readonly string[] {
  const found: string[] = [];
  if (!body) return found;
  for (const { pointer } of undocumentedIn(sent, branchesOf(body), 50)) {
    found.push(pointer);
    if (found.length === mostUndocumented) break;
  }
  return found;
}

/** Returns the pointer of the first member whose name differs from a documented one only in letter case. */
export function respelledMember(sent: Json, { body }: Endpoint): string | undefined {
  if (!body) return undefined;
  for (const { pointer, name, documented } of undocumentedIn(sent, branchesOf(body), Number.POSITIVE_INFINITY))
    if (documented.some(one => one.toLowerCase() === name.toLowerCase())) return pointer;
  return undefined;
}
