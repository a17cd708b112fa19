import {
  type Envelope,
  envelopeSchema,
  openedBy,
  type Statement,
  statementOf,
  statementSchema,
} from '../../contracts/report/attestation.ts';
import type { Report } from '../../contracts/report/report.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { counted } from '../../reports/text/page.ts';
import { safeText } from '../../reports/text/safe-text.ts';
import { keyIn, subjectOf } from '../attestation-file.ts';
import type { VerifyFlags, verify } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuse } from '../input.ts';
import { parseJson, readInput } from '../input-file.ts';
import { handedIn, verified } from '../verification/handed.ts';
import { conditionsOf, omissionsOf } from '../verification/result.ts';
import { print } from '../writer.ts';

/** Returns how an attestation contradicts the result handed in with it. */
function attested(flags: VerifyFlags, report: Report, journal: Buffer | undefined): readonly string[] {
  if (flags.attestation === undefined) return [];
  if (!journal) refuse('--attestation is about a journal.ndjson: hand that in too');
  const file = flags.attestation;
  let value = parseJson(file, readInput(file, 'attestation'));
  if (validatorFor(envelopeSchema)(value).length === 0) {
    if (flags.key === undefined) refuse(`${file} is signed: give the public key with --key`);
    const opened = openedBy(value as Envelope, keyIn(flags.key, '--key'));
    if (opened === null) return [`${file} was not signed by the key of ${flags.key}`];
    value = parseJson(file, opened);
  } else if (flags.key !== undefined) return [`${file} is not signed`];
  const problem = validatorFor(statementSchema)(value)[0];
  if (problem) return [`${file} is no test result (${problem.pointer || 'it'} ${problem.message})`];
  const said = value as Statement;
  // Made anew of the members that a subject has, so that others in the file are a difference.
  const [{ name, digest } = { name: '', digest: { sha256: '' } }] = said.subject;
  const subject = flags.subject === undefined ? { name, digest: { sha256: digest.sha256 } } : subjectOf(flags.subject);
  const made = statementOf(report, subject, journal);
  return JSON.stringify(said) === JSON.stringify(made) ? [] : [`${file} attests something else than this result shows`];
}

const unshown = [
  'Not shown: that these answers came from the server that is named, and when.',
  'A made-up server could have given these answers; to be sure, run it yourself with a --seed nobody knew.',
];

/**
 * Carries out `verify`. Returns the exit code: 0 if nothing contradicts the result, else 1. Throws a `UsageError` if
 * the input is no result, or has another major version.
 */
export const command: Work<typeof verify> = async (flags, [files]) => {
  const handed = handedIn(files);
  const { contradictions, report, notes } = await verified(handed);
  const found = [...contradictions, ...(!report ? [] : attested(flags, report, handed.journals[0]?.bytes))];
  const verdict = found.length === 0 ? '✓ consistent' : `✗ ${counted(found.length, 'contradiction')}`;
  const result = !report
    ? []
    : [
        `result     ${report.verdict}, exit code ${report.exitCode}, of ${report.target.baseUrl}`,
        ...[...omissionsOf(report), ...conditionsOf(report)].map(limit => `           ${limit}`),
      ];
  const told = [verdict, ...found.slice(0, 50).map(line => `  ${line}`), ...result, ...notes, ...unshown];
  // What is quoted of the result must not add lines of its own.
  print(`${told.map(line => safeText(line)).join('\n')}\n`);
  return found.length === 0 ? 0 : 1;
};
