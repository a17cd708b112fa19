import { isOperation } from '../../../contracts/endpoint.ts';
import type { Members } from '../../../contracts/json.ts';
import { companyOf } from '../../generators/company.ts';
import type { AcceptCase, Pack } from '../../generators/index.ts';
import { livenessViolations } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type ActiveCheck, covering, minimalApiRequest, unproved, violated } from '../../protocol/check.ts';
import { mostTries } from '../../state/attribution.ts';
import { readGate } from '../../state/reading.ts';
import { createParts, describePack } from './parts.ts';
import { type LastReading, patchAndCompare, shownBy, suspicionsOf, unreadable } from './patched.ts';
import { createCare, liveness, type Scenario } from './scenario.ts';
import { patchAndReadOften } from './stale-readings.ts';

/** Reads a gate again and again: what changes each time is changed by the reading, which is a patch of nothing. */
const emptyAndCompare: Scenario = (context, session, { attribute }) => {
  const id = context.minimal.param ?? '';
  let before: Members | null = null;
  return attribute(session, {
    sightings: mostTries,
    async attempt() {
      const first = before ?? (await readGate(session, id)).entity;
      const reading = await readGate(session, id);
      before = reading.entity;
      if (first === null || reading.entity === null) return unreadable(reading.answer);
      const found = suspicionsOf(context.row, {}, first, reading);
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

/** The pack that carries nothing, and the one after which the gate is read again and again. */
const single = (one: AcceptCase): Pack => ({ body: one.body, cases: [one] });
const nothingSent = single(emptyPatch);
const oftenRead = single(readOften);

/** Packs, for each random case that the profile has of a check. */
const packsPerCase = 1.5;

/** Section 4.6: a patch changes the fields that it carries and no other. The empty patch changes nothing. */
export const frame: ActiveCheck<Pack> = {
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
    const last: LastReading = { entity: null };
    const { unwritable, row, target, amounts } = context;
    const packs = companyOf(row.body ?? { type: 'object' }, {}, target).slice(
      0,
      Math.ceil(packsPerCase * amounts.fuzz),
    );
    const inParts = createParts(
      context,
      {},
      (body, session) => async onRefused => patchAndCompare(body, last, onRefused)(context, session, care),
    );
    return {
      cases: unwritable === undefined ? [nothingSent, ...packs, oftenRead] : [nothingSent],
      parallel: false,
      describe: describePack,
      async run(pack, session) {
        if (pack === oftenRead) return patchAndReadOften(context, session, care);
        if (pack !== nothingSent) return inParts(pack, session);
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
