import { isObject, type Json, type JsonObject } from '../../../contracts/json.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { writableMembers } from '../../state/control.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';
import { look, patchOf, type Step } from './stimulus.ts';

/** A value with one part changed; undefined where it has no such part. */
type Change = (value: Json) => Json | undefined;

/** Changes the first member of a name, at any depth. */
const first =
  (name: string, change: (member: Json) => Json | undefined): Change =>
  value => {
    const deeper = first(name, change);
    if (Array.isArray(value)) {
      const items = value.map(deeper);
      const at = items.findIndex(item => item !== undefined);
      return at < 0 ? undefined : value.with(at, items[at] as Json);
    }
    if (!isObject(value)) return undefined;
    const own = Object.hasOwn(value, name) ? change(value[name] as Json) : undefined;
    if (own !== undefined) return { ...value, [name]: own };
    for (const [key, member] of Object.entries(value)) {
      const changed = deeper(member as Json);
      if (changed !== undefined) return { ...value, [key]: changed };
    }
    return undefined;
  };

/** Parts that say nothing else, the most harmless first: of a gate that is disabled nobody passes. */
const parts = (token: string): readonly Change[] => [
  first('name', name => (typeof name === 'string' ? `${name} ${token}` : undefined)),
  first('passPercentage', percent =>
    typeof percent === 'number' ? (percent < 1 ? percent + 1 : percent - 1) : undefined,
  ),
];

/** A gate that an answer showed disabled and with rules, which can be put back: none but such a one is sent other rules. */
export const disabledWithRules = ({ target, discovered: { gates, writable } }: CheckContext): string | undefined =>
  fixtureNames(target, 'gates').find(id => {
    const { isEnabled, rules } = gates?.get(id) ?? {};
    const canBeWritten = writable?.field('patch-gate', id, 'rules') === undefined;
    return isEnabled === false && canBeWritten && Array.isArray(rules) && rules.length > 0;
  });

const gateShown = (gate: string): Step => look(entityKinds.gate, () => [gate]);

/** Sends the rules of a gate with one part changed, and puts them back. Whether a part may be changed is open. */
const otherRules =
  (gate: string): Step =>
  async scene => {
    const { context, session, seen } = scene;
    const { isEnabled, rules } = seen.get(gate) ?? {};
    if (isEnabled !== false || !Array.isArray(rules) || rules.length === 0)
      return { because: 'the gate is no longer disabled, or has no rules' };
    const send = (own: Json) => {
      const body: JsonObject = writableMembers({ rules: own }, context, gate);
      return session.send(patchOf(gate, body));
    };
    let because = 'no part of the rules is one that can be changed alone';
    for (const change of parts(context.token)) {
      const changed = change(rules);
      if (changed === undefined) continue;
      const answer = await send(changed);
      because = `other rules were refused (${refusalInWords(answer)})`;
      if (isClientError(answer)) continue;
      const shown = await gateShown(gate)(scene);
      // Put back whatever was shown, for the gate may hold what was sent.
      await send(rules);
      return answer.success ? shown : { because, answer };
    }
    return { because };
  };

/**
 * Rules become what is sent, of a gate for which they decide nothing. The specification does not show what rules consist
 * of, so they are the gate's own with one part changed.
 */
export const ownRules = (gate: string): readonly Step[] => [gateShown(gate), otherRules(gate), gateShown(gate)];
