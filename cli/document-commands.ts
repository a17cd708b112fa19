import type { Command } from 'commander';
import { vouched } from '../contracts/redaction/shown.ts';
import { lastReport } from './flags.ts';
import { output } from './streams.ts';

/** Takes the exit code of a command. */
export type Finish = (code: number) => void;

/** Adds the commands that write a document and send nothing: of reports, and of the contract. */
export function documentCommands(program: Command, finish: Finish): void {
  program
    .command('badge')
    .description('Print a badge of a run as SVG: its verdict and its coverage.')
    .argument('[report]', 'the report.json or journal.ndjson of the run', lastReport)
    .option('--label <text>', 'what stands on the left', 'Console API')
    .option('--out <file>', 'write it to a file instead of the standard output')
    .action(async (report, flags) => (await import('./commands/badge.ts')).badgeCommand(report, flags));

  program
    .command('site')
    .description(
      'Write static pages of many runs: implementations × endpoints, the history of each, every drop marked.',
    )
    .argument('<dir...>', 'folders that hold the runs of one implementation each; NAME=DIR gives it another name')
    .option('--out <dir>', 'where the pages go', 'site')
    .option('--title <text>', 'what the pages are called', 'Conformance')
    .action(async (folders, flags) => finish((await import('./commands/site.ts')).siteCommand(folders, flags)));

  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the API.')
    .action(async () => output.write(vouched((await import('./commands/documents.ts')).openapiCommand())));

  program
    .command('schema')
    .description('Print one of the JSON Schemas; without a name, list them.')
    .argument('[name]')
    .action(async name => output.write(vouched((await import('./commands/documents.ts')).schemaCommand(name))));
}
