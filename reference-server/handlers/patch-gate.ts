import type { BodyOf } from '../../contracts/endpoints.ts';
import { notFound, type Problem, refuseAny } from '../api/answer.ts';
import { checkMetrics, checkName, checkNames } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { sentOf } from '../api/sent.ts';
import { stamp } from '../api/stamp.ts';
import { success } from '../api/success.ts';
import { directory } from '../directory.ts';
import type { Gate } from '../entities.ts';
import type { Reader } from '../store/store.ts';

type Patch = BodyOf<'patch-gate'>;

/** Reviewers are user ids, email addresses, or objects with such an `id`; anything else is taken as it is. */
const checkReviewers = (problems: Problem[], reviewers: readonly unknown[] = []): void => {
  for (const [index, reviewer] of reviewers.entries()) {
    const name = typeof reviewer === 'string' ? reviewer : (reviewer as { id?: unknown } | null)?.id;
    if (typeof name === 'string' && !directory.user.has(name) && !directory.email.has(name))
      problems.push({ property: `reviewSettings.allowedReviewers.${index}`, errorMessage: 'names no known user' });
  }
};

const references = async (store: Reader, sent: Patch): Promise<Problem[]> => {
  const problems: Problem[] = [];
  checkName(problems, 'idType', 'idType', sent.idType);
  checkName(problems, 'team', 'team', sent.team);
  checkName(problems, 'teamID', 'team', sent.teamID);
  checkName(problems, 'creatorID', 'user', sent.creatorID);
  checkName(problems, 'creatorEmail', 'email', sent.creatorEmail);
  checkName(problems, 'releasePipelineID', 'pipeline', sent.releasePipelineID);
  checkName(problems, 'targetApps', 'app', sent.targetApps);
  checkNames(problems, 'targetApps', 'app', sent.targetApps);
  checkReviewers(problems, sent.reviewSettings?.allowedReviewers);
  await checkMetrics(problems, store, 'monitoringMetrics', sent.monitoringMetrics);
  return problems;
};

const patched = (gate: Gate, { targetApps, ...sent }: Patch, now: number): Gate => ({
  ...gate,
  ...sent,
  // An answer shows a list, whatever was sent (section 2.3).
  ...(targetApps !== undefined && { targetApps: typeof targetApps === 'string' ? [targetApps] : targetApps }),
  ...stamp(now),
  version: (gate.version ?? 0) + 1,
});

/** Partially Update Gates (section 4.6): only what is sent changes. A patch that sends nothing is no change. */
export const patchGate: Handler = (request, store, { now }) =>
  store.transaction(async transaction => {
    const gate = await transaction.get('gates', request.param);
    if (gate === undefined) throw notFound('Gate');
    const sent = sentOf('patch-gate', bodyOf<Patch>(request));
    refuseAny(await references(transaction, sent));
    if (Object.keys(sent).length === 0) return success('patch-gate', gate);
    const changed = patched(gate, sent, now());
    await transaction.put('gates', request.param, changed);
    return success('patch-gate', changed);
  });
