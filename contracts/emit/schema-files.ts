import { behavioursSchema } from '../behaviour.ts';
import type { Schema } from '../dialect.ts';
import { answerSchema, endpointIds, endpointRow } from '../endpoints.ts';
import { baselineSchema, expectedBreachesSchema } from '../report/baseline.ts';
import { acknowledgedSchema, differenceReport } from '../report/difference.ts';
import { implementationSchema } from '../report/implementation.ts';
import { runEvent } from '../report/journal.ts';
import { reportSchema } from '../report/report.ts';
import { namedResources } from '../resources/named.ts';
import { seedSchema } from '../seed.ts';
import { targetFileSchema } from '../target.ts';
import type { SchemaFile } from './json-schema.ts';

function titled(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const resources: readonly SchemaFile[] = namedResources.map(([name, schema]) => ({
  name,
  title: titled(name),
  description: schema.description ?? titled(name),
  schema,
}));

const bodies: readonly SchemaFile[] = endpointIds.flatMap(id => {
  const { method, path, title, section, body } = endpointRow(id);
  const description = `The request body of ${method} ${path} (section ${section}).`;
  return body === null ? [] : [{ name: `${id}.request`, title: `${title}: request`, description, schema: body }];
});

const answers: readonly SchemaFile[] = endpointIds.map(id => {
  const { method, path, title, section } = endpointRow(id);
  const description = `A successful answer of ${method} ${path} (section ${section}).`;
  return { name: `${id}.answer`, title: `${title}: answer`, description, schema: answerSchema(id) };
});

// biome-ignore format: a table
const own: readonly (readonly [name: string, description: string, schema: Schema])[] = [
  ['acknowledged-differences', 'conform.differences.json: in what a server may differ from the one whose place it takes, with reasons.', acknowledgedSchema],
  ['baseline', 'conform.baseline.json: failures that are known, with reasons.', baselineSchema],
  ['behaviours', 'What a reference server does to requests (serve --behaviours, ctl behave).', behavioursSchema],
  ['difference', 'difference.json: two servers side by side.', differenceReport],
  ['expected-breaches', 'The breaches that the tests of a client make on purpose (--expect-breach).', expectedBreachesSchema],
  ['implementation', 'implementation.json: of what a result is, and how it is made again (site).', implementationSchema],
  ['journal-event', 'One line of journal.ndjson.', runEvent],
  ['report', 'report.json: a whole run, folded from its journal.', reportSchema],
  ['seed', 'What a reference server holds at first and after a reset (serve --seed).', seedSchema],
  ['target-file', 'conform.config.json: where the target is and what it has.', targetFileSchema],
];

/** Every schema that is written to a file: resources, request bodies, answers, and the formats of the suite. */
export const schemaFiles: readonly SchemaFile[] = [
  ...resources,
  ...bodies,
  ...answers,
  ...own.map(([name, description, schema]) => ({ name, title: titled(name), description, schema })),
];
