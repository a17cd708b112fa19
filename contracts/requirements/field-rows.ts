import type { ObjectSchema, Schema } from '../dialect.ts';
import { type EndpointId, endpointIds } from '../endpoint.ts';
import { fieldTables } from '../resources/index.ts';
import { phrase } from './phrases.ts';
import { conditionalMembers, reachOfNodes } from './reach.ts';
import type { Requirement, RequirementLevel } from './requirement.ts';
import { type FieldRequirementId, type FieldTable, isFieldTable, tableOf, tables } from './tables.ts';

/** One member as one node of a table has it. */
interface Occurrence {
  readonly schema: Schema;
  readonly required: boolean;
  /** The condition under which alone it is required, in words. */
  readonly condition: string | undefined;
}

/** All that the contracts know of one row of one table. */
interface Field {
  readonly requests: readonly Occurrence[];
  readonly answers: readonly Occurrence[];
  readonly endpoints: readonly EndpointId[];
}

const bounds = [
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
] as const satisfies readonly string[];

/** True of a schema that asks for more than a type, in itself or in its items. */
function asksMoreThanType(schema: Schema): boolean {
  return (
    bounds.some(keyword => schema[keyword] !== undefined) ||
    (schema.items !== undefined && tableOf(schema.items) === undefined && asksMoreThanType(schema.items))
  );
}

function isAnything(schema: Schema): boolean {
  return (
    schema.type === undefined && schema.enum === undefined && schema.const === undefined && schema.anyOf === undefined
  );
}

const reach = reachOfNodes();

function occurrence(node: ObjectSchema, member: string): readonly Occurrence[] {
  const schema = node.properties?.[member];
  if (schema === undefined) return [];
  return [
    { schema, required: node.required?.includes(member) ?? false, condition: conditionalMembers(node).get(member) },
  ];
}

function fieldOf(nodes: readonly ObjectSchema[], member: string): Field {
  const having = nodes.filter(node => node.properties?.[member] !== undefined);
  const on = (way: 'requests' | 'answers'): readonly ObjectSchema[] =>
    having.filter(node => (reach.get(node)?.[way].size ?? 0) > 0);
  const met = new Set(
    having.flatMap(node => [...(reach.get(node)?.requests ?? []), ...(reach.get(node)?.answers ?? [])]),
  );
  return {
    requests: on('requests').flatMap(node => occurrence(node, member)),
    answers: on('answers').flatMap(node => occurrence(node, member)),
    endpoints: endpointIds.filter(id => met.has(id)),
  };
}

/**
 * MUST where a constraint, a required member or a type in an answer is stated. SHOULD where only the refusal of a wrong type can show it: no
 * answer has the field. OPEN where the specification gives nothing but a name.
 */
function levelOf({ requests, answers }: Field): RequirementLevel {
  const all = [...requests, ...answers];
  if (all.some(({ required, condition }) => required || condition !== undefined)) return 'MUST';
  if (all.every(({ schema }) => isAnything(schema))) return 'OPEN';
  if (answers.length === 0 && !requests.some(({ schema }) => asksMoreThanType(schema))) return 'SHOULD';
  return 'MUST';
}

function nameOf(node: Schema): string | undefined {
  const table = tableOf(node);
  return table === undefined ? undefined : tables[table][1];
}

function phrases(occurrences: readonly Occurrence[]): string {
  return [...new Set(occurrences.map(({ schema }) => phrase(schema, nameOf)))].join(', or in some places ');
}

function typesInWords(subject: string, { requests, answers }: Field): string {
  const sent = phrases(requests);
  const shown = phrases(answers);
  if (answers.length === 0) return `In a request ${subject} is ${sent}`;
  if (requests.length === 0) return `In an answer ${subject} is ${shown}`;
  return sent === shown ? `${subject} is ${sent}` : `In a request ${subject} is ${sent}, in an answer ${shown}`;
}

function dutiesInWords({ requests, answers }: Field): string {
  const conditions = new Set(requests.flatMap(({ condition }) => (condition === undefined ? [] : [condition])));
  const sent = requests.some(({ required }) => required)
    ? ['a request must have it']
    : [...conditions].map(condition => `a request must have it when ${condition}`);
  const shown = answers.some(({ required }) => required) ? ['an answer has it'] : [];
  return [...sent, ...shown].map(duty => `; ${duty}`).join('');
}

function statementOf(table: FieldTable, member: string, field: Field, level: RequirementLevel): string {
  const subject = `\`${member}\` of ${tables[table][1]}`;
  if (level === 'OPEN') return `The specification names ${subject} and gives no type for it.`;
  return `${typesInWords(subject, field)}${dutiesInWords(field)}.`;
}

const guardedOnly = 'Only a check of its own effect sends it, and with a right value; no answer shows it.';

function rowOf(table: FieldTable, member: string, nodes: readonly ObjectSchema[]): Requirement<FieldRequirementId> {
  const field = fieldOf(nodes, member);
  const level = levelOf(field);
  const guarded = field.requests.some(({ schema }) => schema.meaning?.semantics === 'guarded');
  return {
    id: `${table}.${member}` as FieldRequirementId,
    section: tables[table][0],
    level,
    statement: statementOf(table, member, field, level),
    endpoints: field.endpoints,
    ...(level === 'SHOULD' && guarded ? { unverified: guardedOnly } : {}),
  };
}

/** One row for each row of each table of fields, derived from the contracts: its types, constraints and whether a request must have it. */
export const fieldRequirements: readonly Requirement<FieldRequirementId>[] = fieldTables.flatMap(
  ([table, ...nodes]) => {
    if (!isFieldTable(table)) throw new RangeError(`The table of fields "${table}" has no section.`);
    const members = new Set(nodes.flatMap(node => Object.keys(node.properties ?? {})));
    return [...members].map(member => rowOf(table, member, nodes));
  },
);
