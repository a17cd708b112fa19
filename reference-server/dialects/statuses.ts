import { successStatus } from './answering.ts';
import type { Dialect } from './dialect.ts';

/** Other codes of success, where the specification gives none (section 4 gives 200 for 4.6 and 4.10). */
// biome-ignore format: a table
export const statusDialects: readonly Dialect[] = [
  { id: 'created-201',  section: '4.9, 4.13',           title: 'answers 201 to creations',                              endpoints: ['create-metric', 'create-prompt-version'],                        ...successStatus(201) },
  { id: 'accepted-202', section: '4.1, 4.3 to 4.8',     title: 'answers 202 to changes, but where a code is given',     endpoints: ['update-environments', 'update-qualifying-event', 'update-experiment', 'disable-config', 'disable-gate', 'enable-groups'], ...successStatus(202) },
  { id: 'lists-203',    section: '4.2, 4.11 to 4.15',   title: 'answers 203 to lists, for a proxy stands in between',   endpoints: ['list-config-versions', 'list-qualifying-events', 'list-segments', 'list-event-metrics', 'list-events'], ...successStatus(203) },
];
