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

/**
 * Requests without the key at each other fixture, if they only read or can be undone: a guard may protect a single
 * name.
 */
export const otherFixtures = { title: `${withoutKey}, at each other fixture` };

/** Maximum number of other fixtures: a target file may name hundreds. */
const mostFixtures = 16;

/** Returns the contexts of the operation at other fixtures. */
export const elsewhere = (context: CheckContext): readonly CheckContext[] => {
  const { row, endpoint, target, minimal } = context;
  const isSpared = row.param === null || row.fixture === null || !['read', 'restorable'].includes(row.effect);
  if (isSpared || row.fixture === null) return [];
  const others = fixtureNames(target, row.fixture).filter(name => name !== minimal.param);
  return others.slice(0, mostFixtures).flatMap(name => contextFor(context, endpoint, name) ?? []);
};

/** Sends each request without a key. A success is a violation even if the right key is not tried. */
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
