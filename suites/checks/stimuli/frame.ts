import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import { compact, present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { livenessViolations } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type ActiveCheck, covering, minimalApiRequest, unproved, violated } from '../../protocol/check.ts';
import { mostTries } from '../../state/attribution.ts';
import {
  areComparable,
  type Difference,
  differencesOf,
  differenceViolations,
  volatile,
} from '../../state/difference.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { readGate } from '../../state/reading.ts';
import { schemaOf } from '../active/body.ts';
import { companyInParts, describePack } from '../scenarios/parts.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';
import { disabledWithRules, ownRules } from './own-parts.ts';
import { look, own, type Step, stimulus, write } from './stimulus.ts';

const about: readonly RequirementId[] = ['state.patch-only-sent', 'state.patch-every-sent'];
const gate = look(entityKinds.gate);
/** Reads several times in a row, to meet a replica that never catches up. */
const gateOften = look(entityKinds.gate, undefined, 6);

/** Patches a gate, and reads it. */
const patched = (body: JsonObject, onRefused?: () => void, shown: Step = gate): Scenario =>
  stimulus(about, write({ ...own(() => body), what: 'the patch', ...present({ onRefused }) }), shown);

/** Reads a gate repeatedly. A reading is an empty patch, so a field that changes each time is changed by it. */
const emptyAndCompare: Scenario = ({ minimal, row }, session, { attribute }) => {
  const id = minimal.param ?? '';
  let before: Members | null = null;
  return attribute(session, {
    sightings: mostTries,
    async attempt() {
      const first = before ?? (await readGate(session, id)).entity;
      const { entity, answer } = await readGate(session, id);
      before = entity;
      if (first === null || entity === null)
        return { because: `the gate could not be read back (${refusalInWords(answer)})`, answer };
      // A field that is missing at times may be omitted by one of several servers: that is no change.
      const changed = differencesOf(row, first, entity, volatile).filter(
        ({ before: was, after: now }) => was !== undefined && now !== undefined,
      );
      const expected = ({ field }: Difference) => `${field} as it was, for nothing was sent`;
      return {
        suspicions: differenceViolations(changed, answer, 'state.patch-only-sent', expected).map((one, index) => ({
          key: changed[index]?.field ?? '',
          violation: one,
        })),
        covers: areComparable(row, first, entity, volatile) ? ['state.patch-empty-reads'] : [],
      };
    },
    putBack: async () => true,
  });
};

/** Sends the empty patch, and compares what it shows. */
const emptyPatch: Scenario = async (context, session, care) => {
  const { unwritable } = context;
  const answer = await session.send(minimalApiRequest(context, {}));
  if (answer.success) return emptyAndCompare(context, session, care);
  const silent = livenessViolations(answer);
  const expected = 'a success that shows the gate';
  if (silent.length > 0) return covering(silent, []);
  if (unwritable !== undefined) return unproved(unwritable.because);
  return violated(answer, 'state.patch-empty-reads', 'status', expected, refusalInWords(answer));
};

/** Number of packs per random case of the profile. */
const packsPerCase = 1.5;

/** Section 4.6: a patch changes the fields that it carries and no other. The empty patch changes nothing. */
export const frame: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'frame',
  level: 'MUST',
  title: 'A patch changes every field it carries, and no other',
  detects:
    'A partial update that resets what it does not carry, a field that is answered but not stored, two fields that move together.',
  requirements: () => [...about, 'state.patch-empty-reads', ...liveness],
  appliesTo: row => isOperation(row, 'gate', 'patch'),
  readsUnwritable: true,
  plan(context) {
    // No other case tells whether a gate can be read this way.
    const empty: NamedScenario = { title: 'the empty patch', isBasic: true, run: emptyPatch };
    if (context.unwritable !== undefined) return planOf(context, empty);
    const packs = companyInParts(context, schemaOf(context), {}, packsPerCase, patched);
    const text = { description: `conform ${context.token} read often` };
    const disabled = disabledWithRules(context);
    return planOf(
      context,
      ...compact<NamedScenario>([
        empty,
        ...packs.map(({ pack, run }) => ({ ...describePack(pack), run })),
        {
          title: 'a patch, then the gate again and again',
          pointer: '/description',
          run: patched(text, undefined, gateOften),
        },
        disabled !== undefined && {
          title: 'the rules of a disabled gate, with parts changed',
          pointer: '/rules',
          run: stimulus(about, ...ownRules(disabled)),
        },
      ]),
    );
  },
};
