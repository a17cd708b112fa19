import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { RelationId } from '../../ledger/relations.ts';

/**
 * The requirements that judge a broken cell of each relation, refusal or acceptance first. `field`: the field's own
 * requirement, a MUST for everything that the tables state beyond a type.
 */
// biome-ignore format: a table
export const breaches: Readonly<Record<RelationId, readonly (RequirementId | 'field')[]>> = {
  accepted:         ['accept.plain-value', 'echo.sent-field', 'echo.outside-shape'],
  absent:           ['accept.optional-absent'],
  member:           ['accept.stated-boundary', 'echo.sent-field'],
  bound:            ['accept.stated-boundary', 'echo.sent-field'],
  null:             ['accept.documented-null'],
  'two-values':     ['accept.plain-value', 'echo.sent-field'],
  'both-ways':      ['accept.plain-value', 'echo.sent-field'],
  fraction:         ['accept.plain-value', 'echo.sent-field'],
  long:             ['accept.combination', 'echo.sent-field'],
  'letter-case':    ['accept.plain-value', 'echo.sent-field'],
  'outer-blanks':   ['accept.combination', 'echo.order-and-space'],
  signs:            ['accept.plain-value', 'echo.sent-field'],
  'beyond-bmp':     ['accept.plain-value', 'echo.unicode'],
  alone:            ['accept.plain-value', 'state.patch-every-sent'],
  'member-alone':   ['accept.plain-value', 'state.patch-every-sent'],
  kept:             ['state.patch-only-sent'],
  'in-company':     ['accept.combination', 'echo.sent-field'],
  'told-apart':     ['echo.sent-field'],
  'own-part':       ['accept.combination', 'echo.free-form'],
  length:           ['accept.combination', 'echo.free-form'],
  shortened:        ['state.patch-every-sent'],
  'item-changed':   ['echo.free-form'],
  reordered:        ['echo.ordered-lists', 'echo.order-and-space'],
  doubled:          ['accept.combination', 'echo.order-and-space'],
  'wrong-type':     ['reject.wrong-type', 'reject.well-typed-if-accepted'],
  'no-null':        ['reject.wrong-type', 'reject.well-typed-if-accepted'],
  'no-fraction':    ['reject.wrong-type', 'reject.well-typed-if-accepted'],
  'beyond-bound':   ['field'],
  unlisted:         ['field'],
  'off-pattern':    ['field'],
  missing:          ['field', 'reject.metric-event-members'],
  condition:        ['reject.ratio-aggregation', 'reject.skip-validation-columns'],
  'later-item':     ['field'],
  varied:           ['field'],
  'same-presence':  ['presence.must', 'presence.named'],
  'read-back':      ['state.patch-every-sent', 'state.qualifying-event-visible', 'state.metric-as-created'],
  'carried-out':    ['accept.smallest'],
  neighbours:       ['state.neighbours'],
  'without-key':    ['auth.missing-key'],
  'other-key':      ['auth.wrong-key'],
  page:             ['pagination.complete', 'query.limit', 'query.page'],
};
