import type { Schema } from '../../../contracts/dialect.ts';
import type { Endpoint } from '../../../contracts/endpoint.ts';
import type { Json } from '../../../contracts/json.ts';
import { isObject } from '../../../contracts/json.ts';
import { at, join, steps } from '../../../contracts/pointer.ts';
import type { RequirementLevel } from '../../../contracts/requirements/index.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { typeInWords } from '../../judge/words.ts';

/** One way in which a body breaks what is stated for it. */
export interface BodyProblem {
  /** JSON Pointer into the body. */
  readonly pointer: string;
  /** The keyword of the schema; `allOf` where a condition between fields states it. */
  readonly keyword: string;
  /** MUST for a stated constraint, SHOULD for a wrong JSON type, or for a member that is expected without being required. */
  readonly level: Exclude<RequirementLevel, 'OPEN'>;
  readonly message: string;
  /** What was sent there; undefined where it is missing. */
  readonly sent: Json | undefined;
}

/** The nodes that describe a place of a value, without what conditions add: of a union all branches. */
function nodesAt(schema: Schema, pointer: string): readonly Schema[] {
  let nodes: readonly Schema[] = [schema];
  for (const step of steps(pointer)) {
    nodes = nodes
      .flatMap(node => [node, ...(node.anyOf ?? [])])
      .flatMap(node => {
        const member = node.properties?.[step];
        const below = member !== undefined && Object.hasOwn(node.properties ?? {}, step) ? member : node.items;
        const next = below ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
        return next === undefined ? [] : [next];
      });
  }
  return nodes.flatMap(node => [node, ...(node.anyOf ?? [])]);
}

/** True where a value is of none of the JSON types that a closed set has. */
const isOfOtherType = (nodes: readonly Schema[], value: unknown): boolean => {
  const members = nodes.flatMap(node => [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])]);
  return members.length > 0 && members.every(member => typeInWords(member) !== typeInWords(value));
};

/** The level at which a missing member counts; undefined where it may be missing. */
function levelOfMissed(schema: Schema, pointer: string): 'MUST' | 'SHOULD' | undefined {
  const missed = nodesAt(schema, pointer).find(node => node.annotation?.missed !== undefined)?.annotation?.missed;
  return missed === 'OPEN' ? undefined : (missed ?? 'MUST');
}

/** True of a keyword that the place itself does not state: a condition between fields does. */
function isConditional(schema: Schema, pointer: string, keyword: string): boolean {
  if (keyword === 'required') {
    const path = steps(pointer);
    const member = path.at(-1) ?? '';
    const above = path.slice(0, -1).reduce<string>((to, step) => join(to, step), '');
    return !nodesAt(schema, above).some(node => node.required?.includes(member));
  }
  return !nodesAt(schema, pointer).some(node => Object.hasOwn(node, keyword));
}

/** Lists what a body breaks, the most binding first. The body is in the names of the specification. */
export function bodyProblems(sent: Json, { body }: Endpoint): readonly BodyProblem[] {
  if (body === null) return [];
  const found = validatorFor(body)(sent).flatMap((problem): BodyProblem[] => {
    const { pointer, keyword, message } = problem;
    const value = at(sent, pointer);
    const one = { pointer, message, sent: keyword === 'required' ? undefined : value };
    if (keyword === 'required') {
      const level = levelOfMissed(body, pointer);
      const isConditionOf = isConditional(body, pointer, keyword);
      return level === undefined ? [] : [{ ...one, keyword: isConditionOf ? 'allOf' : keyword, level }];
    }
    const isType = keyword === 'type' || keyword === 'anyOf' || isOfOtherType(nodesAt(body, pointer), value);
    if (isType) return [{ ...one, keyword: 'type', level: 'SHOULD' }];
    return [{ ...one, keyword: isConditional(body, pointer, keyword) ? 'allOf' : keyword, level: 'MUST' }];
  });
  return found.toSorted((a, b) => Number(a.level === 'SHOULD') - Number(b.level === 'SHOULD'));
}

/** So many undocumented members of one body are told. */
const mostUndocumented = 20;

/** A member that no schema documents, and the names that are documented beside it. */
interface Undocumented {
  readonly pointer: string;
  readonly name: string;
  readonly documented: readonly string[];
}

/** The members that no schema documents, where the object around them has documented members; of arrays the first items. */
function* undocumentedIn(value: Json, body: Schema, mostItems: number, pointer = ''): Generator<Undocumented> {
  if (Array.isArray(value))
    for (const [index, item] of value.slice(0, mostItems).entries())
      yield* undocumentedIn(item, body, mostItems, join(pointer, index));
  if (!isObject(value)) return;
  const documented = nodesAt(body, pointer).flatMap(node => Object.keys(node.properties ?? {}));
  for (const [name, member] of Object.entries(value))
    if (documented.includes(name)) yield* undocumentedIn(member, body, mostItems, join(pointer, name));
    else if (documented.length > 0) yield { pointer: join(pointer, name), name, documented };
}

/** The pointers of members that no schema documents, where the object around them has documented members. */
export function undocumentedMembers(sent: Json, { body }: Endpoint): readonly string[] {
  const found: string[] = [];
  if (body === null) return found;
  for (const { pointer } of undocumentedIn(sent, body, 50)) {
    found.push(pointer);
    if (found.length === mostUndocumented) break;
  }
  return found;
}

/** The pointer of a member that is a documented one to servers that ignore letter case; undefined where none is. */
export function respelledMember(sent: Json, { body }: Endpoint): string | undefined {
  if (body === null) return undefined;
  for (const { pointer, name, documented } of undocumentedIn(sent, body, Number.POSITIVE_INFINITY))
    if (documented.some(one => one.toLowerCase() === name.toLowerCase())) return pointer;
  return undefined;
}
