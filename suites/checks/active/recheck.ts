import { isCircumstantial } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { unlessWithheld } from '../../protocol/stop.ts';

/** Returns why a refusal proves nothing (its control is refused now), or null if it proves something. */
export type Recheck = (refused: Answer, sendControl: () => Promise<Answer>) => Promise<string | null>;

/**
 * Makes the recheck of a check. A refusal that may be circumstantial (see `isCircumstantial`) proves something only
 * while the control is accepted. So the control is sent again: at the first refusal with the same words, then ever more
 * rarely (the second, the fourth, the eighth …).
 * @param most maximum number of repeated controls: few if each creates something that stays.
 */
export function createRecheck(most = Number.POSITIVE_INFINITY): Recheck {
  const times = new Map<string, number>();
  let left = most;
  let lost: { readonly status: number; readonly because: string } | null = null;
  return async (refused, sendControl) => {
    if (!isCircumstantial(refused)) return null;
    if (lost !== null) return refused.status === lost.status ? lost.because : null;
    const words = refusalInWords(refused);
    const time = (times.get(words) ?? 0) + 1;
    times.set(words, time);
    if (!Number.isInteger(Math.log2(time)) || left <= 0) return null;
    left -= 1;
    const answer = await unlessWithheld(sendControl());
    if (answer === null || answer.success) return null;
    const because = `its control, accepted before, is refused now (${refusalInWords(answer)}), so a refusal proves nothing`;
    lost = { status: answer.status, because };
    return because;
  };
}
