import type { Problem } from '../api/answer.ts';
import type { Experiment, Group } from '../entities.ts';

/** How far the sizes of groups may be from 100 percent: three times 33.33 is meant to be everybody. */
const tolerance = 0.011;

/** The groups of an update have distinct names, distinct ids where they have one, and sizes from 0 that add up to 100. */
export const groupProblems = (groups: readonly Group[]): Problem[] => {
  const problems: Problem[] = [];
  const names = new Set<string | undefined>();
  const ids = new Set<string>();
  for (const [index, { name, size = 0, id }] of groups.entries()) {
    if (name === undefined) problems.push({ property: `groups.${index}.name`, errorMessage: 'is required' });
    else if (names.has(name))
      problems.push({ property: `groups.${index}.name`, errorMessage: 'is the name of another group too' });
    names.add(name);
    if (size < 0) problems.push({ property: `groups.${index}.size`, errorMessage: 'must be at least 0' });
    if (id !== undefined && ids.has(id))
      problems.push({ property: `groups.${index}.id`, errorMessage: 'is the id of another group too' });
    if (id !== undefined) ids.add(id);
  }
  const total = groups.reduce((sum, { size = 0 }) => sum + size, 0);
  if (Math.abs(total - 100) > tolerance)
    problems.push({ property: 'groups', errorMessage: 'must have sizes that add up to 100' });
  return problems;
};

/** The groups as they are kept: one that is sent without id keeps the id of its namesake, else gets a new one. */
export const keptGroups = (before: Experiment, groups: readonly Group[]): Group[] => {
  const namesakes = new Map(before.groups.map(group => [group.name, group.id]));
  const old = new Set(before.groups.map(group => group.id));
  const taken = new Set(groups.map(group => group.id));
  let number = 0;
  const newId = (): string => {
    for (;;) {
      const id = `${before.id}-group-${++number}`;
      if (!taken.has(id) && !old.has(id)) return id;
    }
  };
  return groups.map(group => {
    if (group.id !== undefined) return group;
    const namesake = namesakes.get(group.name);
    const id = namesake !== undefined && !taken.has(namesake) ? namesake : newId();
    taken.add(id);
    return { ...group, id };
  });
};
