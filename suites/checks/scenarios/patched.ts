import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type JsonObject, type Members, membersOf } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords, said, saidLost } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { violation } from '../../protocol/check.ts';
import type { Suspicion, Untried } from '../../state/attribution.ts';
import { putBackGate, watchEntity } from '../../state/control.ts';
import {
  areComparable,
  type Difference,
  differencesOf,
  differenceViolations,
  volatile,
} from '../../state/difference.ts';
import { mayChange } from '../../state/expected.ts';
import { type Reading, readGate, readSettledGate } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import type { Scenario } from './scenario.ts';

/** What the case before left known of the gate of the endpoint: its last reading, where nothing was suspected. */
export interface LastReading {
  entity: Members | null;
}

/** Why nothing can be told of a gate that is not shown. */
export const unreadable = (answer: Answer): Untried => ({
  because: `the gate could not be read back (${refusalInWords(answer)})`,
  answer,
});

/**
 * Patches a gate and compares the whole gate before and after: every sent field has changed, and no other. What cannot
 * be patched back is tried on the other gates of the target file.
 */
export const patchAndCompare =
  (body: JsonObject, last: LastReading = { entity: null }, onRefused: () => void = () => {}): Scenario =>
  async (context, session, { eventually, attribute }) => {
    const own = context.minimal.param ?? '';
    const others = fixtureNames(context.target, 'gates').filter(gate => gate !== own);
    let id = own;
    let before: Members = {};
    return attribute(session, {
      async attempt(round) {
        id = others[round - 2] ?? own;
        const settled = round === 0 && last.entity !== null ? null : await readSettledGate(session, id, eventually);
        if (settled?.entity === null) return unreadable(settled.answer);
        before = settled?.entity ?? last.entity ?? {};
        last.entity = null;
        const patched = await session.send({ endpoint: 'patch-gate', param: id, body });
        // The acceptance check sends each of these fields too, and reports what comes of it.
        if (isClientError(patched) && round === 0) onRefused();
        if (!patched.success) return { because: `the patch was refused (${refusalInWords(patched)})` };
        // As it was sent: with a name of its own.
        const sent = membersOf(patched.sent) as JsonObject;
        const find = (after: Reading): readonly Suspicion[] => suspicionsOf(context.row, sent, before, after);
        const reading = await eventually(
          () => readGate(session, id),
          after => after.entity === null || find(after).length === 0,
          after =>
            find(after)
              .map(({ key }) => key)
              .join(),
        );
        if (reading.entity === null) return unreadable(reading.answer);
        if (find(reading).length === 0 && id === own) last.entity = reading.entity;
        return { suspicions: find(reading), covers: shownBy(context.row, sent, before, reading.entity) };
      },
      watch: readings => watchEntity(context.row, () => readGate(session, id), readings),
      putBack: () => putBackGate(session, id, before, eventually),
    });
  };

/**
 * What a gate before and after a patch could have shown to be broken. A frame is shown by a write that did something;
 * what had its value before may never have been stored.
 */
export function shownBy(row: Endpoint, body: JsonObject, before: Members, after: Members): readonly RequirementId[] {
  const isWhole = areComparable(row, before, after, [...volatile, ...mayChange(body)]);
  if (Object.keys(body).length === 0) return isWhole ? ['state.patch-empty-reads'] : [];
  const isChanged = Object.keys(body).some(
    field => after[field] !== undefined && !isDeepStrictEqual(before[field] ?? null, after[field]),
  );
  if (!isChanged) return [];
  return isWhole ? ['state.patch-every-sent', 'state.patch-only-sent'] : ['state.patch-every-sent'];
}

/** What a reading after a patch shows: fields that changed and were not sent, and sent fields that did not change. */
export function suspicionsOf(
  row: Endpoint,
  body: JsonObject,
  before: Members,
  { entity, answer }: Reading,
): readonly Suspicion[] {
  const after = entity ?? {};
  const differences = differencesOf(row, before, after, [...volatile, ...mayChange(body)]);
  const expected = ({ field, before: was }: Difference) => `${field} as it was, for it was not sent: ${inWords(was)}`;
  const changed = differenceViolations(differences, answer, 'state.patch-only-sent', expected);
  return [
    ...changed.map((violation, index) => ({ key: differences[index]?.field ?? '', violation })),
    ...storedMismatches(body, after, row, '/data', { ...before, ...after }).map(({ pointer, sent, got }) => {
      const [field = ''] = steps(pointer.slice('/data'.length));
      const wanted = saidLost(sent, ', when the gate is read afterwards');
      return {
        key: field,
        violation: violation(answer, 'state.patch-every-sent', pointer, wanted, said(got)),
        // Somebody else would have written something else than what was there.
        certain: got === undefined || !differencesOf(row, before, after, []).some(one => one.field === field),
      };
    }),
  ];
}
