import { boundingKeywords, type Schema } from '../dialect.ts';
import { type Field, fields, type Occurrence } from './field-facts.ts';
import { phrase } from './phrases.ts';
import type { Requirement, RequirementLevel } from './requirement.ts';
import { type FieldRequirementId, tableOf, tables } from './tables.ts';

/** True of a schema that states more than a type, of itself or of its items. */
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
 * The level of a field's requirement. MUST where a constraint, a required member or a type in an answer is stated.
 * SHOULD where no answer has the field, so that only the refusal of a wrong type can show it. OPEN where the
 * specification gives nothing but a name.
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
  return table === undefined ? undefined : tables[table][1];
}

/** What the schemas of a field accept, in words. */
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

const guardedOnly = 'Only a check of its own effect sends it, and with a right value; no answer shows it.';

/** What makes a run send a field that stands in no minimal request, where no check knows. */
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
    // What requests may carry can be tried, unless only a check of its own effect may send it.
    ...(field.requests.every(one => one.guarded) ? { conditional: true as const } : {}),
    ...(level === 'SHOULD' && guarded ? { unverified: guardedOnly } : {}),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** One requirement for each field of each table, derived from the schemas: types, constraints, and who must have it. */
export const fieldRequirements: readonly Requirement<FieldRequirementId>[] = fields.map(rowOf);
