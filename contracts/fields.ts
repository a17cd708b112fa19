import type { Schema } from './dialect.ts';
import { isRequirementId, type RequirementId } from './requirements/index.ts';
import { type FieldTable, tableOf } from './requirements/tables.ts';
import { nodesOf } from './walk.ts';

/** Where a walk may start: in a table of fields, at the query of a list, or at the root of a whole answer. */
export type StartTable = FieldTable | 'query' | 'envelope';

/** What is wrong at the root or at a member of it, where no table of fields has a row: the frame of an answer (section 1). */
const frame: Readonly<Record<string, RequirementId>> = {
  message: 'envelope.message',
  data: 'envelope.data-shape',
  pagination: 'envelope.pagination',
};

function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function below(node: Schema, token: string): Schema | undefined {
  if (node.anyOf !== undefined) {
    for (const branch of node.anyOf) {
      const next = below(branch, token);
      if (next !== undefined) return next;
    }
    return undefined;
  }
  if (node.properties !== undefined && Object.hasOwn(node.properties, token)) return node.properties[token];
  if (node.items !== undefined && /^\d+$/.test(token)) return node.items;
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}

/** The table whose rows are the members of a node: its own, or that of the branch of a union that has the member. */
function tableAt(node: Schema, token: string): FieldTable | undefined {
  return (
    tableOf(node) ??
    node.anyOf
      ?.filter(branch => below(branch, token) !== undefined)
      .map(tableOf)
      .find(table => table !== undefined)
  );
}

function rowOf(table: StartTable | undefined, member: string): RequirementId | undefined {
  if (table === undefined) return undefined;
  if (table === 'envelope') return Object.hasOwn(frame, member) ? frame[member] : undefined;
  const id = `${table}.${member}`;
  return isRequirementId(id) ? id : undefined;
}

/**
 * The requirement that a JSON Pointer (RFC 6901) into a request or an answer falls under: the deepest row of a table of fields on the way
 * through the schema.
 *
 * `start` names the table that `root` belongs to, unless the root is a node of a table itself: `envelope` for a whole answer, `query` for a query.
 * The table starts anew at each node that a table of fields describes. Members that no schema names fall under the last row
 * before them; where there is none, under the shape of `data`.
 */
export function requirementOf(root: Schema, start: StartTable, pointer: string): RequirementId {
  let found: RequirementId = start === 'envelope' ? 'envelope.object' : 'envelope.data-shape';
  let table: StartTable | undefined = start;
  let node: Schema = root;
  for (const token of tokensOf(pointer)) {
    table = tableAt(node, token) ?? table;
    const next = below(node, token);
    if (next === undefined) return found;
    const isMember = node.items === undefined || !/^\d+$/.test(token);
    if (isMember) {
      found = rowOf(table, token) ?? found;
      table = undefined;
    }
    node = next;
  }
  return found;
}

const rowsByRoot = new WeakMap<Schema, readonly RequirementId[]>();

/** The ledger rows of every field that a schema documents, at every depth. */
export function fieldRowsOf(root: Schema): readonly RequirementId[] {
  const known = rowsByRoot.get(root);
  if (known !== undefined) return known;
  const rows = new Set<RequirementId>();
  for (const [, node] of nodesOf(root)) {
    const table = tableOf(node);
    for (const member of Object.keys(node.properties ?? {})) {
      const row = rowOf(table, member);
      if (row !== undefined) rows.add(row);
    }
  }
  const found = [...rows];
  rowsByRoot.set(root, found);
  return found;
}

/** Adds to `rows` the ledger rows of the documented fields that a value really has, at every depth that its schema describes. */
export function fieldRowsIn(value: unknown, schema: Schema, rows: Set<RequirementId>): void {
  if (schema.anyOf !== undefined) {
    for (const branch of schema.anyOf) fieldRowsIn(value, branch, rows);
    return;
  }
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value.slice(0, 10)) fieldRowsIn(item, schema.items, rows);
    return;
  }
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return;
  for (const { member, node, row } of membersOf(schema)) {
    if (!Object.hasOwn(value, member)) continue;
    if (row !== undefined) rows.add(row);
    fieldRowsIn((value as Record<string, unknown>)[member], node, rows);
  }
}

interface Member {
  readonly member: string;
  readonly node: Schema;
  readonly row: RequirementId | undefined;
}

const membersByNode = new WeakMap<Schema, readonly Member[]>();

/** The members of a node and their rows, found once: every answer is looked through for them. */
function membersOf(schema: Schema): readonly Member[] {
  const known = membersByNode.get(schema);
  if (known !== undefined) return known;
  const table = tableOf(schema);
  const members = Object.entries(schema.properties ?? {}).map(([member, node]) => ({
    member,
    node,
    row: rowOf(table, member),
  }));
  membersByNode.set(schema, members);
  return members;
}
