import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { inWords } from '../../judge/words.ts';
import { isDryRun } from '../../protocol/answer.ts';
import type { PassiveCheck } from '../../protocol/check.ts';

/** Section 1: the nine operations whose message is given answer with exactly that text. */
export const message: PassiveCheck = {
  kind: 'passive',
  id: 'message',
  level: 'MUST',
  title: 'The message of a success is exactly the documented one',
  detects: 'A message reworded, translated, without its full stop, or that of another operation.',
  requirements: endpoint => [`message.${endpoint}` as RequirementId],
  appliesTo: (_endpoint, row) => row.message !== null,
  observe(answer, row) {
    if (!answer.success || !answer.own) return null;
    // A dry run updates nothing, so what its message should say is open.
    if (isDryRun(answer)) return null;
    const { value } = answer;
    if (typeof value !== 'object' || value === null) return null;
    const text = (value as Record<string, unknown>).message;
    if (typeof text !== 'string') return null;
    if (text === row.message) return [];
    return [
      {
        requirement: `message.${answer.request.endpoint}` as RequirementId,
        pointer: '/message',
        expected: JSON.stringify(row.message),
        actual: inWords(text),
        answer,
      },
    ];
  },
};
