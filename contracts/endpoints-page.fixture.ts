import type { Annotation, Schema } from './dialect.ts';
import { resourceNames } from './endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from './endpoints.ts';
import { code, table } from './markdown.ts';
import { type Field, fields, type Occurrence } from './requirements/field-facts.ts';
import { phrases } from './requirements/field-rows.ts';
import { type FieldTable, tableOf, tables } from './requirements/tables.ts';

const intro = `# Endpoints

The operations of the Console Management API specification and the fields that they carry. Generated from \`contracts/endpoints.ts\` and
\`contracts/resources\` by \`npm run generate\`; do not edit.

Every request carries the key header. Every success is an object with \`message\` and \`data\`, and on lists with \`pagination\`.`;

const legend = `## Fields

How freely the suite may choose a value: a *plain* one is any value of the schema; a *reference* names something that exists at the target;
a *capability* is sent only to a target that declares it; a *guarded* value is sent only by a check of its own. The choice of an object binds all its members.`;

function link(name: FieldTable): string {
  return `[${name}](#${name.toLowerCase()})`;
}

function shape(schema: Schema, list: boolean): string {
  const name = tableOf(schema);
  return `${list ? 'a list of ' : ''}${name === undefined ? 'an object' : link(name)}`;
}

function overview(): string {
  const rows = endpointIds.map((id, at) => {
    const { method, path, section, effect, message } = endpointRow(id);
    return [`${at + 1}`, `[${id}](#${id})`, method, code(path), section, effect, message ?? 'any text'];
  });
  return table(['#', 'id', 'method', 'path', 'section', 'effect', 'message of success'], rows);
}

const identityWords = { param: 'the path parameter', 'name::type': '`name` and `type` joined by `::`' } as const;

function chapter(id: EndpointId): string {
  const { title, method, path, query, body, data, list, success, message, ...row } = endpointRow(id);
  const { expected, itemKey, identity, fixture, leaves } = row;
  const parameters = Object.keys(query?.properties ?? {});
  const facts = [
    `${title}: ${code(`${method} ${path}`)}`,
    ...(parameters.length === 0 ? [] : [`query: ${parameters.map(code).join(', ')}`]),
    `body: ${body === null ? 'none' : shape(body, false)}`,
    `success: ${success === 200 ? 'exactly 200' : 'any 2xx'}, with ${message === null ? 'any `message`' : `the \`message\` ${code(message)}`}`,
    `data: ${shape(data, list)}`,
    ...(expected.length === 0 ? [] : [`expected there, without being required: ${expected.map(code).join(', ')}`]),
    ...(list ? [`items are identified by: ${itemKey.map(code).join(', ') || 'nothing'}`] : []),
    ...(identity === null
      ? []
      : [`${code(identity.member)} of ${list ? 'each item' : '`data`'} is: ${identityWords[identity.is]}`]),
    ...(fixture === null ? [] : [`needs of the target file: ${code(`fixtures.${fixture}`)}`]),
    ...(leaves === undefined ? [] : [`the API cannot undo: ${resourceNames[row.resource]} ${leaves}`]),
  ];
  return [`### ${id}`, facts.map(fact => `- ${fact}`).join('\n')].join('\n\n');
}

function freedom({ semantics = 'plain', refersTo, capability, beside }: Annotation): string {
  const parts = [
    refersTo === undefined ? semantics : `${semantics} (${refersTo})`,
    ...(capability === undefined ? [] : [capability]),
    ...(beside === undefined ? [] : [`beside ${beside.map(code).join(', ')}`]),
  ];
  return parts.join('; ');
}

function required(occurrences: readonly Occurrence[]): string {
  if (occurrences.some(each => each.required)) return 'yes';
  const conditions = new Set(occurrences.flatMap(({ condition }) => (condition === undefined ? [] : [condition])));
  return [...conditions].map(condition => `when ${condition}`).join(', ');
}

function fieldRow({ member, requests, answers }: Field): readonly string[] {
  const freedoms = new Set(requests.map(({ schema }) => freedom(schema.annotation ?? schema.items?.annotation ?? {})));
  return [
    code(member),
    phrases(requests) || 'not sent',
    required(requests),
    [...freedoms].join(', '),
    phrases(answers) || 'not shown',
    required(answers),
  ];
}

function fieldTable(name: FieldTable): string {
  const heads = ['field', 'in a request', 'required', 'choice', 'in an answer', 'always there'];
  const rows = fields.filter(field => field.table === name).map(fieldRow);
  const [section, noun] = tables[name];
  return [`### ${name}`, `Of ${noun} (section ${section}).`, table(heads, rows)].join('\n\n');
}

/** Returns `docs/endpoints.md`: the endpoint table, the facts of each operation, and every table of fields. */
export function endpointsPage(): string {
  const names = [...new Set(fields.map(field => field.table))];
  const parts = [intro, overview(), '## Operations', ...endpointIds.map(chapter), legend, ...names.map(fieldTable)];
  return `${parts.join('\n\n')}\n`;
}
