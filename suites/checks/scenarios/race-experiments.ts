import { endpoints } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords, inWordsApart } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
import { type CheckContext, covering, minimalApiRequest, unproved, violation } from '../../protocol/check.ts';
import { sendTogether } from '../../state/crowd.ts';
import { hindrance, timelineOf } from '../../state/race.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { lived, raceMark, raceOver, racing } from './race.ts';
import type { NamedScenario, Scenario } from './scenario.ts';

/** That of some values which begins most like another one: most of a torn text is of one write. */
function mostAlike(values: readonly unknown[], got: unknown): unknown {
  const one = [...String(got)];
  const alike = (value: unknown): number => {
    const at = [...String(value)].findIndex((point, index) => point !== one[index]);
    return at === -1 ? one.length : at;
  };
  return values.toSorted((a, b) => alike(b) - alike(a))[0];
}

/** Full updates at once of one experiment: each answer shows, of every field, a value that was sent. */
const updates =
  (round: number): Scenario =>
  async (context, session) => {
    const bodies = ['a', 'b'].map((letter): JsonObject => {
      const mark = `${raceMark(context.token)}-${round}${letter}`;
      return {
        ...context.minimal.body,
        description: `${mark}. `.repeat(8).trim(),
        hypothesis: `${mark}. `.repeat(8).trim(),
      };
    });
    const answers = await sendTogether(
      session,
      bodies.map(body => minimalApiRequest(context, body)),
    );
    const hindered = hindrance(answers);
    if (hindered !== undefined) return lived(hindered);
    let shown = 0;
    const wrong = answers.flatMap(answer =>
      (['description', 'hypothesis'] as const).flatMap(field => {
        const got = dataObject(answer)[field];
        const sent = bodies.map(body => body[field]);
        if (!answer.success || got === undefined) return [];
        shown += 1;
        if (sent.includes(got as string)) return [];
        const [nearest, actual] = inWordsApart(mostAlike(sent, got), got);
        const expected = `one of the ${sent.length} values that were sent, such as ${nearest}`;
        const writes = bodies.map(body => racing(minimalApiRequest(context, body), { [field]: body[field] ?? null }));
        const after = { entity: dataObject(answer), answer };
        const timeline = timelineOf({ writes, answers, before: {}, after }, field);
        return [{ ...violation(answer, 'state.concurrent-values', `/data/${field}`, expected, actual), timeline }];
      }),
    );
    return shown === 0 ? unproved('no answer shows what was sent') : covering(wrong, ['state.concurrent-values']);
  };

/** An experiment is updated while groups of it are enabled: the update is still there. */
function enabling(context: CheckContext): NamedScenario {
  const { target, discovered, minimal } = context;
  const { param } = minimal;
  const update = minimalRequest(target, discovered, 'update-experiment', param);
  const body = isBlockedRequest(update) ? {} : (update.body ?? {});
  return {
    title: 'enabling groups beside an update',
    run: raceOver({
      rules: {
        row: endpoints['update-experiment'],
        fields: 'state.concurrent-fields',
        keepsRest: false,
        at: '/data',
        mark: raceMark(context.token),
      },
      // No operation reads an experiment: one that enables what is enabled shows it.
      async read(session) {
        const answer = await session.send(minimalApiRequest(context));
        return { entity: answer.success ? dataObject(answer) : null, answer };
      },
      writes: (_before, mark) => {
        const fields = { description: `${mark}. `.repeat(4).trim(), hypothesis: `${mark}. `.repeat(4).trim() };
        return [
          racing({ endpoint: 'update-experiment', param, body: { ...body, ...fields } }, fields),
          racing(minimalApiRequest(context), {}),
        ];
      },
      // Nobody else writes the mark of a race, and what was there before is no value of it.
      watch: async () => [],
    }),
  };
}

/** Section 4.4: of full updates at once each answer shows what was sent. */
export const experimentRaces = ({ amounts: { races = 1 } }: CheckContext): readonly NamedScenario[] =>
  Array.from({ length: Math.ceil(races / 2) }, (_, round) => ({
    title: 'full updates at once of one experiment',
    run: updates(round),
  }));

/** Section 4.8: enabling groups beside an update loses nothing of it. */
export const enableRaces = (context: CheckContext): readonly NamedScenario[] =>
  isBlockedRequest(minimalRequest(context.target, context.discovered, 'update-experiment', context.minimal.param))
    ? []
    : Array.from({ length: Math.ceil((context.amounts.races ?? 1) / 3) }, () => enabling(context));

/** Full sets at once, all alike: each answer lists every environment, which the checks of answers compare. */
const sets: Scenario = async (context, session) => {
  const answers = await sendTogether(
    session,
    Array.from({ length: (context.amounts.races ?? 1) > 1 ? 3 : 2 }, () => minimalApiRequest(context)),
  );
  const hindered = hindrance(answers);
  if (hindered !== undefined) return lived(hindered);
  const first = answers.find(({ success }) => success);
  if (first === undefined) return unproved('every set was refused');
  const names = (context.minimal.body?.environments as JsonObject[] | undefined)?.map(({ name }) => name) ?? [];
  const wrong = answers.flatMap(answer => {
    const { environments } = dataObject(answer);
    if (!answer.success || !Array.isArray(environments)) return [];
    const twice = names.filter(name => environments.filter(one => (one as JsonObject)?.name === name).length > 1);
    if (twice.length === 0) return [];
    const expected = 'each environment once, for all sets that were sent at once are the same';
    const actual = `${twice.map(inWords).join(', ')} more than once (${refusalInWords(answer)})`;
    return [violation(answer, 'state.concurrent-answers', '/data/environments', expected, actual)];
  });
  return covering(wrong, ['state.concurrent-answers']);
};

/** Section 4.1: the same set at once from several clients. */
export const environmentRaces = ({ amounts: { races = 1 } }: CheckContext): readonly NamedScenario[] =>
  Array.from({ length: Math.ceil(races / 3) }, () => ({
    title: 'the same full set of environments at once',
    run: sets,
  }));
