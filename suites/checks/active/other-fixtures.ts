import type { Members } from '../../../contracts/json.ts';
import { refusalViolations } from '../../judge/outcome.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
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
  if (row.param === null || row.fixture === null || !['read', 'restorable'].includes(row.effect)) return [];
  const others = fixtureNames(target, row.fixture).filter(name => name !== minimal.param);
  return others.slice(0, mostFixtures).flatMap(name => contextFor(context, endpoint, name) ?? []);
};

/** Returns the minimal request; if something shows its effect, with a change of every field that can be changed. */
export function effectiveRequest(context: CheckContext, session: Session, before: Members | null): ApiRequest {
  const { row, minimal } = context;
  const isShown = row.body !== null && shownBy(row) !== undefined;
  return minimalApiRequest(context, isShown ? wouldChangeAll(context, session, before, minimal.body) : minimal.body);
}

/** Returns the violations of an answer that should refuse the key: a 5xx without a body is a matter of robustness. */
export function keyViolations({ row }: CheckContext, ...refused: Parameters<typeof refusalViolations>) {
  const violations = refusalViolations(...refused);
  return row.body === null ? citing(violations, 'reject.never-5xx', 'robust.never-5xx') : violations;
}

/** Sends each request without a key. A success is a violation even if the right key is not tried. */
export async function sendElsewhere(context: CheckContext, session: Session): Promise<CheckResult> {
  const violations: Violation[] = [];
  let isSent = false;
  for (const own of elsewhere(context)) {
    const request = effectiveRequest(own, session, null);
    const answer = await unlessWithheld(session.send({ ...request, key: { kind: 'none' } }));
    if (answer === null) continue;
    isSent = true;
    violations.push(...keyViolations(context, answer, 'auth.missing-key', `${withoutKey}, at ${request.param}`));
  }
  return isSent ? covering(violations, []) : unproved('what no answer showed could not be put back');
}
