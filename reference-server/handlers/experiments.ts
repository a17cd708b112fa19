import { namesOf } from '../api/names.ts';
import { entityNamed, thereAre } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { refuseAny } from '../api/response.ts';
import { success } from '../api/success.ts';
import { revision } from '../directory.ts';
import { groupErrors, referenceErrors, sprtErrors } from '../experiment/errors.ts';
import { keptGroups, replacement } from '../experiment/replacement.ts';

/** The operations on experiments. */
export const experimentHandlers = {
  /** Section 4.4: a full replacement. */
  'update-experiment': (request, store, settings) =>
    store.transaction(async transaction => {
      const experiment = await entityNamed(transaction, 'experiments', request);
      const sent = bodyOf<'update-experiment'>(request);
      const groups = keptGroups(experiment, sent.groups);
      refuseAny([
        ...groupErrors(sent.groups),
        ...(await referenceErrors(namesOf(transaction, settings), sent, groups)),
        ...sprtErrors(sent),
      ]);
      const changed = replacement(experiment, sent, groups, settings.now());
      await transaction.put('experiments', request.param, changed);
      return success(request, changed);
    }),

  /** Section 4.8: the named groups are enabled, the others stay. All names must be groups of the experiment. */
  'enable-groups': (request, store, { now }) =>
    store.transaction(async transaction => {
      const experiment = await entityNamed(transaction, 'experiments', request);
      const names = bodyOf<'enable-groups'>(request).group_names;
      const known = new Set(experiment.groups.map(group => group.name));
      const errorMessage = `names no group of this experiment; ${thereAre(experiment.groups, group => group.name)}`;
      refuseAny(
        names.flatMap((name, index) => (known.has(name) ? [] : [{ property: `group_names.${index}`, errorMessage }])),
      );
      const enabled = new Set<string | undefined>(names);
      const groups = experiment.groups.map(group => (enabled.has(group.name) ? { ...group, disabled: false } : group));
      const changed = { ...experiment, ...revision(experiment, now()), groups };
      await transaction.put('experiments', request.param, changed);
      return success(request, changed);
    }),
} satisfies Record<string, Handler>;
