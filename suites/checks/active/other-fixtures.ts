import { refusalViolations } from '../../judge/outcome.ts';
import {
  type CheckContext,
  type CheckResult,
  covering,
  minimalApiRequest,
  type Session,
  unproved,
  type Violation,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { fixtureNames } from '../../sut/target.ts';
import { wouldChangeAll } from '../scenarios/changes.ts';
import { contextFor } from '../stimuli/sequence-subjects.ts';
import { shownBy } from '../stimuli/shown.ts';
import { withoutKey } from './key-cases.ts';
import { citing } from './robustness.ts';

/** Without the key, at each other fixture of which the work can be undone, or is none: a guard may know one name alone. */
export const otherFixtures = { title: `${withoutKey}, at each other fixture` };

/** So many at most, of a target file that names hundreds. */
const mostFixtures = 16;

/** The operation at other fixtures. */
export const elsewhere = (context: CheckContext): readonly CheckContext[] => {
  const { row, endpoint, target, minimal } = context;
  const isSpared = row.param === null || row.fixture === null || !['read', 'restorable'].includes(row.effect);
  if (isSpared || row.fixture === null) return [];
  const others = fixtureNames(target, row.fixture).filter(name => name !== minimal.param);
  return others.slice(0, mostFixtures).flatMap(name => contextFor(context, endpoint, name) ?? []);
};

/** Sends the request of each without a key: what is opened is a violation whether or not the key opens it. */
export async function sendElsewhere(context: CheckContext, session: Session): Promise<CheckResult> {
  const { row } = context;
  const isChange = row.body !== null && shownBy(row) !== undefined;
  const violations: Violation[] = [];
  let isSent = false;
  for (const own of elsewhere(context)) {
    const { body, param } = own.minimal;
    const request = minimalApiRequest(own, isChange ? wouldChangeAll(own, session, null, body) : body);
    const answer = await unlessWithheld(session.send({ ...request, key: { kind: 'none' } }));
    if (answer === null) continue;
    isSent = true;
    const refused = refusalViolations(answer, 'auth.missing-key', `${withoutKey}, at ${param}`);
    violations.push(...(row.body === null ? citing(refused, 'reject.never-5xx', 'robust.never-5xx') : refused));
  }
  return isSent ? covering(violations, []) : unproved('what no answer showed could not be put back');
}
