import { isDeepStrictEqual } from 'node:util';
import { type Endpoint, isOperation } from '../../../contracts/endpoint.ts';
import { type JsonObject, type Members, membersOf } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type AcceptCase, acceptCases } from '../../generators/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { livenessViolations } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  covering,
  minimalApiRequest,
  unproved,
  violated,
  violation,
} from '../../protocol/check.ts';
import { mostTries, type Suspicion, type Untried } from '../../state/attribution.ts';
import { putBackGate, watchEntity } from '../../state/control.ts';
import {
  areComparable,
  type Difference,
  differencesOf,
  differenceViolations,
  volatile,
} from '../../state/difference.ts';
import { type Reading, readGate, readSettledGate } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { createCare, liveness, type Scenario } from './scenario.ts';
import { patchAndReadOften } from './stale-readings.ts';

/** Sent as one member and answered as another. */
const answeredAs: Readonly<Record<string, readonly string[]>> = {
  teamID: ['teamID', 'team'],
  team: ['team', 'teamID'],
  creatorID: ['creatorID', 'creatorName', 'creatorEmail'],
  creatorEmail: ['creatorEmail', 'creatorName', 'creatorID'],
};

/** The members of a gate that a body may change. */
const mayChange = (body: JsonObject): string[] => Object.keys(body).flatMap(field => answeredAs[field] ?? [field]);

const unreadable = (answer: Answer): Untried => ({
  because: `the gate could not be read back (${refusalInWords(answer)})`,
  answer,
});

/**
 * Patches a gate and compares the whole gate before and after: every sent field has changed, and no other. What cannot
 * be patched back is tried on the other gates of the target file.
 */
const patchAndCompare =
  (body: JsonObject): Scenario =>
  async (context, session, { eventually, attribute }) => {
    const own = context.minimal.param ?? '';
    const others = fixtureNames(context.target, 'gates').filter(gate => gate !== own);
    let id = own;
    let before: Members = {};
    return attribute({
      async attempt(round) {
        id = others[round - 2] ?? own;
        const settled = await readSettledGate(session, id, eventually);
        if (settled.entity === null) return unreadable(settled.answer);
        before = settled.entity;
        const patched = await session.send({ endpoint: 'patch-gate', param: id, body });
        // The acceptance check sends each of these fields too, and reports what comes of it.
        if (!patched.success) return { because: `the patch was refused (${refusalInWords(patched)})` };
        // As it was sent: with a name of its own.
        const sent = membersOf(patched.sent) as JsonObject;
        const find = (after: Reading): readonly Suspicion[] => suspicionsOf(context.row, sent, before, patched, after);
        const reading = await eventually(
          () => readGate(session, id),
          after => after.entity === null || find(after).length === 0,
          after =>
            find(after)
              .map(({ key }) => key)
              .join(),
        );
        if (reading.entity === null) return unreadable(reading.answer);
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
function shownBy(row: Endpoint, body: JsonObject, before: Members, after: Members): readonly RequirementId[] {
  const isWhole = areComparable(row, before, after, [...volatile, ...mayChange(body)]);
  if (Object.keys(body).length === 0) return isWhole ? ['state.patch-empty-reads'] : [];
  const isChanged = Object.keys(body).some(
    field => after[field] !== undefined && !isDeepStrictEqual(before[field] ?? null, after[field]),
  );
  if (!isChanged) return [];
  return isWhole ? ['state.patch-every-sent', 'state.patch-only-sent'] : ['state.patch-every-sent'];
}

/** What a reading after a patch shows: fields that changed and were not sent, and sent fields that did not change. */
function suspicionsOf(
  row: Endpoint,
  body: JsonObject,
  before: Members,
  patched: Answer,
  { entity, answer }: Reading,
): readonly Suspicion[] {
  const after = entity ?? {};
  const differences = differencesOf(row, before, after, [...volatile, ...mayChange(body)]);
  const expected = ({ field, before: was }: Difference) => `${field} as it was, for it was not sent: ${inWords(was)}`;
  const changed = differenceViolations(differences, patched, 'state.patch-only-sent', expected);
  return [
    ...changed.map((violation, index) => ({ key: differences[index]?.field ?? '', violation })),
    ...storedMismatches(body, after, row, '/data', { ...before, ...after }).map(({ pointer, sent, got }) => {
      const [field = ''] = steps(pointer.slice('/data'.length));
      const wanted = `${inWords(sent)}, when the gate is read afterwards`;
      return {
        key: field,
        violation: violation(answer, 'state.patch-every-sent', pointer, wanted, inWords(got)),
        // Somebody else would have written something else than what was there.
        certain: got === undefined || !differencesOf(row, before, after, []).some(one => one.field === field),
      };
    }),
  ];
}

/** Reads a gate again and again: what changes each time is changed by the reading, which is a patch of nothing. */
const emptyAndCompare: Scenario = (context, session, { attribute }) => {
  const id = context.minimal.param ?? '';
  let before: Members | null = null;
  return attribute({
    sightings: mostTries,
    async attempt() {
      const first = before ?? (await readGate(session, id)).entity;
      const reading = await readGate(session, id);
      before = reading.entity;
      if (first === null || reading.entity === null) return unreadable(reading.answer);
      const found = suspicionsOf(context.row, {}, first, reading.answer, reading);
      return {
        suspicions: found.map(one => ({ ...one, key: `${one.key}, with nothing sent` })),
        covers: shownBy(context.row, {}, first, reading.entity),
      };
    },
    putBack: async () => true,
  });
};

/** The patch that carries nothing. */
const emptyPatch: AcceptCase = {
  title: 'the empty patch',
  pointer: '',
  value: {},
  body: {},
  level: 'MUST',
  keyword: 'template',
};

/** A patch after which the gate is read again and again. */
const readOften: AcceptCase = {
  title: 'a patch, then the gate again and again',
  pointer: '/description',
  value: {},
  body: {},
  level: 'MUST',
  keyword: 'template',
};

/** Nothing, as a value of its own: what is taken for absent is not stored. */
const isEmpty = ({ value }: AcceptCase): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/**
 * The first and the last value of each field that must be accepted, one of which is not what the gate has already, and
 * after them the empty one.
 */
function valuesOfFields({ row, target }: CheckContext): readonly AcceptCase[] {
  const { cases } = acceptCases(row.body ?? { type: 'object' }, {}, target);
  const fields = cases.filter(({ pointer }) => pointer.split('/').length === 2);
  const whole = fields.filter(({ level, keyword }) => level === 'MUST' && keyword !== 'null');
  const pointers = new Set(whole.map(({ pointer }) => pointer).reverse());
  const valuesOf = (at: string) => whole.filter(({ pointer }) => pointer === at);
  const empty = fields.filter(one => isEmpty(one) && !whole.includes(one));
  const atEnds = [...pointers].map(valuesOf).map(all => all.filter((_, at) => at === 0 || at === all.length - 1));
  return [...atEnds.flat(), ...empty];
}

/** Section 4.6: a patch changes the fields that it carries and no other. The empty patch changes nothing. */
export const frame: ActiveCheck<AcceptCase> = {
  kind: 'active',
  id: 'frame',
  level: 'MUST',
  title: 'A patch changes every field it carries, and no other',
  detects:
    'A partial update that resets what it does not carry, a field that is answered but not stored, two fields that move together.',
  requirements: () => ['state.patch-only-sent', 'state.patch-every-sent', 'state.patch-empty-reads', ...liveness],
  appliesTo: row => isOperation(row, 'gate', 'patch'),
  readsUnwritable: true,
  plan(context) {
    const care = createCare(context.settleMs);
    const { unwritable } = context;
    return {
      cases: unwritable === undefined ? [emptyPatch, ...valuesOfFields(context), readOften] : [emptyPatch],
      parallel: false,
      describe: ({ title, pointer, value }) => ({ title, pointer, sent: value }),
      async run(input, session) {
        if (input === readOften) return patchAndReadOften(context, session, care);
        if (input !== emptyPatch) return patchAndCompare(input.body)(context, session, care);
        const answer = await session.send(minimalApiRequest(context, {}));
        if (answer.success) return emptyAndCompare(context, session, care);
        const silent = livenessViolations(answer);
        const expected = 'a success that shows the gate';
        if (silent.length > 0) return covering(silent, []);
        if (unwritable !== undefined) return unproved(unwritable);
        return violated(answer, 'state.patch-empty-reads', 'status', expected, refusalInWords(answer));
      },
    };
  },
};
