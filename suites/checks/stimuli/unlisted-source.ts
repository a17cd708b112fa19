import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import {
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  type Session,
  violation,
} from '../../protocol/check.ts';
import { changingIn, type Untried } from '../../state/attribution.ts';
import { type Listing, readList } from '../../state/reading.ts';
import type { Care } from '../scenarios/scenario.ts';

const visible: RequirementId = 'state.qualifying-event-visible';

/** Returns an update with the values that the source had before the run, for each field that it carries. */
function withPresentValues({ minimal, discovered }: CheckContext, body: JsonObject): JsonObject {
  const before = discovered.qualifyingEvents.get(minimal.param ?? '') ?? {};
  const present = Object.entries(before).filter(([field]) => field !== 'name' && Object.hasOwn(body, field));
  return { ...body, ...(Object.fromEntries(present) as JsonObject) };
}

/**
 * Judges an accepted update after which the list lacks its source (section 4.11), as a list does that joins a table
 * without rows for an empty list. Others may have removed the source, and no list need hold it. So it is listed again
 * after an update with the values that it had before, and lacking after the same update once more.
 */
export function unlistedSource(
  context: CheckContext,
  session: Session,
  { attribute, eventually }: Pick<Care, 'attribute' | 'eventually'>,
  body: JsonObject,
): Promise<CheckResult> {
  const name = context.minimal.param ?? '';
  const isIt = (item: { readonly name?: unknown }): boolean => item.name === name;
  const list = (): Promise<Listing> => readList(session, { endpoint: 'list-qualifying-events' }, isIt);
  const holds = ({ items }: Listing): boolean => items.some(isIt);
  const update = (own: JsonObject) => session.send(minimalApiRequest(context, own));
  /** Lists the source with its former values, which is what the absence is held against. */
  async function listedBefore(): Promise<Untried | undefined> {
    const answer = await update(withPresentValues(context, body));
    if (!answer.success) return { because: `the update was refused (${refusalInWords(answer)})`, answer };
    const listing = await eventually(list, holds);
    return holds(listing) ? undefined : { because: 'the list does not hold the source', answer: listing.answer };
  }
  return attribute(session, {
    async attempt(round) {
      const untried = round === 0 ? await listedBefore() : undefined;
      if (untried !== undefined) return untried;
      const answer = await update(body);
      if (!answer.success) return { because: `the update was refused (${refusalInWords(answer)})`, answer };
      const listing = await eventually(list, holds);
      if (holds(listing)) return { suspicions: [], covers: [visible] };
      if (!listing.complete) return { because: 'the list could not be walked to its end', answer: listing.answer };
      const found = violation(listing.answer, visible, '/data', `${name} in the list`, 'it is not listed');
      return { suspicions: [{ key: 'listed', violation: found }], covers: [visible] };
    },
    watch: readings => changingIn(readings, async () => [['listed', holds(await list())]]),
    putBack: async () => (await listedBefore()) === undefined,
  });
}
