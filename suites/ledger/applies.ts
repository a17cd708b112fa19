import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointsWhere } from '../../contracts/endpoints.ts';
import { formedTexts, isUnbounded, isWhole, nodeOf, takesNull } from '../generators/index.ts';
import { bodyNodes, exclude, type LedgerNode, siblingsOf } from './node.ts';

/** Returns the variants of a relation at a place, one cell each. None if it does not apply by the contract. */
export type Applies = (node: LedgerNode, row: Endpoint) => readonly string[];

type Holds = (node: LedgerNode, row: Endpoint) => boolean;

/** Returns one cell, or one for each variant, if `holds` is true; otherwise none. */
export const once =
  (holds: Holds, ...variants: readonly string[]): Applies =>
  (node, row) =>
    holds(node, row) ? (variants.length === 0 ? [''] : variants) : [];

export const always: Holds = () => true;

const kindOf = ({ schema }: LedgerNode) => nodeOf(schema).kind;

export const isKind =
  (...kinds: readonly ReturnType<typeof kindOf>[]): Holds =>
  node =>
    kinds.includes(kindOf(node));

/** True for a whole number, and for one that may have a fraction. */
export const isInteger: Holds = ({ schema }) => isWhole(schema);
export const isFractional: Holds = (node, row) => isKind('number')(node, row) && !isInteger(node, row);

/** True for a text field that takes any text: it refers to nothing, has no bounded set of values and no format. */
export const isFreeText: Holds = ({ schema, chain }) => {
  const own = nodeOf(schema);
  const isNamed = chain.some(({ annotation }) => (annotation?.semantics ?? annotation?.refersTo) !== undefined);
  return own.kind === 'string' && !isNamed && isUnbounded(own.schema) && !formedTexts(own.schema);
};

/** True if an operation changes an existing entity. */
export const isRewrite = ({ action }: Endpoint): boolean => action === 'patch' || action === 'update';

/** True for a top-level field of the body that has siblings. */
export const isTop: Holds = (node, row) => node.parent?.path === '' && siblingsOf(node, row).length > 0;

/** True for a list of free length and order. Environments and the groups of an experiment are the service's own. */
export const isList: Holds = node => {
  const { annotation } = node.schema;
  return kindOf(node) === 'array' && annotation?.formatHint !== 'groups' && annotation?.varies === undefined;
};

/** True for such a list if the state before the write is known. */
export const isListBefore: Holds = (node, row) => isList(node, row) && isRewrite(row);

/** The lengths at which a list is tried, by name. */
export const lengths: Readonly<Record<string, number>> = { empty: 0, two: 2, three: 3, ten: 10 };

/** Returns the lengths that the bounds of a list allow. Integer items with a maximum bound its length too. */
export const listLengths: Applies = (node, row) => {
  if (!isList(node, row)) return [];
  const { maxItems, items } = node.schema;
  const most = maxItems ?? (items && isWhole(items) ? items.maximum : undefined) ?? Number.POSITIVE_INFINITY;
  return Object.keys(lengths).filter(name => (lengths[name] ?? 0) <= most);
};

/** Returns the members of a closed set as JSON, without those that only answers show. */
export const members: Applies = ({ schema }) =>
  (schema.enum ?? [])
    .filter(one => one !== null && !schema.annotation?.shownOnly?.includes(one))
    .map(one => JSON.stringify(one));

// biome-ignore format: one line
const boundKeywords = ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'] as const;

/** Returns the keywords of the stated bounds of a place. */
export const bounds: Applies = ({ schema }) => boundKeywords.filter(keyword => schema[keyword] !== undefined);

/** Returns the value or size at a bound; undefined if an exclusive bound has no nearest number. */
export function boundOf({ schema }: LedgerNode, keyword: string): number | undefined {
  const stated = schema[keyword as (typeof boundKeywords)[number]];
  if (stated === undefined || !keyword.startsWith('exclusive')) return stated;
  if (!isWhole(schema)) return undefined;
  return keyword === 'exclusiveMinimum' ? stated + 1 : stated - 1;
}

/** Returns the bounds that have such a value. */
export const boundsWithin: Applies = (node, row) => bounds(node, row).filter(one => boundOf(node, one) !== undefined);

/** Returns the later siblings that may share a request with a field, so that each pair occurs once. */
const rivals = (node: LedgerNode, row: Endpoint): readonly LedgerNode[] =>
  siblingsOf(node, row).filter(other => other.path > node.path && !exclude(node, other));

/** Returns the other body fields that may share its request. */
export const company: Applies = (node, row) => (isTop(node, row) ? rivals(node, row).map(({ path }) => path) : []);

/** Returns the siblings of the same type. */
export const alikeSiblings: Applies = (node, row) =>
  isKind('string', 'number', 'boolean', 'array')(node, row)
    ? rivals(node, row).flatMap(other => (kindOf(other) === kindOf(node) ? (other.name ?? []) : []))
    : [];

/** Returns the types that a place does not have. */
export const otherTypes: Applies = ({ schema }) => {
  const own = (schema.anyOf ?? [schema]).map(one => nodeOf(one).kind.replace('enum', 'string'));
  return own.includes('any')
    ? []
    : ['string', 'number', 'boolean', 'array', 'object'].filter(name => !own.includes(name));
};

export const takesNoNull: Holds = node => kindOf(node) !== 'any' && !takesNull(node.schema);

/** Returns the conditions that require or narrow a member. */
export const conditions: Applies = ({ path }, { body }) =>
  (body?.allOf ?? []).flatMap(({ if: premise, then }) =>
    then.required?.includes(path) || then.properties?.[path]
      ? Object.entries(premise.properties).map(([name, one]) => `${name}=${one.const}`)
      : [],
  );

/** True if the specification does not document the inside of a value, and the value can be sent back. */
export const isOpenInside: Holds = ({ schema }, row) => {
  const own = nodeOf(schema);
  const inside = own.kind === 'array' ? own.schema.items : own.kind === 'object' ? own.schema.properties : {};
  return !inside && isRewrite(row);
};

/** True for a list in which a later item can break a rule. */
export const hasRulesWithin: Holds = (node, row) =>
  kindOf(node) === 'array' &&
  bodyNodes(row).some(one => one.path.startsWith(`${node.path}[]`) && kindOf(one) !== 'any');

/** Returns the other operations that show a field, because they answer with the same kind of entity. */
export const readersOf: Applies = ({ path, parent }, row): readonly EndpointId[] =>
  parent?.path === ''
    ? endpointsWhere(
        one => one.resource === row.resource && one.path !== row.path && one.data.properties?.[path] !== undefined,
      )
    : [];

/** Returns the number of characters in a name that a path may have to escape. */
const oddness = (name: string): number => name.replace(/[\w-]/g, '').length;

/** Returns the fixtures to use: all, if it can be undone; otherwise the oddest and the last, or only the last. */
export function fixturesOf({ effect, oneShot, lastFixture }: Endpoint, names: readonly string[]): readonly string[] {
  if (effect !== 'destructive') return names;
  const last = names.slice(-1);
  if (oneShot && lastFixture) return last;
  return [...new Set([...names.toSorted((one, other) => oddness(other) - oddness(one)).slice(0, 1), ...last])];
}

/** Returns the pages of a list to try; limits only if a query is stated. */
export const pages = ({ list, query }: Endpoint): readonly string[] =>
  !list
    ? []
    : query
      ? ['first', 'second', 'last', 'limit 1', 'limit 2 to 9', 'limit 10', 'limit beyond 10']
      : ['first', 'last'];
