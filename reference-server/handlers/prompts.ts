import { unknownMembers } from '../api/names.ts';
import type { Handler } from '../api/request.ts';
import { refuseAny } from '../api/response.ts';
import { onEntity } from './on-entity.ts';

/** Versions that are kept of one prompt; older ones drop out. */
const most = 100;

const kinds = { model: 'model', eval_model: 'model', provider: 'provider' } as const;

/** The operations on prompts. */
export const promptHandlers = {
  /** Section 4.13: the prompt must exist. A version that is given no id gets `<prompt>-v<number>`. */
  'create-prompt-version': onEntity<'create-prompt-version', 'prompts'>('prompts', async (prompt, { sent, names }) => {
    refuseAny(await unknownMembers(names, sent, kinds));
    const count = prompt.count + 1;
    const shown = { id: `${prompt.id}-v${count}`, ...sent };
    return { kept: { id: prompt.id, count, versions: [shown, ...prompt.versions].slice(0, most) }, shown };
  }),
} satisfies Record<string, Handler>;
