import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { type CheckContext, minimalApiRequest, type Session } from '../../protocol/check.ts';
import { unlessGivenUp, unlessWithheld } from '../../protocol/stop.ts';
import { mostTries, type Suspicion } from '../../state/attribution.ts';
import { putBackQualifyingEvent } from '../../state/control.ts';
import { type Difference, differencesOf, differenceViolations, volatile } from '../../state/difference.ts';
import { readList, readQualifyingEvent } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import type { Scenario } from './scenario.ts';

/** Why nothing is shown by an update that was refused. */
export const refused = (answer: Answer) => ({ because: `the update was refused (${refusalInWords(answer)})`, answer });

/** The minimal update with a description that nobody else writes. */
export const marked = (context: CheckContext, text: string, more: JsonObject = {}): JsonObject => ({
  ...context.minimal.body,
  description: `conform ${context.token} ${text}`,
  ...more,
});

/** The suspicions of what differences show, certain where the member now is one of the marks that were sent. */
export const suspicionsOf = (
  differences: readonly Difference[],
  answer: Answer,
  requirement: RequirementId,
  expected: (difference: Difference) => string,
  marks: readonly unknown[],
  entity = '',
): readonly Suspicion[] =>
  differenceViolations(differences, answer, requirement, expected, '/data/*').map((violation, index) => ({
    key: `${entity} ${differences[index]?.field}`.trim(),
    violation,
    certain: marks.some(mark => isDeepStrictEqual(mark, differences[index]?.after)),
  }));

/** The other qualifying events, by name, as far as the list shows them. */
async function readOthers({ minimal }: CheckContext, session: Session) {
  const listing = await readList(session, { endpoint: 'list-qualifying-events' });
  const others = listing.items.filter(({ name }) => name !== minimal.param);
  return { ...listing, byName: new Map(others.map(item => [String(item.name), item])) };
}

const markOf = (number: number): string => `neighbours ${number}`;

/** A number from `round` on whose mark no source shows: what was hit by it once already would show no change. */
function freshNumber(items: readonly Members[], round: number): number {
  const shown = JSON.stringify(items);
  let number = round;
  while (shown.includes(`${markOf(number)}"`)) number += mostTries;
  return number;
}

/** Updates the subject with marks in its plain fields; in the description alone where the tags may not be written. */
async function sendMarked(context: CheckContext, session: Session, number: number) {
  const text = markOf(number);
  const whole = marked(context, text, { tags: [`conform ${context.token} ${text}`] });
  const answer = await unlessWithheld(session.send(minimalApiRequest(context, whole)));
  if (answer?.success === true) return { body: whole, answer };
  const body = marked(context, text);
  return { body, answer: await session.send(minimalApiRequest(context, body)) };
}

/**
 * An update of one source leaves the others alone. Those that are no fixtures are not put back: what changes in them
 * once may have been changed by others.
 */
export const eventNeighbours: Scenario = (context, session, { eventually, attribute }) => {
  const read = () => readOthers(context, session);
  type Others = Awaited<ReturnType<typeof read>>;
  const fixtures = fixtureNames(context.target, 'qualifyingEvents');
  const atFirst = [...context.discovered.qualifyingEvents].filter(
    ([name]) => name !== context.minimal.param && fixtures.includes(name),
  );
  /** What differs between two readings, of the sources that both show; one that is gone differs in its name. */
  const changed = (before: Others, after: Others) =>
    [...before.byName].flatMap(([name, source]) => {
      const now = after.byName.get(name);
      if (now === undefined)
        return after.complete ? [{ name, differences: [{ field: 'name', before: name, after: undefined }] }] : [];
      const differences = differencesOf(context.row, source, now, volatile);
      return differences.length === 0 ? [] : [{ name, differences }];
    });
  const keys = (before: Others, after: Others): string[] =>
    changed(before, after).flatMap(({ name, differences }) => differences.map(({ field }) => `${name} ${field}`));
  let before: Others;
  let spoilt: readonly string[] = [];
  return attribute(session, {
    async attempt(round) {
      // What earlier updates did to the other fixtures would show no more: they begin as they were before the run.
      for (const [name, source] of atFirst) {
        const now = (await readQualifyingEvent(session, name)).entity;
        if (now !== null && differencesOf(context.row, source, now, volatile).some(one => one.before !== undefined))
          await unlessGivenUp(putBackQualifyingEvent(session, name, source, eventually), false);
      }
      before = await read();
      if (before.items.length === 0 && !before.complete) return { because: 'the list could not be walked to its end' };
      if (before.byName.size === 0) return { because: 'there is no other qualifying event to be left alone' };
      const { body, answer } = await sendMarked(context, session, freshNumber(before.items, round));
      if (!answer.success) return refused(answer);
      const after = await eventually(
        read,
        others => keys(before, others).length === 0,
        others => keys(before, others).join(),
      );
      const found = changed(before, after);
      spoilt = found.map(({ name }) => name);
      return {
        covers: ['state.neighbours'],
        suspicions: found.flatMap(({ name, differences }) =>
          suspicionsOf(
            differences,
            after.answer,
            'state.neighbours',
            () => `the qualifying event ${name} as it was`,
            [body.description, body.tags],
            name,
          ),
        ),
      };
    },
    async watch(readings) {
      const moving: string[] = [];
      let last = await read();
      for (let number = 0; number < readings; number += 1) {
        const next = await read();
        moving.push(...keys(last, next));
        last = next;
      }
      return moving;
    },
    async putBack() {
      let isBack = true;
      for (const name of spoilt) {
        const was = before.byName.get(name);
        const isMine = was !== undefined && fixtures.includes(name);
        isBack = isMine && (await putBackQualifyingEvent(session, name, was, eventually)) && isBack;
      }
      return isBack;
    },
  });
};
