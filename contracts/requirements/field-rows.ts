import { boundingKeywords, type Schema } from '../dialect.ts';
import { type Field, fields, type Occurrence } from './field-facts.ts';
import { phrase } from './phrases.ts';
import type { Requirement, RequirementLevel } from './requirement.ts';
import { type FieldRequirementId, tableOf, tables } from './tables.ts';

/** True if a schema, or the schema of its items, states more than a type. */
function statesMoreThanType(schema: Schema): boolean {
  return (
    boundingKeywords.some(keyword => schema[keyword] !== undefined) ||
    (schema.items !== undefined && tableOf(schema.items) === undefined && statesMoreThanType(schema.items))
  );
}

function isAnything(schema: Schema): boolean {
  return (
    schema.type === undefined && schema.enum === undefined && schema.const === undefined && schema.anyOf === undefined
  );
}

/**
 * Returns the level of a field's requirement. MUST: a constraint, a required member or a type in an answer is stated.
 * SHOULD: no answer has the field, so that only refusals of wrong types can show it. OPEN: the specification gives only
 * a name.
 */
export function fieldLevel({ requests, answers }: Field): RequirementLevel {
  const all = [...requests, ...answers];
  if (all.some(({ required, condition }) => required || condition !== undefined)) return 'MUST';
  if (all.every(({ schema }) => isAnything(schema))) return 'OPEN';
  if (answers.length === 0 && !requests.some(({ schema }) => statesMoreThanType(schema))) return 'SHOULD';
  return 'MUST';
}

function nameOf(node: Schema): string | undefined {
  const table = tableOf(node);
  return table ? tables[table][1] : undefined;
}

/** Describes what the schemas of a field accept. */
export function phrases(occurrences: readonly Occurrence[]): string {
  return [...new Set(occurrences.map(({ schema }) => phrase(schema, nameOf)))].join(', or in some places ');
}

function typesInWords(subject: string, { requests, answers }: Field): string {
  const sent = phrases(requests);
  const shown = phrases(answers);
  if (answers.length === 0) return `In a request ${subject} is ${sent}`;
  if (requests.length === 0) return `In an answer ${subject} is ${shown}`;
  return sent === shown ? `${subject} is ${sent}` : `In a request ${subject} is ${sent}; in an answer ${shown}`;
}

function dutiesInWords({ requests, answers }: Field): string {
  const conditions = new Set(requests.flatMap(({ condition }) => (condition === undefined ? [] : [condition])));
  const sent = requests.some(({ required }) => required)
    ? ['a request must have it']
    : [...conditions].map(condition => `a request must have it when ${condition}`);
  const shown = answers.some(({ required }) => required) ? ['an answer has it'] : [];
  return [...sent, ...shown].map(duty => `; ${duty}`).join('');
}

function statementOf(field: Field, level: RequirementLevel): string {
  const subject = `\`${field.member}\` of ${tables[field.table][1]}`;
  if (level === 'OPEN') return `The specification names ${subject} and gives no type for it.`;
  return `${typesInWords(subject, field)}${dutiesInWords(field)}.`;
}

const guardedOnly = 'A right value is sent only where the target demands one, and no answer shows its effect.';

/** Advice for fields that no minimal request has and that no check can explain. */
const remedies: { readonly [id in FieldRequirementId]?: string } = {
  'environment.requiredReviewGroupID':
    'fixtures.environments: [{ "name": …, "requiredReviewGroupID": "a_review_group" }]',
};

function rowOf(field: Field): Requirement<FieldRequirementId> {
  const level = fieldLevel(field);
  const guarded = field.requests.some(one => one.guarded);
  const id = `${field.table}.${field.member}` as FieldRequirementId;
  const remedy = remedies[id];
  return {
    id,
    section: tables[field.table][0],
    level,
    statement: statementOf(field, level),
    endpoints: field.endpoints,
    // A field in requests can be tried, unless only a dedicated check may send it.
    ...(field.requests.every(one => one.guarded) ? { conditional: true as const } : {}),
    ...(level === 'SHOULD' && guarded ? { unverified: guardedOnly } : {}),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** One requirement for each field of each table, derived from the schemas: types, constraints and required members. */
export const fieldRequirements: readonly Requirement<FieldRequirementId>[] = fields.map(rowOf);
