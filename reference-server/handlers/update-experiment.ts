import type { BodyOf } from '../../contracts/endpoints.ts';
import { notFound, refuseAny } from '../api/answer.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { sentOf } from '../api/sent.ts';
import { success } from '../api/success.ts';
import { groupProblems, keptGroups } from '../experiment/groups.ts';
import { experimentReferences } from '../experiment/references.ts';
import { replacement } from '../experiment/replacement.ts';
import { sprtProblems } from '../experiment/sprt.ts';

/** Fully Update Experiment (section 4.4). */
export const updateExperiment: Handler = (request, store, { now }) =>
  store.transaction(async transaction => {
    const experiment = await transaction.get('experiments', request.param);
    if (experiment === undefined) throw notFound('Experiment');
    const sent = sentOf('update-experiment', bodyOf<BodyOf<'update-experiment'>>(request));
    const groups = keptGroups(experiment, sent.groups);
    refuseAny([
      ...groupProblems(sent.groups),
      ...(await experimentReferences(transaction, sent, groups)),
      ...sprtProblems(sent),
    ]);
    const changed = replacement(experiment, sent, groups, now());
    await transaction.put('experiments', request.param, changed);
    return success('update-experiment', changed);
  });
