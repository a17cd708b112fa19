import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointsWhere } from '../../contracts/endpoints.ts';
import { formedTexts, isUnbounded, nodeOf, takesNull } from '../generators/index.ts';
import { bodyNodes, exclude, type LedgerNode, siblingsOf } from './node.ts';

/** To which places a relation applies, and how many cells it has there: one for each variant. All by the contract alone. */
export type Applies = (node: LedgerNode, row: Endpoint) => readonly string[];

type Holds = (node: LedgerNode, row: Endpoint) => boolean;

/** One cell, or those variants, where something holds; none elsewhere. */
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

/** A text of which any is as good as another: it names nothing that exists, and has no form of its own. */
export const isFreeText: Holds = ({ schema, chain }) => {
  const own = nodeOf(schema);
  const isNamed = chain.some(({ annotation }) => (annotation?.semantics ?? annotation?.refersTo) !== undefined);
  return own.kind === 'string' && !isNamed && isUnbounded(own.schema) && formedTexts(own.schema) === undefined;
};

/** True of an operation on something that there was before. */
export const isRewrite = ({ action }: Endpoint): boolean => action === 'patch' || action === 'update';

/** A field of the body itself, beside others. */
export const isTop: Holds = (node, row) => node.parent?.path === '' && siblingsOf(node, row).length > 0;

/** A list of any length and order; not one of things of the service itself: environments, the groups of an experiment. */
export const isList: Holds = node => {
  const { annotation } = node.schema;
  return kindOf(node) === 'array' && annotation?.formatHint !== 'groups' && annotation?.varies === undefined;
};

/** The same, where a state before can be compared with the one after. */
export const isListBefore: Holds = (node, row) => isList(node, row) && isRewrite(row);

/** The lengths at which a list is tried, by name. */
export const lengths: Readonly<Record<string, number>> = { empty: 0, two: 2, three: 3, ten: 10 };

/** Those that its bounds allow, or those of its items where these are numbered. */
export const listLengths: Applies = (node, row) => {
  if (!isList(node, row)) return [];
  const { maxItems, items } = node.schema;
  const most =
    maxItems ?? (items?.type === 'integer' ? (items.maximum ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY);
  return Object.keys(lengths).filter(name => (lengths[name] ?? 0) <= most);
};

/** The members of a closed set, as JSON, but those that answers alone show. */
export const members: Applies = ({ schema }) =>
  (schema.enum ?? [])
    .filter(one => one !== null && schema.annotation?.shownOnly?.includes(one) !== true)
    .map(one => JSON.stringify(one));

// biome-ignore format: one line
const boundKeywords = ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'] as const;

/** The stated bounds of a place, by keyword. */
export const bounds: Applies = ({ schema }) => boundKeywords.filter(keyword => schema[keyword] !== undefined);

/** The number at a bound, or the size of a text or list; undefined where there is none next to it. */
export function boundOf({ schema }: LedgerNode, keyword: string): number | undefined {
  const stated = schema[keyword as (typeof boundKeywords)[number]];
  if (stated === undefined || !keyword.startsWith('exclusive')) return stated;
  if (nodeOf(schema).kind !== 'integer') return undefined;
  return keyword === 'exclusiveMinimum' ? stated + 1 : stated - 1;
}

/** The bounds that have such a number. */
export const boundsWithin: Applies = (node, row) => bounds(node, row).filter(one => boundOf(node, one) !== undefined);

/** The siblings with which one can stand in a request, each pair once. */
const rivals = (node: LedgerNode, row: Endpoint): readonly LedgerNode[] =>
  siblingsOf(node, row).filter(other => other.path > node.path && !exclude(node, other));

/** The other fields of the body. */
export const company: Applies = (node, row) => (isTop(node, row) ? rivals(node, row).map(({ path }) => path) : []);

const typeOf = (node: LedgerNode): string => kindOf(node).replace('integer', 'number');

/** The siblings of the same type. */
export const alikeSiblings: Applies = (node, row) =>
  isKind('string', 'number', 'integer', 'boolean', 'array')(node, row)
    ? rivals(node, row).flatMap(other => (typeOf(other) === typeOf(node) ? (other.name ?? []) : []))
    : [];

/** The types that a place has not. */
export const otherTypes: Applies = ({ schema }) => {
  const own = (schema.anyOf ?? [schema]).map(one =>
    nodeOf(one).kind.replace('enum', 'string').replace('integer', 'number'),
  );
  return own.includes('any')
    ? []
    : ['string', 'number', 'boolean', 'array', 'object'].filter(name => !own.includes(name));
};

export const takesNoNull: Holds = node => kindOf(node) !== 'any' && !takesNull(node.schema);

/** The conditions that require or narrow a member. */
export const conditions: Applies = ({ path }, { body }) =>
  (body?.allOf ?? []).flatMap(({ if: premise, then }) =>
    then.required?.includes(path) === true || then.properties?.[path] !== undefined
      ? Object.entries(premise.properties).map(([name, one]) => `${name}=${one.const}`)
      : [],
  );

/** What the specification does not show the inside of, where what stands there can be sent back. */
export const isOpenInside: Holds = ({ schema }, row) => {
  const own = nodeOf(schema);
  const inside = own.kind === 'array' ? own.schema.items : own.kind === 'object' ? own.schema.properties : {};
  return inside === undefined && isRewrite(row);
};

/** A list of which a later item can break a rule. */
export const hasRulesWithin: Holds = (node, row) =>
  kindOf(node) === 'array' &&
  bodyNodes(row).some(one => one.path.startsWith(`${node.path}[]`) && kindOf(one) !== 'any');

/** The other operations that show a field: those that answer with the same kind of entity. */
export const readersOf: Applies = ({ path, parent }, row): readonly EndpointId[] =>
  parent?.path === ''
    ? endpointsWhere(
        one => one.resource === row.resource && one.path !== row.path && one.data.properties?.[path] !== undefined,
      )
    : [];

/** So many signs of a name a path has to escape. */
const oddness = (name: string): number => name.replace(/[\w-]/g, '').length;

/** The fixtures on which an operation is carried out: all; of what cannot be undone the oddest and the last; archived the last. */
export function fixturesOf({ effect, oneShot, lastFixture }: Endpoint, names: readonly string[]): readonly string[] {
  if (effect !== 'destructive') return names;
  const last = names.slice(-1);
  if (oneShot === true && lastFixture === true) return last;
  return [...new Set([...names.toSorted((one, other) => oddness(other) - oddness(one)).slice(0, 1), ...last])];
}

/** The pages of a list: only where a query is stated is a limit tried. */
export const pages = ({ list, query }: Endpoint): readonly string[] =>
  !list
    ? []
    : query === null
      ? ['first', 'last']
      : ['first', 'second', 'last', 'limit 1', 'limit 2 to 9', 'limit 10', 'limit beyond 10'];
