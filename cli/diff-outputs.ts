import { join } from 'node:path';
import { type Shown, vouched } from '../contracts/redaction/shown.ts';
import type { DifferenceReport } from '../contracts/report/difference.ts';
import { type DifferenceReporterName, differenceReporters } from '../reports/difference/reporters.ts';
import type { DocumentDisplay } from '../reports/document/terminal.ts';
import type { DiffFlags } from './definitions/diff.ts';
import { namedOutput } from './outputs.ts';
import { openFile, output } from './writer.ts';

/** A reporter that was asked for, and how its text is written. */
interface DifferenceOutput {
  readonly name: DifferenceReporterName;
  readonly file: string | null;
  write(text: Shown): void;
}

/**
 * Opens the reporters that were asked for, the terminal if none was, and the JSON document always. Throws a `UsageError`
 * for one that there is not, or that cannot be written.
 */
export function outputsOf({ reporter, out }: Pick<DiffFlags, 'reporter' | 'out'>): DifferenceOutput[] {
  const names = Object.keys(differenceReporters) as DifferenceReporterName[];
  const asked = (reporter.length > 0 ? reporter : ['terminal']).map(text => namedOutput(text, names));
  const all = asked.some(({ name, file }) => name === 'json' && file !== null)
    ? asked
    : [...asked, { name: 'json' as const }];
  return all.map(({ name, file }: (typeof asked)[number]) => {
    const usual = differenceReporters[name].file;
    const place = file === undefined ? (usual === null ? null : join(out, usual)) : file;
    if (place === null) return { name, file: null, write: output.write };
    const opened = openFile(place, '--out', file === undefined ? out : undefined);
    return {
      name,
      file: place,
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
