import { isOperation } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  unproved,
} from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import type { Violation } from '../../protocol/violation.ts';
import { differenceInWords, differencesOf } from '../../state/difference.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';

/** The settings of an experiment: what an update sends. Everything else of an answer is computed, stamped or open. */
const settings = new Set(Object.keys(endpoints['update-experiment'].body.properties));

type Entity = Readonly<Record<string, unknown>>;

/** Groups without their `disabled`, which is what the operation is about. */
function comparable(experiment: Entity): Entity {
  const { groups } = experiment;
  const plain = Array.isArray(groups)
    ? groups.map(group => {
        const { disabled: _, ...rest } = (group ?? {}) as Entity;
        return rest;
      })
    : groups;
  return { ...Object.fromEntries(Object.entries(experiment).filter(([field]) => settings.has(field))), groups: plain };
}

/** Two operations may show different parts of an experiment: what both show is compared. */
function common(experiment: Entity, other: Entity): Entity {
  return Object.fromEntries(Object.entries(comparable(experiment)).filter(([field]) => other[field] !== undefined));
}

async function frame(context: CheckContext, session: Session): Promise<CheckResult> {
  const { param } = context.minimal;
  const update = minimalRequest(context.target, context.discovered, 'update-experiment', param);
  const first = isBlockedRequest(update)
    ? await session.send(minimalApiRequest(context))
    : await session.send({ endpoint: 'update-experiment', param, body: update.body });
  if (!first.success) return unproved(`the experiment could not be read first (status ${first.status})`);
  const answer = await session.send(minimalApiRequest(context));
  if (!answer.success) return unproved(`enabling was refused (status ${answer.status})`);
  const before = dataObject(first);
  const after = dataObject(answer);
  const violations = differencesOf('enable-groups', common(before, after), common(after, before), [
    'manualQualityScores',
  ]).map(
    (difference): Violation => ({
      requirement: 'state.enable-groups-frame',
      pointer: `/data/${difference.field}`,
      expected: `${difference.field} as it was`,
      actual: differenceInWords(difference),
      answer,
    }),
  );
  return { violations, proved: true };
}

/** Section 4.8: enabling groups leaves the rest of the experiment alone; which groups end up disabled is open. */
export const enableGroupsFrame: ActiveCheck<'enable'> = {
  kind: 'active',
  id: 'rest-unchanged',
  level: 'MUST',
  title: 'Enabling groups leaves the rest of the experiment as it was',
  detects: 'An operation that drops the other groups, resets the allocation or answers with another experiment.',
  requirements: () => ['state.enable-groups-frame'],
  appliesTo: row => isOperation(row, 'experiment', 'enable'),
  plan: context => ({
    cases: ['enable'],
    parallel: false,
    describe: () => ({ title: 'an update, then enabling a group', pointer: '' }),
    run: (_input, session) => frame(context, session),
  }),
};
