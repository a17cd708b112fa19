import type { BodyOf } from '../../contracts/endpoints.ts';
import { notFound, type Problem, refuseAny } from '../api/answer.ts';
import { checkName } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { sentOf } from '../api/sent.ts';
import { success } from '../api/success.ts';

type Body = BodyOf<'create-prompt-version'>;

/** Versions that are kept of one prompt; older ones drop out. */
const kept = 100;

const references = (sent: Body): Problem[] => {
  const problems: Problem[] = [];
  checkName(problems, 'model', 'model', sent.model);
  checkName(problems, 'eval_model', 'model', sent.eval_model);
  checkName(problems, 'provider', 'provider', sent.provider);
  return problems;
};

/** Create Prompt Version (section 4.13): the prompt must exist. A version that is given no id gets `<prompt>-v<number>`. */
export const createPromptVersion: Handler = (request, store) =>
  store.transaction(async transaction => {
    const prompt = await transaction.get('prompts', request.param);
    if (prompt === undefined) throw notFound('Prompt');
    const sent = sentOf('create-prompt-version', bodyOf<Body>(request));
    refuseAny(references(sent));
    const count = prompt.count + 1;
    const version = { id: `${prompt.id}-v${count}`, ...sent };
    await transaction.put('prompts', request.param, {
      id: prompt.id,
      count,
      versions: [version, ...prompt.versions].slice(0, kept),
    });
    return success('create-prompt-version', version);
  });
