import type { Schema } from './dialect.ts';
import type { Members } from './json.ts';
import { memoized } from './memoized.ts';
import { steps } from './pointer.ts';
import { isRequirementId, type RequirementId } from './requirements/index.ts';
import { type FieldTable, tableOf } from './requirements/tables.ts';
import { nodesOf } from './walk.ts';

/** The kind of a root schema: a table of fields, the query of a list, or a whole answer (section 1). */
export type RootTable = FieldTable | 'query' | 'envelope';

/** Members that name the same thing, each in its own way: two of them in one body may contradict each other. */
export const sameThing: readonly (readonly string[])[] = [
  ['team', 'teamID'],
  ['creatorID', 'creatorEmail', 'creatorName'],
];

/** Returns the other members that name the same thing as a field. */
export const otherNames = (field: string): readonly string[] =>
  sameThing.find(group => group.includes(field))?.filter(name => name !== field) ?? [];

/** Members of an answer that a service may work out from other members. */
const derived: Readonly<Record<string, readonly string[]>> = {
  name: ['permalink'],
  // A setting of the team may stand before that of the entity (section 2.3), and be shown in its place.
  team: ['reviewSettings'],
  teamID: ['reviewSettings'],
  creatorID: ['owner'],
  creatorEmail: ['owner'],
  creatorName: ['owner'],
};

/** Returns the members that a write of a field may change besides it. */
export const sideEffectsOf = (field: string): readonly string[] => [...otherNames(field), ...(derived[field] ?? [])];

/** The requirements of the members of a whole answer, which are in no table of fields (section 1). */
const frame: Readonly<Record<string, RequirementId>> = {
  message: 'envelope.message',
  data: 'envelope.data-shape',
  pagination: 'envelope.pagination',
};

/** Returns the schema one step below a node; undefined if the node states none. */
function below(node: Schema, step: string): Schema | undefined {
  if (node.anyOf) {
    for (const branch of node.anyOf) {
      const next = below(branch, step);
      if (next) return next;
    }
    return undefined;
  }
  if (node.properties && Object.hasOwn(node.properties, step)) return node.properties[step];
  if (node.items && /^\d+$/.test(step)) return node.items;
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}

/** Returns the table of a node's members: its own, or that of the branch of a union with the member. */
function tableAt(node: Schema, step: string): FieldTable | undefined {
  return (
    tableOf(node) ??
    node.anyOf
      ?.filter(branch => below(branch, step))
      .map(tableOf)
      .find(table => table)
  );
}

function requirementOfMember(table: RootTable | undefined, member: string): RequirementId | undefined {
  if (!table) return undefined;
  if (table === 'envelope') return Object.hasOwn(frame, member) ? frame[member] : undefined;
  const id = `${table}.${member}`;
  return isRequirementId(id) ? id : undefined;
}

/**
 * Returns the requirement for a JSON Pointer (RFC 6901) into a request or an answer: that of the deepest documented
 * field on the way. For an undocumented member this is the last field above it, or otherwise the shape of `data`.
 *
 * @param rootTable the kind of `root`, unless it is itself a node of a table of fields.
 */
export function requirementAt(root: Schema, rootTable: RootTable, pointer: string): RequirementId {
  let found: RequirementId = rootTable === 'envelope' ? 'envelope.object' : 'envelope.data-shape';
  let table: RootTable | undefined = rootTable;
  let node: Schema = root;
  for (const step of steps(pointer)) {
    table = tableAt(node, step) ?? table;
    const next = below(node, step);
    if (!next) return found;
    if (!node.items || !/^\d+$/.test(step)) {
      found = requirementOfMember(table, step) ?? found;
      table = undefined;
    }
    node = next;
  }
  return found;
}

interface Member {
  readonly name: string;
  readonly node: Schema;
  readonly requirement: RequirementId | undefined;
}

/**
 * Returns the members of a node with their requirements. Computed once for each node, because every answer is examined.
 */
const documentedMembers = memoized((schema: Schema): readonly Member[] => {
  const table = tableOf(schema);
  return Object.entries(schema.properties ?? {}).map(([name, node]) => ({
    name,
    node,
    requirement: requirementOfMember(table, name),
  }));
});

/** Returns the requirements of every field that a schema documents, at every depth. */
export const fieldRequirementsOf = memoized((root: Schema): readonly RequirementId[] => {
  const members = nodesOf(root).flatMap(([, node]) => documentedMembers(node));
  return [...new Set(members.flatMap(({ requirement }) => requirement ?? []))];
});

/** The number of list items that are examined to show a field. */
const itemsLookedAt = 10;

/** Adds to `found` the requirements of the documented fields in a value, at every depth of its schema. */
export function addFieldRequirements(value: unknown, schema: Schema, found: Set<RequirementId>): void {
  if (typeof value !== 'object' || value === null) return;
  if (schema.anyOf) {
    for (const branch of schema.anyOf) addFieldRequirements(value, branch, found);
  } else if (Array.isArray(value)) {
    if (!schema.items) return;
    for (const item of value.slice(0, itemsLookedAt)) addFieldRequirements(item, schema.items, found);
  } else if (schema.properties) {
    for (const { name, node, requirement } of documentedMembers(schema)) {
      if (!Object.hasOwn(value, name)) continue;
      if (requirement !== undefined) found.add(requirement);
      addFieldRequirements((value as Members)[name], node, found);
    }
  }
}

/** Returns the fields of a body that may come back otherwise than they were sent, because of others beside them. */
export const openedBy = (sent: Members, schema: Schema | null | undefined): readonly string[] =>
  Object.keys(sent).flatMap(name => schema?.properties?.[name]?.annotation?.opens ?? []);
