import type { ObjectSchema, Schema } from '../dialect.ts';
import { type EndpointId, endpointIds } from '../endpoints.ts';
import { fieldTables } from '../resources/index.ts';
import { conditionalMembers, reachOfNodes } from './reach.ts';
import { type FieldTable, isFieldTable } from './tables.ts';

/** One member as one node of a table has it. */
export interface Occurrence {
  readonly schema: Schema;
  readonly required: boolean;
  /** The condition under which alone it is required, in words. */
  readonly condition: string | undefined;
}

/** All that the contracts know of one row of one table of fields. */
export interface Field {
  readonly table: FieldTable;
  readonly member: string;
  /** As it stands in requests, and in answers; several where several nodes of the table differ. */
  readonly requests: readonly Occurrence[];
  readonly answers: readonly Occurrence[];
  /** The endpoints that send it or show it. */
  readonly endpoints: readonly EndpointId[];
}

const reach = reachOfNodes();

function occurrence(node: ObjectSchema, member: string): readonly Occurrence[] {
  const schema = node.properties?.[member];
  if (schema === undefined) return [];
  return [
    { schema, required: node.required?.includes(member) ?? false, condition: conditionalMembers(node).get(member) },
  ];
}

function fieldOf(table: FieldTable, member: string, nodes: readonly ObjectSchema[]): Field {
  const having = nodes.filter(node => node.properties?.[member] !== undefined);
  const on = (way: 'requests' | 'answers'): readonly Occurrence[] =>
    having.filter(node => (reach.get(node)?.[way].size ?? 0) > 0).flatMap(node => occurrence(node, member));
  const met = new Set(
    having.flatMap(node => [...(reach.get(node)?.requests ?? []), ...(reach.get(node)?.answers ?? [])]),
  );
  return {
    table,
    member,
    requests: on('requests'),
    answers: on('answers'),
    endpoints: endpointIds.filter(id => met.has(id)),
  };
}

/** Every row of every table of fields, in the order of the tables and of their members. */
export const fields: readonly Field[] = fieldTables.flatMap(([table, ...nodes]) => {
  if (!isFieldTable(table)) throw new RangeError(`The table of fields "${table}" has no section.`);
  const members = new Set(nodes.flatMap(node => Object.keys(node.properties ?? {})));
  return [...members].map(member => fieldOf(table, member, nodes));
});
