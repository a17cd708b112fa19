import { answeringWith } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/** What sections 2 to 4 leave open of the entities and their states. Observed, never judged. */
// biome-ignore format: a table
export const openEntityRequirements = [
  { id: 'open.owner-types', section: '2.1', level: 'OPEN', endpoints: 'all',
    statement: 'The full set of `ownerType` values is not shown.' },
  { id: 'open.owner-absent', section: '2.1', level: 'OPEN', endpoints: 'all',
    statement: 'Whether an entity that was created through the API has an owner, and with which fields, is open.' },
  { id: 'open.condition-values', section: '2.1', level: 'OPEN', endpoints: ['list-config-versions', 'update-experiment', 'disable-config', 'archive-config', 'list-segments', 'enable-groups'],
    statement: 'The values of `operator`, `field` and `type` of a condition are not shown, and samples disagree on its `targetValue`.' },

  { id: 'open.environment-required', section: '4.1', level: 'OPEN', endpoints: ['update-environments'],
    statement: 'Which fields of an environment a request must have is not shown.' },
  { id: 'open.environment-replacement', section: '4.1', level: 'OPEN', endpoints: ['update-environments'],
    statement: 'Whether environments that are not sent stay or go is not stated; the sample lists a full set.' },

  { id: 'open.gate-item-shapes', section: '2.3', level: 'OPEN', endpoints: answeringWith('gate'),
    statement: 'The shapes of gate rules, monitoring metrics and the gradual rollout strategy are not shown.' },
  { id: 'open.gate-status-values', section: '3', level: 'OPEN', endpoints: answeringWith('gate'),
    statement: 'The full sets of gate `status` and `typeReason` values are not shown.' },
  { id: 'open.gate-status-transitions', section: '3', level: 'OPEN', endpoints: answeringWith('gate'),
    statement: 'Which `status` follows which is not shown, and the sample of a disabled gate proves nothing.' },
  { id: 'open.gradual-rollout', section: '2.3', level: 'OPEN', endpoints: ['patch-gate'],
    statement: 'When a policy requires a rollout strategy, and how a request without it is answered, is not shown.' },
  { id: 'open.version-increase', section: '9', level: 'OPEN', endpoints: ['list-config-versions', 'update-experiment', 'disable-config', 'patch-gate', 'disable-gate', 'enable-groups', 'archive-config'],
    statement: 'When and by how much `version` increases is not shown.' },

  { id: 'open.config-disable-effect', section: '3', level: 'OPEN', endpoints: ['disable-config'],
    statement: 'What disabling a dynamic config does to its `isEnabled` and to any status is not shown.' },
  { id: 'open.config-archive-effect', section: '3', level: 'OPEN', endpoints: ['archive-config'],
    statement: 'What archiving a dynamic config does to its `isEnabled` and to any status is not shown.' },
  { id: 'open.force-archive', section: '4.10', level: 'OPEN', endpoints: ['archive-config'],
    statement: 'What `forceArchive` does is not shown.' },
  { id: 'open.config-repeat', section: '3', level: 'OPEN', endpoints: answeringWith('config'),
    statement: 'How disabling or archiving a dynamic config for the second time is answered is not stated.' },

  { id: 'open.experiment-sample', section: '2.5', level: 'OPEN', endpoints: ['update-experiment'],
    statement: 'Whether `defaultConfidenceInterval` and `status` are required is open, for the list says so and the sample lacks both.' },
  { id: 'open.experiment-status-transitions', section: '3', level: 'OPEN', endpoints: answeringWith('experiment'),
    statement: 'Which `status` of an experiment may follow which is not shown.' },
  { id: 'open.experiment-absent-fields', section: '4.4', level: 'OPEN', endpoints: ['update-experiment'],
    statement: 'Whether a full update resets the optional fields that it does not carry is not stated.' },
  { id: 'open.default-rollup-window', section: '8', level: 'OPEN', endpoints: ['update-experiment'],
    statement: 'Whether a `defaultRollupWindow` other than -1, 1 and 7 is wrong depends on the kind of the experiment, which the API does not show.' },
  { id: 'open.group-sizes', section: '2.5', level: 'OPEN', endpoints: ['update-experiment'],
    statement: 'Whether the sizes of the groups must add up to 100 and their names differ is not stated.' },
  { id: 'open.sprt-default-mde', section: '2.5', level: 'OPEN', endpoints: ['update-experiment'],
    statement: 'In which mode the default effect of a sequential test counts is open, since two rows of the table contradict each other.' },
  { id: 'open.enable-groups-flags', section: '3', level: 'OPEN', endpoints: ['enable-groups'],
    statement: 'Which `disabled` each group has after enabling some is not shown.' },
  { id: 'open.enable-unknown-groups', section: '4.8', level: 'OPEN', endpoints: ['enable-groups'],
    statement: 'How names that no group has, and an empty list of names, are answered is not stated.' },

  { id: 'open.skip-validation', section: '4.3', level: 'OPEN', endpoints: ['update-qualifying-event'],
    statement: 'Who may skip the validation of a query is gated in a way that is not shown.' },
  { id: 'open.sql-validation', section: '4.3', level: 'OPEN', endpoints: ['update-qualifying-event'],
    statement: 'How far a query is validated is not stated.' },

  { id: 'open.metric-item-shapes', section: '2.7', level: 'OPEN', endpoints: ['create-metric', 'list-event-metrics'],
    statement: 'The members of metric events beyond name, type and criteria, and those of component metrics, are not shown.' },
  { id: 'open.metric-response-types', section: '2.7', level: 'OPEN', endpoints: ['create-metric', 'list-event-metrics'],
    statement: 'The set of metric types in answers is open, for it also has types that a request may not send.' },
  { id: 'open.metric-exists', section: '4.9', level: 'OPEN', endpoints: ['create-metric'],
    statement: 'How the creation of a metric that exists already is answered is not stated.' },

  { id: 'open.prompt-required', section: '4.13', level: 'OPEN', endpoints: ['create-prompt-version'],
    statement: 'Which fields of a prompt version a request must have is not shown.' },
  { id: 'open.prompt-roles', section: '2.9', level: 'OPEN', endpoints: ['create-prompt-version'],
    statement: 'Which roles a prompt may have beside system is not shown.' },
  { id: 'open.event-metadata', section: '2.10', level: 'OPEN', endpoints: ['list-events'],
    statement: 'The members of the `metadata` of a logged event are not shown.' },
] as const satisfies RequirementTable;
