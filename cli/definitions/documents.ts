import { type Command, Option } from '@commander-js/extra-typings';
import { type FlagsOf, gather, lastReport, mostShown, percent, wholeNumber } from '../flags.ts';

/** Commands that read reports, and commands that print catalogues. None of them sends anything. */

export const list = (program: Command) =>
  program
    .command('list')
    .description(
      'List what there is: endpoints, checks, units (endpoint/check), requirements, faults, dialects or reporters.',
    )
    .argument('[what]', 'endpoints, checks, units, requirements, faults, dialects or reporters', 'endpoints')
    .option('--only <glob>', 'as `run` would select them: endpoint, check, endpoint/check or requirement', gather, [])
    .option('--skip <glob>', 'all but these (repeatable)', gather, []);

export const report = (program: Command) =>
  program
    .command('report')
    .description('Render the journals of earlier runs again.')
    .argument('<journal...>', 'journal.ndjson files; several are the shards of one run')
    .option('--reporter <name[=file]>', 'a reporter, see `list reporters` (repeatable; default: terminal)', gather, [])
    .option('--baseline <file>', 'known failures that do not fail the run')
    .option('--min-coverage <percent>', 'exit 3 if coverage is below this', percent)
    .option('--out <dir>', 'where the reports go', 'conform-report')
    .option('--verbose', 'show causes with all evidence, and the observations too')
    .option('--max-failures <n>', 'how many causes to show whole, or all', mostShown);

export const verify = (program: Command) =>
  program
    .command('verify')
    .description('Verify a result that somebody else made: what contradicts it, and what it leaves out.')
    .argument('<file...>', 'journal.ndjson (several are the shards of one run), report.json, and the file of --record')
    .option('--attestation <file>', 'the file of `run --attest`: does it say what the result shows?')
    .option('--subject <name@sha256:digest>', 'what the attestation has to be about')
    .option('--key <file>', 'PEM file of the public key that signed the attestation');

export const compare = (program: Command) =>
  program
    .command('compare')
    .description(
      'Show several runs side by side, the oldest first: what got better or worse, what is observed differently.',
    )
    .argument('<run...>', 'report.json or journal.ndjson files, two or more')
    .option('--reporter <name[=file]>', 'terminal, markdown, html (repeatable; default: terminal)', gather, [])
    .addOption(
      new Option('--fail-on <what>', 'exit 1 where the last run is worse than one before it, or verifies less').choices(
        ['regression'],
      ),
    );

export const baselineUpdate = (program: Command) =>
  program
    .command('baseline')
    .description('Known failures that do not fail the gate.')
    .command('update')
    .description('Write the baseline anew from a complete run; reasons that are there are kept.')
    .argument('<journal>', 'the journal.ndjson or report.json of the run')
    .requiredOption('--baseline <file>', 'the baseline to write')
    .option('--reason <text>', 'why new entries may fail');

export const explain = (program: Command) =>
  program
    .command('explain')
    .description(
      'Explain a requirement, a check, an endpoint, endpoint/check (with a report: what came of it), a cause of a report (F3) with its evidence, or its coverage.',
    )
    .argument('<id>', 'an id, or `coverage`: of an operation or a relation (patch-gate, alone) every cell')
    .argument(
      '[of...]',
      `the report.json or journal.ndjson (default: ${lastReport}); of coverage an operation or a relation before it`,
    );

export const badge = (program: Command) =>
  program
    .command('badge')
    .description('Print a badge of a run as SVG: its verdict and its coverage.')
    .argument('[report]', 'the report.json or journal.ndjson of the run', lastReport)
    .option('--label <text>', 'what stands on the left', 'Console API')
    .option('--out <file>', 'write it to a file instead of the standard output');

export const site = (program: Command) =>
  program
    .command('site')
    .description(
      'Write static pages of many runs: implementations × endpoints, the history of each, every drop marked.',
    )
    .argument(
      '<dir...>',
      'folders that hold the runs of one implementation each (NAME=DIR gives it another name), or results with their implementation.json, which are verified',
    )
    .option('--out <dir>', 'where the pages go', 'site')
    .option('--max-age <days>', 'the age at which a result with an envelope is expired', wholeNumber(1), 365)
    .option('--redact-hosts', 'show no name of a host')
    .option('--title <text>', 'what the pages are called', 'Conformance');

export const openapi = (program: Command) =>
  program.command('openapi').description('Print the OpenAPI 3.1 document of the API.');

export const schema = (program: Command) =>
  program.command('schema').description('Print one of the JSON Schemas; without a name, list them.').argument('[name]');

export type ListFlags = FlagsOf<typeof list>;
export type ReportFlags = FlagsOf<typeof report>;
export type VerifyFlags = FlagsOf<typeof verify>;
