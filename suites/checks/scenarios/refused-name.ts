import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { largerProfile } from '../../../contracts/report/remedies.ts';
import { rejectCases } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type ActiveCheck, covering, minimalApiRequest, unproved, violated } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** Creates under a name and an id that only a refused request has had. */
const refusedThenCreated =
  (broken: JsonObject): Scenario =>
  async (context, session) => {
    const name = `conform_${context.token}_refused`;
    const own = { name, id: name };
    const refused = await session.send(minimalApiRequest(context, { ...broken, ...own }));
    if (!isClientError(refused)) return unproved('the broken creation was not refused');
    const send = (body: JsonObject) =>
      unlessWithheld(
        session.send({ ...minimalApiRequest(context, { ...context.minimal.body, ...body }), spare: true }),
      );
    const created = await send(own);
    if (created === null) return unproved('no more may be created');
    if (created.success) return covering([], ['reject.no-trace']);
    if (!isClientError(created)) return unproved(`no answer of use (${refusalInWords(created)})`);
    // Without an id, and with another: whether one may be chosen is another's question.
    const other = await send({ name: `${name}_too`, id: `${name}_too` });
    if (other?.success !== true)
      return unproved(`a creation with an id of its own is refused (${refusalInWords(created)})`);
    const expected = 'a creation: only a refused request has had the name and the id';
    return violated(created, 'reject.no-trace', 'status', expected, refusalInWords(created));
  };

/** Section 4.13: no operation lists prompt versions, but a name or an id that a refused one has taken shows itself. */
export const refusedName: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'refused-name',
  level: 'SHOULD',
  title: 'A refused creation takes neither its name nor its id',
  detects: 'A name that is registered before the request is validated.',
  requirements: () => ['reject.no-trace', ...liveness],
  appliesTo: row => isOperation(row, 'prompt-version', 'create'),
  plan(context) {
    const { row, minimal, target, amounts } = context;
    if (row.body === null || amounts.creations === 1)
      return { because: 'this profile creates nothing for it', remedy: largerProfile };
    const broken = rejectCases(row.body, minimal.body ?? {}, target).cases.find(
      ({ level, keyword, pointer }) => level === 'MUST' && keyword === 'maxLength' && pointer === '/description',
    );
    if (broken === undefined) return { because: 'no field of the body can be broken' };
    return planOf([{ title: 'a refused creation, then one of the same name', run: refusedThenCreated(broken.body) }])(
      context,
    );
  },
};
