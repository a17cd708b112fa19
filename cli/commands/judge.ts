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
import { judgingOf, openTrafficReports } from '../traffic.ts';

/** Returns the server whose traffic is judged: the requested one, or the only one in the recordings. */
function chosenBase(given: string | undefined, bases: readonly string[], files: readonly string[]): URL {
  if (given !== undefined) return baseUrlOf(given, '--base-url');
  const [only, ...others] = bases;
  if (others.length > 0)
    refuse(
      `${files.join(', ')}: traffic of several servers (${bases.slice(0, 5).join(', ')}); choose one with --base-url`,
    );
  return new URL(only ?? 'http://nowhere.invalid');
}

/** Judges recordings, in a folder that no run holds. Returns the exit code: 3 if they hold no traffic of the API. */
export const judgeCommand: Work<typeof definition> = (flags, [files]) =>
  inFolder(flags.out, () => judgedRecordings(flags, files));

async function judgedRecordings(flags: JudgeFlags, files: readonly string[]): Promise<number> {
  const unused = () => ['/apiKey', ...(flags.baseUrl === undefined ? [] : ['/baseUrl'])];
  const target = flags.config === undefined ? {} : readTargetFile(flags.config, unused);
  const recorded = await refusing([BrokenRecording], () =>
    files.flatMap(file => [...readRecording(file, readJsonText(file, 'recording'))]),
  );
  const baseUrl = chosenBase(flags.baseUrl ?? target.baseUrl, basesOf(recorded), files);
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
