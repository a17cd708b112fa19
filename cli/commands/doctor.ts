import { endpointIds } from '../../contracts/endpoints.ts';
import { compact } from '../../contracts/present.ts';
import { counted } from '../../reports/text/page.ts';
import { safeText } from '../../reports/text/safe-text.ts';
import { type Diagnosis, diagnose } from '../../suites/doctor/diagnosis.ts';
import type { DoctorFlags } from '../definitions/target.ts';
import { chooseTarget, waitForTarget, withFoundConfig } from '../target.ts';
import { print } from '../writer.ts';

/** Returns a piece of advice: what for, and the line for the target file. */
const advice = (what: string, line: string): string[] => [`  ${safeText(what, 400)}`, `      ${safeText(line, 400)}`];

/** Returns what a run will be able to prove, and the lines to add for the rest. */
function outlook({ missing, idle, leftOut, provable, complete }: Diagnosis): string[] {
  const lost = endpointIds.filter(id => !provable.includes(id));
  const untested = lost.length === 0 || provable.length === 0 ? '' : `; untested: ${lost.join(', ')}`;
  const withLine = leftOut.filter(({ line }) => line);
  return compact([
    'What a run will be able to prove',
    provable.length === 0
      ? '  nothing, until the problem above is fixed'
      : `  ${provable.length} of ${endpointIds.length} endpoints can be judged${untested}`,
    ...missing.flatMap(gap => advice(`to test ${gap.endpoints.join(', ')}, add to the target file:`, gap.remedy)),
    ...idle.flatMap(({ id, because, remedy }) =>
      remedy === undefined ? [`  ${id}: ${safeText(because, 400)}`] : advice(`to test ${id} (${because}):`, remedy),
    ),
    withLine.length > 0 && '  fields that will not be sent, and what would change that:',
    ...withLine.map(({ remedy, fields }) => `      ${safeText(remedy, 400)} (${counted(fields.length, 'field')})`),
    complete && `  everything${idle.length === 0 ? '' : ' else'}, if the notes above agree with the target file`,
  ]);
}

/** Carries out `doctor`. Returns the exit code: 0 if a run can prove everything, else 3. */
export const command = async (flags: DoctorFlags) => {
  const chosen = await chooseTarget(withFoundConfig(flags));
  try {
    const { target } = chosen;
    await waitForTarget(target, flags);
    const diagnosis = await diagnose({
      target,
      write: flags.write ?? false,
      timeoutMs: flags.timeout,
      now: Date.now,
    });
    const where = chosen.embedded ? `${target.baseUrl.origin} (the embedded reference server)` : target.baseUrl.href;
    const lines = [
      `Looked at ${where} in ${counted(diagnosis.requests, 'request')}, without a change.`,
      ...diagnosis.diagnostics.flatMap(({ area, state, text, remedy }) =>
        compact([
          `  ${state.padEnd(8)} ${area.padEnd(13)} ${safeText(text, 400)}`,
          remedy !== undefined && `${' '.repeat(25)}${safeText(remedy, 400)}`,
        ]),
      ),
      '',
      ...outlook(diagnosis),
    ];
    print(`${lines.join('\n')}\n`);
    return diagnosis.complete ? 0 : 3;
  } finally {
    await chosen.close();
  }
};
