import { endpointsWhere } from '../endpoints.ts';
import { echoing, echoingOrder, identifying, withRequired } from './bindings.ts';
import { requirementTable, sporadic } from './requirement.ts';

/**
 * Sections 2 and 4: the fields of an answer, the entity that it shows, and how sent values come back. Types are
 * requirements of single fields.
 */
// biome-ignore format: a table
export const answerRequirements = requirementTable([
  ['presence.must', 'MUST', '4', withRequired,
    'The identity of an entity, the fields of `pagination`, of an environment and of a logged event, those of an experiment that 4.4 names, `isEnabled` of a gate, and `version` of gates, dynamic configs and experiments are there.'],
  ['presence.named', 'SHOULD', '4', endpointsWhere(row => row.expected.length > 0),
    'The other fields that the section of an operation names for its answer are there, when their condition is met.'],

  ['identity.gate-id', 'MUST', '4.6', identifying('gate'),
    'The `id` of the gate in the answer is the one in the path.', sporadic],
  ['identity.config-id', 'MUST', '4.5', identifying('config'),
    'The `id` of the dynamic config in the answer is the one in the path.', sporadic],
  ['identity.config-version-id', 'MUST', '4.2', identifying('config-version'),
    'The `id` of every listed version is that of the dynamic config in the path.', sporadic],
  ['identity.experiment-id', 'MUST', '4.4', identifying('experiment'),
    'The `id` of the experiment in the answer is the one in the path.', sporadic],
  ['identity.qualifying-event-name', 'MUST', '4.3', identifying('qualifying-event'),
    'The `name` of the qualifying event in the answer is the one in the path.', sporadic],
  ['identity.metric-id', 'MUST', '2.7', identifying('metric'),
    'The `id` of a metric is its own name and type joined by two colons, and those of a created one are the name and type that were sent.',
    sporadic],
  ['identity.event-name', 'MUST', '4.15', identifying('event'),
    'The `name` of every listed event is the one in the path.', sporadic],

  ['echo.sent-field', 'MUST', '4', echoing,
    'A field that was sent and that the documented answer contains comes back with the value that was sent, numbers as numbers.'],
  ['echo.unicode', 'MUST', '4', echoing,
    'A text of any script comes back code point for code point, emoji, combining marks, right-to-left letters and upper case included.',
    { standard: 'RFC 8259 §8.2' }],
  ['echo.outside-shape', 'MUST', '4', echoing,
    'A sent field that the documented answer does not name may be missing from it, but is right if it is there.'],
  ['echo.free-form', 'MUST', '4', echoing,
    'An object of free form and an array come back whole, while an object with documented members may have gained others.'],
  ['echo.ordered-lists', 'MUST', '4', echoingOrder,
    'Groups, links, prompts, unit id mappings, metric events and funnel events come back in the order in which they were sent.'],
  ['echo.target-apps', 'MUST', '2.3', ['patch-gate'],
    'The `targetApps` of a gate come back as a faithful rendering of what was sent, be it a text or a list.',
    { remedy: 'name target apps under vocabulary.apps' }],
  ['echo.order-and-space', 'SHOULD', '4', echoing,
    'White space at the ends of a text, the order, duplicates and letter case of tags, and the order of all other lists come back as sent.'],
]);
