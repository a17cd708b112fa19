import type { Handler } from '../api/request.ts';
import { refuseAny } from '../api/response.ts';
import { revision } from '../directory.ts';
import { groupErrors, noSuchGroup, referenceErrors, sprtErrors } from '../experiment/errors.ts';
import { keptGroups, replacement } from '../experiment/replacement.ts';
import { onEntity } from './on-entity.ts';

/** The operations on experiments. */
export const experimentHandlers = {
  /** Section 4.4: a full replacement. */
  'update-experiment': onEntity<'update-experiment', 'experiments'>(
    'experiments',
    async (experiment, { sent, names, now }) => {
      const groups = keptGroups(experiment, sent.groups);
      refuseAny([...groupErrors(sent.groups), ...(await referenceErrors(names, sent, groups)), ...sprtErrors(sent)]);
      return { kept: replacement(experiment, sent, groups, now) };
    },
  ),

  /** Section 4.8: the named groups are enabled, the others stay. All names must be groups of the experiment. */
  'enable-groups': onEntity<'enable-groups', 'experiments'>('experiments', (experiment, { sent, now }) => {
    const names = sent.group_names;
    const known = new Set(experiment.groups.map(group => group.name));
    refuseAny(
      names.flatMap((name, index) => (known.has(name) ? [] : [noSuchGroup(`group_names.${index}`, experiment.groups)])),
    );
    const enabled = new Set<string | undefined>(names);
    const groups = experiment.groups.map(group => (enabled.has(group.name) ? { ...group, disabled: false } : group));
    return { kept: { ...experiment, ...revision(experiment, now), groups } };
  }),
} satisfies Record<string, Handler>;
