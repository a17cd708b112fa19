import type { JsonObject } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { type CheckContext, minimalApiRequest, violation } from '../../protocol/check.ts';
import type { Suspicion } from '../../state/attribution.ts';
import { putBackQualifyingEvent, watchEntity } from '../../state/control.ts';
import { mostTogether, sendTogether } from '../../state/crowd.ts';
import { hindrance } from '../../state/race.ts';
import { readList, readQualifyingEvent } from '../../state/reading.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { fixtureNames } from '../../sut/target.ts';
import { livedThrough, raceMark, raceOver, racing } from './race.ts';
import type { NamedScenario, Scenario } from './scenario.ts';

/** The fields in which updates at once differ: whether an update replaces the whole is not said, so all send all. */
const contested = (mark: string): JsonObject => ({
  description: `${mark}. `.repeat(8).trim(),
  tags: [`${mark}-0`, `${mark}-1`, `${mark}-2`],
});

/** Updates at once of one source, each with all fields that any of them has. */
function updates(context: CheckContext, count: number): NamedScenario {
  const name = context.minimal.param ?? '';
  const { row } = context;
  const isSent = (field: string): boolean => context.target.withheld?.(field) === undefined;
  return {
    title: `${count} updates at once of one qualifying event`,
    run: raceOver({
      rules: {
        row,
        fields: 'state.concurrent-values',
        keepsRest: false,
        trace: 'reject.no-trace',
        at: '/data/*',
        mark: raceMark(context.token),
      },
      read: session => readQualifyingEvent(session, name),
      writes: (_before, mark) =>
        Array.from({ length: count }, (_, index) => {
          const all = Object.entries(contested(`${mark}${'abcdefgh'[index]}`)).filter(([field]) => isSent(field));
          const fields = Object.fromEntries(all) as JsonObject;
          return racing(minimalApiRequest(context, { ...context.minimal.body, ...fields }), fields);
        }),
      watch: (session, readings) => watchEntity(row, () => readQualifyingEvent(session, name), readings),
      putBack: (session, { eventually }, before) => putBackQualifyingEvent(session, name, before, eventually),
    }),
  };
}

/** Updates at once, each of a source of its own: each is stored in its own. */
const apart: Scenario = (context, session, { eventually, attribute }) => {
  const { target, discovered, token, row } = context;
  const most = (context.amounts.races ?? 1) > 1 ? mostTogether : 3;
  const names = fixtureNames(target, 'qualifyingEvents').slice(0, most);
  return attribute(session, {
    async attempt(round) {
      if (names.length < 2) return { because: 'this takes two qualifying events' };
      const writes = names.flatMap((name, index) => {
        const minimal = minimalRequest(target, discovered, 'update-qualifying-event', name);
        const description = `${raceMark(token)}-apart-${round}-${index}`;
        const request: ApiRequest | null = isBlockedRequest(minimal)
          ? null
          : { endpoint: 'update-qualifying-event', param: name, body: { ...minimal.body, description } };
        return request === null ? [] : [{ name, description, request }];
      });
      const answers = await sendTogether(
        session,
        writes.map(({ request }) => request),
      );
      const hindered = hindrance(answers);
      if (hindered !== undefined) return livedThrough(hindered);
      const accepted = writes.filter((_, index) => answers[index]?.success === true);
      const read = () => readList(session, { endpoint: 'list-qualifying-events' });
      const wrongIn = ({ items }: Awaited<ReturnType<typeof read>>) =>
        accepted.flatMap(one => {
          const item = items.find(({ name }) => name === one.name);
          return item?.description === undefined || item.description === one.description ? [] : [{ ...one, item }];
        });
      const listing = await eventually(read, list => wrongIn(list).length === 0);
      if (listing.items.length === 0) return { because: `the list shows none (${refusalInWords(listing.answer)})` };
      const suspicions = wrongIn(listing).map(({ name, description, item }): Suspicion => {
        const expected = `${inWords(description)} at ${name}, as one of ${writes.length} updates at once`;
        const got = item.description;
        const was = discovered.qualifyingEvents.get(name)?.description;
        const pointer = '/data/*/description';
        return {
          key: `${name} description`,
          violation: violation(listing.answer, 'state.concurrent-answers', pointer, expected, inWords(got)),
          // Lost, or mixed up: somebody else would have written something else.
          certain: got === was || String(got).startsWith(raceMark(token)),
        };
      });
      return { suspicions, covers: ['state.concurrent-answers'] };
    },
    watch: async readings => {
      const moving: string[] = [];
      for (const name of names) {
        const fields = await watchEntity(row, () => readQualifyingEvent(session, name), Math.min(readings, 4));
        moving.push(...fields.map(field => `${name} ${field}`));
      }
      return moving;
    },
    putBack: async () => true,
  });
};

/** Section 4.11: the list shows the values of the last update, also where several meet. */
export function sourceRaces(context: CheckContext): readonly NamedScenario[] {
  const { races = 1 } = context.amounts;
  const alone = Array.from({ length: Math.ceil(races / 2) }, (_, index) => updates(context, index === 1 ? 4 : 2));
  return [...alone, { title: 'updates at once, each of a qualifying event of its own', run: apart }];
}
