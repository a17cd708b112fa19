import { endpointRow } from '../../../contracts/endpoints.ts';
import { membersOf } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { itemsOf } from '../../protocol/answer.ts';
import { type CheckContext, minimalApiRequest, unproved } from '../../protocol/check.ts';
import { readList } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { contextFor } from './sequence-subjects.ts';
import { type Step, stimulus, write } from './stimulus.ts';

const list = 'list-qualifying-events';
const about: readonly RequirementId[] = ['state.qualifying-event-visible'];
/** The default page size (section 8): no list may refuse it. */
const most = 10;

/** Finds a named source beyond the first item of the list, preferably the endpoint's own, and its position. */
async function sourceBeyond(context: CheckContext, session: Parameters<Scenario>[1]) {
  const { items } = await readList(session, { endpoint: list });
  const names = [context.minimal.param ?? '', ...fixtureNames(context.target, 'qualifyingEvents')];
  for (const name of names) {
    const position = items.findIndex(item => item.name === name);
    const own = position < 1 ? undefined : contextFor(context, 'update-qualifying-event', name);
    if (own !== undefined) return { own, name, position };
  }
  return undefined;
}

/**
 * Updates a source between two readings of its page, which is not the first. Pages may be cached separately, so a
 * listing on one page would not show a stale page (sections 4.3 and 4.11).
 */
export const onLaterPage: Scenario = async (context, session, care) => {
  const found = await sourceBeyond(context, session);
  if (found === undefined) return unproved('no source that may be written stands behind another in the list');
  const { own, name, position } = found;
  const limit = Math.min(position, most);
  const query = { limit, page: Math.floor(position / limit) + 1 };
  const page: Step = ({ eventually }) =>
    eventually(
      async () => {
        const answer = await session.send({ endpoint: list, query });
        const isThere = itemsOf(answer, endpointRow(list)).some(({ item }) => membersOf(item).name === name);
        return isThere
          ? undefined
          : { because: `its page does not show the source (${refusalInWords(answer)})`, answer };
      },
      () => session.mayBeBehind?.() !== true,
    );
  const description = `conform ${context.token} later page`;
  const update = write({
    what: 'the update',
    request: () => minimalApiRequest(own, { ...own.minimal.body, description }),
  });
  return stimulus(about, page, update, page)(context, session, care);
};
