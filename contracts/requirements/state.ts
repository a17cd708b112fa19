import { writes } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/** Sections 3 and 4: what operations do to the entities behind them. Judged by sequences of requests. */
const later = 'Judged by the scenarios, which come after the checks of single requests.';

// biome-ignore format: a table
export const stateRequirements = [
  { id: 'state.patch-only-sent', section: '4.6', level: 'MUST', endpoints: ['patch-gate'], later,
    statement: 'A patch leaves every field of the gate that it does not carry as it was.' },
  { id: 'state.patch-every-sent', section: '3', level: 'MUST', endpoints: ['patch-gate'], later,
    statement: 'A patch changes every field that it carries, in whatever state the gate is, and the gate reads so afterwards.' },
  { id: 'state.patch-empty-reads', section: '4.6', level: 'SHOULD', endpoints: ['patch-gate'], later,
    statement: 'A patch that carries no field succeeds, changes nothing and shows the gate.' },
  { id: 'state.disable-gate-false', section: '4.7', level: 'MUST', endpoints: ['disable-gate'], later,
    statement: 'Disabling a gate shows it with a false `isEnabled`, and so it is afterwards.' },
  { id: 'state.disable-gate-frame', section: '3', level: 'MUST', endpoints: ['disable-gate'], later,
    statement: 'Disabling a gate leaves all its other settings as they were.' },
  { id: 'state.disable-gate-idempotent', section: '3', standard: 'RFC 9110 §9.2.2', level: 'SHOULD', endpoints: ['disable-gate'], later,
    statement: 'Disabling a gate twice succeeds twice and ends in the same state as once.' },
  { id: 'state.disable-unknown-gate', section: '3', level: 'SHOULD', endpoints: ['disable-gate'], later,
    statement: 'Disabling a gate that does not exist is no success.' },
  { id: 'state.enable-groups-frame', section: '4.8', level: 'MUST', endpoints: ['enable-groups'], later,
    statement: 'Enabling groups leaves the experiment as it was, apart from the `disabled` of its groups.' },
  { id: 'state.qualifying-event-visible', section: '4.11', level: 'MUST', endpoints: ['update-qualifying-event', 'list-qualifying-events'], later,
    statement: 'The list of qualifying events shows the values of the last successful update.' },
  { id: 'state.qualifying-event-name-fixed', section: '4.3', level: 'MUST', endpoints: ['update-qualifying-event', 'list-qualifying-events'], later,
    statement: 'An update never changes the name of a qualifying event, whatever `name` it carries.' },
  { id: 'state.dry-run-qualifying-event', section: '4.3', level: 'MUST', endpoints: ['update-qualifying-event', 'list-qualifying-events'], later,
    statement: 'A dry run of an update checks its input and changes no qualifying event.' },
  { id: 'state.dry-run-metric', section: '4.9', level: 'MUST', endpoints: ['create-metric', 'list-event-metrics'], later,
    statement: 'A dry run of a creation checks its input, and no metric of that name appears, neither then nor later.' },
  { id: 'state.metric-default-directionality', section: '2.7', level: 'MUST', endpoints: ['create-metric'], later,
    statement: 'A metric that is created without `directionality` gets increase.' },
  { id: 'state.metric-listed', section: '4.14', level: 'MUST', endpoints: ['create-metric', 'list-event-metrics'], later,
    statement: 'A created metric is listed under each event that the `lineage` of its answer names.' },
  { id: 'state.lineage-truth', section: '4.14', level: 'MUST', endpoints: ['list-event-metrics'], later,
    statement: 'Each metric that is listed under an event has the event in its lineage, itself or through the metrics that its lineage names.' },
  { id: 'state.neighbours', section: '4', level: 'MUST', endpoints: writes, later,
    statement: 'A write to one entity leaves every other entity of its kind alone.' },
  { id: 'state.concurrent-answers', section: '1', level: 'MUST', endpoints: writes, later,
    statement: 'Of many writes at once over several entities of one kind each gets its own answer, and none is lost.' },
  { id: 'state.environments-listed', section: '4.1', level: 'MUST', endpoints: ['update-environments'], later,
    statement: 'The answer to an update of the environments contains every environment that was sent, by its id or name.' },
  { id: 'state.prompt-fields', section: '4.13', level: 'MUST', endpoints: ['create-prompt-version'], later,
    statement: 'The answer to the creation of a prompt version has each field that the body carried, as it was sent.' },
] as const satisfies RequirementTable;
