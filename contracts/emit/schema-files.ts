import { behavioursSchema } from '../behaviour.ts';
import { answerSchema, endpointIds, endpointRow } from '../endpoints.ts';
import { baselineSchema } from '../report/baseline.ts';
import { acknowledgedSchema, differenceReport } from '../report/difference.ts';
import { expectedBreachesSchema } from '../report/expected-breaches.ts';
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
const own: readonly SchemaFile[] = [
  { name: 'acknowledged-differences', title: 'Acknowledged differences', description: 'conform.differences.json: in what a server may differ from the one whose place it takes, with reasons.', schema: acknowledgedSchema },
  { name: 'baseline',      title: 'Baseline',      description: 'conform.baseline.json: failures that are known, with reasons.', schema: baselineSchema },
  { name: 'behaviours',    title: 'Behaviours',    description: 'What a reference server does to requests (serve --behaviours, ctl behave).', schema: behavioursSchema },
  { name: 'difference',    title: 'Difference',    description: 'difference.json: two servers side by side.',                schema: differenceReport },
  { name: 'expected-breaches', title: 'Expected breaches', description: 'The breaches that the tests of a client make on purpose (--expect-breach).', schema: expectedBreachesSchema },
  { name: 'implementation', title: 'Implementation', description: 'implementation.json: of what a result is, and how it is made again (site).', schema: implementationSchema },
  { name: 'journal-event', title: 'Journal event', description: 'One line of journal.ndjson.',                              schema: runEvent },
  { name: 'report',        title: 'Report',        description: 'report.json: a whole run, folded from its journal.',       schema: reportSchema },
  { name: 'seed',          title: 'Seed',          description: 'What a reference server holds at first and after a reset (serve --seed).', schema: seedSchema },
  { name: 'target-file',   title: 'Target file',   description: 'conform.config.json: where the target is and what it has.', schema: targetFileSchema },
];

/** Every schema that is written as a file: resources, request bodies, answers, and the formats of the suite. */
export const schemaFiles: readonly SchemaFile[] = [...resources, ...bodies, ...answers, ...own];
