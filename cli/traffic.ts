import { join } from 'node:path';
import { compact, present } from '../contracts/present.ts';
import { own, type Shown } from '../contracts/redaction/shown.ts';
import { type ExpectedBreaches, expectedBreachesSchema } from '../contracts/report/baseline.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import { clientRequirements } from '../contracts/requirements/index.ts';
import { specificationNaming, type TargetFile } from '../contracts/target.ts';
import { reporters } from '../reports/index.ts';
import { type Line, paint, styled } from '../reports/text/page.ts';
import { safeText } from '../reports/text/safe-text.ts';
import type { ExchangeSink, ExpectedBreach, SeenBreach, TrafficJudge } from '../suites/traffic/index.ts';
import { readBaseline } from './baseline-file.ts';
import { accessOf } from './connection.ts';
import type { ProxyFlags, TrafficFlags } from './definitions/traffic.ts';
import { refuse } from './input.ts';
import { readJson } from './input-file.ts';
import { refuseKey } from './key-command.ts';
import { filesOf, openReports, reporterChoices } from './outputs.ts';
import { refuseTwice } from './own-file.ts';
import { journalLine, keepUnrestored } from './run-folder.ts';
import { addressOf } from './target.ts';
import { readTargetFile, validIn } from './target-file.ts';
import { errors, openFile, shown, tell } from './writer.ts';

/** Reads the expected breaches. Throws a `UsageError` that names the file and its mistake. */
function readExpectedBreaches(file: string): readonly ExpectedBreach[] {
  const kind = 'file of expected breaches';
  const { expected } = validIn<ExpectedBreaches>(file, readJson(file, kind), expectedBreachesSchema, kind);
  const ids: readonly string[] = clientRequirements.filter(({ level }) => level !== 'OPEN').map(({ id }) => id);
  const wrong = expected.find(({ requirement }) => !ids.includes(requirement));
  if (wrong)
    refuse(`${file}: ${JSON.stringify(wrong.requirement)} is no requirement of clients; there are ${ids.join(', ')}`);
  return expected;
}

/** Returns the options of the traffic judge that the flags set. */
export const judgingOf = ({ soleWriter = false, settle, failOn, strict = false, expectBreach }: TrafficFlags) => ({
  soleWriter,
  settleMs: Math.round(settle),
  failOn,
  strict,
  ...(expectBreach !== undefined && { expected: readExpectedBreaches(expectBreach), expectedFile: expectBreach }),
});

/** Opens the journal and the chosen reporters before anything is judged. `taken` names other files of the command. */
export async function openTrafficReports(flags: TrafficFlags, taken: readonly string[]) {
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  const journalFile = join(flags.out, 'journal.ndjson');
  const choices = reporterChoices(flags, reporters);
  refuseTwice([...taken, journalFile, ...filesOf(choices)], compact([flags.baseline]));
  // An existing journal may be the only record of what has to be restored.
  keepUnrestored(journalFile);
  const journal = openFile(journalFile, '--out', flags.out);
  const reports = await openReports(choices, flags, { baseline, journal: journalFile, taken });
  return {
    emit(event: Shown<RunEvent>): void {
      journal.write(journalLine(event));
      reports.event(event);
    },
    /** Writes the reports. Returns the exit code. */
    end(): Promise<number> {
      journal.close();
      return reports.end();
    },
  };
}

/** Returns the values of headers in a target file, as JSON Pointers: traffic is judged with the headers of its client. */
export const headerValues = ({ headers = [] }: TargetFile): readonly string[] =>
  headers.map((_header, index) => `/headers/${index}/value`);

/** Starts the embedded reference server for a proxy. */
async function embedded(apiKey: string) {
  const { createReferenceServer } = await import('../reference-server/index.ts');
  const server = createReferenceServer({ apiKey });
  const { url } = await server.listen();
  const access = { tls: {} };
  return { baseUrl: new URL(url), access, naming: {}, apiKey, embedded: true, close: () => server.close() };
}

/**
 * Returns the target of the proxy. Flags override the config; without both it is the embedded reference server. The
 * proxy needs no key, and has one if it is known. `close` ends what was started. Throws a `UsageError` for a mistake in
 * a flag or the config.
 */
export async function proxiedTarget(flags: ProxyFlags) {
  const { target, config, apiKey: given, apiKeyHeader } = flags;
  if (given !== undefined) refuseKey(given, '--api-key');
  if ((target ?? config) === undefined) return embedded(given ?? 'reference-key');
  const file = readTargetFile(config, read =>
    compact([target !== undefined && '/baseUrl', given !== undefined && '/apiKey', ...headerValues(read)]),
  );
  const baseUrl = addressOf(target, '--target', config, file);
  const naming = { ...file.naming, ...present({ apiKeyHeader }) };
  const named = { ...specificationNaming, ...naming };
  const access = accessOf({ ...flags, header: [] }, baseUrl, named.apiKeyHeader);
  if (access.proxy) tell(`${baseUrl.host} is reached directly: the proxy of the environment is not asked.\n`);
  const apiKey = (given ?? file.apiKey ?? process.env.SERVICE_API_KEY) || undefined;
  return { baseUrl, access, naming, apiKey, embedded: false, close: async () => {} };
}

/**
 * Shows traffic as it passes: a line for each exchange, and one for each breach below it. Writes to the standard error,
 * because the standard output is for the reports.
 */
export function liveLines(colour: boolean) {
  let found: SeenBreach[] = [];
  return {
    /** Receives the breaches that the judge finds in an exchange. */
    breach: (breach: SeenBreach) => void found.push(breach),
    /** Returns a sink that hands each exchange on to a judge and then shows it. */
    around: (judge: TrafficJudge): ExchangeSink => ({
      observe(exchange) {
        found = [];
        judge.observe(exchange);
        const { request, response, number, sentAtMs, answeredAtMs } = exchange;
        const isAnswered = 'status' in response;
        const outcome = isAnswered ? String(response.status) : '---';
        const title: Line = [
          styled('faint', `${String(number).padStart(5)} `),
          `${outcome} ${request.method} ${judge.redaction.url(request.target).slice(0, 160)}`,
          styled(
            'faint',
            `  ${Math.round(answeredAtMs - sentAtMs)} ms${isAnswered ? '' : `  ${judge.redaction.text(response.failure)}`}`,
          ),
        ];
        const breaches = found.map(
          ({ level, side, requirement, text, number: own }): Line => [
            '      ',
            level === 'MUST' ? styled('bad', `✗ ${side}`) : styled('careful', `! ${side}`),
            ` ${requirement}  ${own === number ? '' : `(exchange ${own}) `}${text}`,
          ],
        );
        errors.write(shown(paint([title, ...breaches], colour)));
      },
    }),
  };
}

/** Reports exchanges that could not be read: the first ones as they happen, and the total at the end. */
export function noticing({ redaction }: TrafficJudge) {
  let times = 0;
  return {
    notice(text: string): void {
      times += 1;
      if (times <= 20) tell(`conform: ${safeText(redaction.text(text), 400)}\n`);
    },
    end(): void {
      if (times > 0) errors.say(own`${times} times something passed that could not be read, and was not judged.\n`);
    },
  };
}
