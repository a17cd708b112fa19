import type { Deviation } from '../../contracts/report/evidence.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { deviationOf } from '../text/symptom.ts';

/** Requirements, and the ways in which answers deviate from them, the most harmful first. The first row counts. */
// biome-ignore format: a table
const worstFirst: readonly (readonly [what: string, requirement: RegExp, ...deviations: Deviation[]])[] = [
  ['strangers come in',         /^auth\.(?!header-case)/],
  ['its insides are shown',     /^robust\.no-leak$/],
  ['data is lost or changed',   /^state\.|^reject\.no-trace$/,                               'value'],
  ['it fails',                  /./,                                                         'failed', 'unanswered'],
  ['no client can read it',     /^service\.route$|^envelope\.(?!content-type|message-readable)/],
  ['what is right is refused',  /./,                                                         'refused'],
  ['what is wrong is accepted', /./,                                                         'accepted'],
  ['another value comes back',  /^(echo|identity|state|accept)\./],
  ['a list is not whole',       /^pagination\./],
  ['a value has another shape', /^(?!message\.|envelope\.|meaning\.)/],
  ['words differ',              /./],
];

/** Returns how harmful what a finding shows is: less is worse. */
export function harmOf(finding: ReportedFinding): number {
  const deviation = deviationOf(finding);
  return worstFirst.findIndex(
    ([, requirement, ...deviations]) =>
      requirement.test(finding.requirement) && (deviations.length === 0 || deviations.includes(deviation)),
  );
}
