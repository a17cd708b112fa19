import { endpointsWhere } from '../endpoints.ts';
import { echoing, echoingOrder, identifying, withRequired } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/**
 * Sections 2 and 4: which fields an answer has, which entity it shows, and how a sent value comes back. Types are
 * requirements of single fields.
 */
// biome-ignore format: a table
export const answerRequirements = [
  { id: 'presence.must', section: '4', level: 'MUST', endpoints: withRequired,
    statement: 'The identity of an entity, the fields of `pagination`, of an environment and of a logged event, those of an experiment that 4.4 names, and `isEnabled` of a gate are there.' },
  { id: 'presence.named', section: '4', level: 'SHOULD', endpoints: endpointsWhere(row => row.expected.length > 0),
    statement: 'The other fields that the section of an operation names for its answer are there, when their condition is met.' },

  { id: 'identity.gate-id', section: '4.6', level: 'MUST', sporadic: true, endpoints: identifying('gate'),
    statement: 'The `id` of the gate in the answer is the one in the path.' },
  { id: 'identity.config-id', section: '4.5', level: 'MUST', sporadic: true, endpoints: identifying('config'),
    statement: 'The `id` of the dynamic config in the answer is the one in the path.' },
  { id: 'identity.config-version-id', section: '4.2', level: 'MUST', sporadic: true, endpoints: identifying('config-version'),
    statement: 'The `id` of every listed version is that of the dynamic config in the path.' },
  { id: 'identity.experiment-id', section: '4.4', level: 'MUST', sporadic: true, endpoints: identifying('experiment'),
    statement: 'The `id` of the experiment in the answer is the one in the path.' },
  { id: 'identity.qualifying-event-name', section: '4.3', level: 'MUST', sporadic: true, endpoints: identifying('qualifying-event'),
    statement: 'The `name` of the qualifying event in the answer is the one in the path.' },
  { id: 'identity.metric-id', section: '2.7', level: 'MUST', sporadic: true, endpoints: identifying('metric'),
    statement: 'The `id` of a metric is its own name and type joined by two colons, and those of a created one are the name and type that were sent.' },
  { id: 'identity.event-name', section: '4.15', level: 'MUST', sporadic: true, endpoints: identifying('event'),
    statement: 'The `name` of every listed event is the one in the path.' },

  { id: 'echo.sent-field', section: '4', level: 'MUST', endpoints: echoing,
    statement: 'A field that was sent and that the documented answer contains comes back with the value that was sent, numbers as numbers.' },
  { id: 'echo.unicode', section: '4', standard: 'RFC 8259 §8.2', level: 'MUST', endpoints: echoing,
    statement: 'A text of any script comes back code point for code point, emoji, combining marks, right-to-left letters and upper case included.' },
  { id: 'echo.outside-shape', section: '4', level: 'MUST', endpoints: echoing,
    statement: 'A sent field that the documented answer does not name may be missing from it, but is right if it is there.' },
  { id: 'echo.free-form', section: '4', level: 'MUST', endpoints: echoing,
    statement: 'An object of free form and an array come back whole, while an object with documented members may have gained others.' },
  { id: 'echo.ordered-lists', section: '4', level: 'MUST', endpoints: echoingOrder,
    statement: 'Groups, links, prompts, unit id mappings, metric events and funnel events come back in the order in which they were sent.' },
  { id: 'echo.target-apps', section: '2.3', level: 'MUST', endpoints: ['patch-gate'],
    remedy: 'name target apps under vocabulary.apps',
    statement: 'The `targetApps` of a gate come back as a faithful rendering of what was sent, be it a text or a list.' },
  { id: 'echo.order-and-space', section: '4', level: 'SHOULD', endpoints: echoing,
    statement: 'White space at the ends of a text, the order, duplicates and letter case of tags, and the order of all other lists come back as sent.' },
] as const satisfies RequirementTable;
