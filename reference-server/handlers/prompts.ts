import { namesOf, unknownMembers } from '../api/names.ts';
import { entityNamed } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { refuseAny } from '../api/response.ts';
import { success } from '../api/success.ts';

/** Versions that are kept of one prompt; older ones drop out. */
const kept = 100;

const kinds = { model: 'model', eval_model: 'model', provider: 'provider' } as const;

/** The operations on prompts. */
export const promptHandlers = {
  /** Section 4.13: the prompt must exist. A version that is given no id gets `<prompt>-v<number>`. */
  'create-prompt-version': (request, store, settings) =>
    store.transaction(async transaction => {
      const prompt = await entityNamed(transaction, 'prompts', request);
      const sent = bodyOf<'create-prompt-version'>(request);
      refuseAny(await unknownMembers(namesOf(transaction, settings), sent, kinds));
      const count = prompt.count + 1;
      const version = { id: `${prompt.id}-v${count}`, ...sent };
      const versions = [version, ...prompt.versions].slice(0, kept);
      await transaction.put('prompts', request.param, { id: prompt.id, count, versions });
      return success(request, version);
    }),
} satisfies Record<string, Handler>;
