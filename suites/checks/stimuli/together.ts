import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, type ApiRequest, isDryRun, isSilence } from '../../protocol/answer.ts';
import { canMeet, mostTogether, sendTogether } from '../../state/crowd.ts';
import type { Scene, Step } from './stimulus.ts';

/**
 * Sends requests that are complete at the same moment. One acceptance is enough to go on: it also shows what refused
 * ones have left. `after` sends what the answers call for.
 */
export const together =
  (
    requests: (scene: Scene) => readonly ApiRequest[],
    tooFew: string,
    after?: (answers: readonly Answer[], scene: Scene) => Promise<void>,
  ): Step =>
  async scene => {
    const sent = requests(scene).slice(0, mostTogether);
    if (sent.length < 2) return { because: tooFew };
    const answers = await sendTogether(scene.session, sent);
    const broken = answers.find(answer => isSilence(answer) || answer.status >= 500);
    if (broken !== undefined) return { because: 'a request brought no answer', answer: broken };
    const refused = answers.find(({ success }) => !success);
    // A dry run shows nothing.
    if (refused !== undefined && answers.every(answer => !answer.success || isDryRun(answer)))
      return { because: `of ${answers.length} requests at once all were refused (${refusalInWords(refused)})` };
    // A request that met no other shows nothing of races, only that it was answered.
    const met = canMeet(scene.session) ? answers.filter(({ success }) => success).length : 1;
    if (met < 2) scene.covers.push('robust.never-5xx');
    await after?.(answers, scene);
    return undefined;
  };
