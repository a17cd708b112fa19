import { compact } from '../../contracts/present.ts';
import { specificationNaming } from '../../contracts/target.ts';
import {
  BrokenRecording,
  basesOf,
  createTrafficJudge,
  exchangesOf,
  readRecording,
  showsKeys,
} from '../../suites/traffic/index.ts';
import type { judge as definition, JudgeFlags } from '../definitions/traffic.ts';
import type { Work } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { readJsonText } from '../input-file.ts';
import { inFolder } from '../run-folder.ts';
import { baseUrlOf } from '../target.ts';
import { readTargetFile } from '../target-file.ts';
import { headerValues, judgingOf, openTrafficReports } from '../traffic.ts';

/** Judges recordings, in a folder that no run holds. Returns the exit code: 3 if they hold no traffic of the API. */
export const command: Work<typeof definition> = (flags, [files]) =>
  inFolder(flags.out, () => judgedRecordings(flags, files));

async function judgedRecordings(flags: JudgeFlags, files: readonly string[]): Promise<number> {
  const target = readTargetFile(flags.config, file =>
    compact(['/apiKey', flags.baseUrl !== undefined && '/baseUrl', ...headerValues(file)]),
  );
  const recorded = await refusing([BrokenRecording], () =>
    files.flatMap(file => [...readRecording(file, readJsonText(file, 'recording'))]),
  );
  const given = flags.baseUrl ?? target.baseUrl;
  const bases = basesOf(recorded);
  if (given === undefined && bases.length > 1)
    refuse(
      `${files.join(', ')}: traffic of several servers (${bases.slice(0, 5).join(', ')}); choose one with --base-url`,
    );
  const baseUrl = given === undefined ? new URL(bases[0] ?? 'http://nowhere.invalid') : baseUrlOf(given, '--base-url');
  const read = exchangesOf(recorded, baseUrl.href);
  const naming = { ...specificationNaming, ...target.naming };
  const judging = judgingOf(flags);
  const reports = await openTrafficReports(flags, files);
  const judge = createTrafficJudge({
    ...judging,
    baseUrl,
    naming,
    keysSeen: showsKeys(read, naming.apiKeyHeader),
    sources: files,
    emit: reports.emit,
  });
  for (const { exchange, aside } of read) {
    if (aside === undefined) judge.observe(exchange);
    else judge.setAside(exchange, aside);
  }
  judge.end();
  return reports.end();
}
