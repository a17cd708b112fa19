import { membersOf } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { said } from '../../judge/words.ts';
import { isAccepted, isDryRun } from '../../protocol/answer.ts';
import { notJudged, type PassiveCheck, passed, violated } from '../../protocol/check.ts';

/** Section 1: an operation with a stated message answers with exactly that text. */
export const message: PassiveCheck = {
  kind: 'passive',
  id: 'message',
  level: 'MUST',
  title: 'The message of a success is exactly the documented one',
  detects: 'A message reworded, translated, without its full stop, or that of another operation.',
  requirements: (_row, endpoint) => [`message.${endpoint}` as RequirementId],
  appliesTo: row => row.message !== null,
  observe(answer, row) {
    // A dry run updates nothing, so its message is open.
    if (!answer.success || !answer.own || isDryRun(answer)) return notJudged;
    const text = membersOf(answer.value).message;
    if (typeof text !== 'string') return notJudged;
    if (text === row.message) return isAccepted(answer) ? passed : notJudged;
    const requirement = `message.${answer.request.endpoint}` as RequirementId;
    return violated(answer, requirement, '/message', said(row.message), said(text));
  },
};
