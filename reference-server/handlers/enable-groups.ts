import type { BodyOf } from '../../contracts/endpoints.ts';
import { notFound, refuseAny } from '../api/answer.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { stamp } from '../api/stamp.ts';
import { success } from '../api/success.ts';

/** Enable Experiment Groups (section 4.8): the named groups are enabled, the others stay. All names must be groups of the experiment. */
export const enableGroups: Handler = (request, store, { now }) =>
  store.transaction(async transaction => {
    const experiment = await transaction.get('experiments', request.param);
    if (experiment === undefined) throw notFound('Experiment');
    const names = bodyOf<BodyOf<'enable-groups'>>(request).group_names;
    const known = new Set(experiment.groups.map(group => group.name));
    refuseAny(
      names.flatMap((name, index) =>
        known.has(name)
          ? []
          : [{ property: `group_names.${index}`, errorMessage: 'names no group of this experiment' }],
      ),
    );
    const enabled = new Set(names);
    const changed = {
      ...experiment,
      ...stamp(now()),
      groups: experiment.groups.map(group =>
        group.name !== undefined && enabled.has(group.name) ? { ...group, disabled: false } : group,
      ),
      version: (experiment.version ?? 0) + 1,
    };
    await transaction.put('experiments', request.param, changed);
    return success('enable-groups', changed);
  });
