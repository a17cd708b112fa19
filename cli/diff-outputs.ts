import { type Shown, vouched } from '../contracts/redaction/shown.ts';
import type { DifferenceReport } from '../contracts/report/difference.ts';
import { type DifferenceReporterName, differenceReporters } from '../reports/difference/reporters.ts';
import type { DocumentDisplay } from '../reports/document/terminal.ts';
import type { DiffFlags } from './definitions/diff.ts';
import { refuseTwice, reporterChoices } from './outputs.ts';
import { openFile, output } from './writer.ts';

/** A reporter that was asked for, and how its text is written. */
interface DifferenceOutput {
  readonly name: DifferenceReporterName;
  readonly file: string | null;
  write(text: Shown): void;
}

/**
 * Opens the reporters that were asked for, the terminal if none was, and the JSON document always. Throws a `UsageError`
 * for one that there is not, or that cannot be written, or in the place of a file that is `taken`.
 */
export function outputsOf(flags: Pick<DiffFlags, 'reporter' | 'out'>, taken: readonly string[]): DifferenceOutput[] {
  const choices = reporterChoices(flags, differenceReporters);
  refuseTwice([...taken, ...choices.flatMap(({ file }) => file ?? [])]);
  return choices.map(({ name, file, under }) => {
    if (file === null) return { name, file, write: output.write };
    const opened = openFile(file, '--out', under);
    return {
      name,
      file,
      write: text => {
        opened.write(text);
        opened.close();
      },
    };
  });
}

/** Writes a comparison by its reporters. `others` names the files that were written besides. */
export async function writeDifference(
  report: Shown<DifferenceReport>,
  outputs: readonly DifferenceOutput[],
  { others, columns, ...display }: DocumentDisplay & { readonly others: readonly string[] },
): Promise<void> {
  const files = [...outputs.flatMap(({ file }) => file ?? []), ...others];
  for (const { name, file, write } of outputs) {
    const isPlain = file !== null;
    const text = await differenceReporters[name].text(report, {
      ...display,
      colour: display.colour && !isPlain,
      ...(columns === undefined || isPlain ? {} : { columns }),
      files,
    });
    write(vouched(text));
  }
}
