import { isObject, type Json, type JsonObject, type Members } from '../../../contracts/json.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';
import { look, patchOf, type Scene, type Step } from './stimulus.ts';

/** Changes one part of a value; undefined if it has no such part. */
type Change = (value: Json) => Json | undefined;

/** Changes the first member with this name, at any depth. */
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

const withPercent = (change: (percent: number) => number): Change =>
  first('passPercentage', percent => (typeof percent === 'number' ? change(percent) : undefined));

/** Digits after zeros, which are no number. */
const digits = '007';

/** Sets the first text that a condition compares with. */
const withDigits = first('targetValue', value =>
  typeof value === 'string'
    ? digits
    : Array.isArray(value) && value.every(one => typeof one === 'string')
      ? [digits, ...value.slice(1)]
      : undefined,
);
/**
 * Returns changes of rules without other effect, since the gate is disabled and nobody passes. First a name, a
 * fractional share and a compared text together; if that is refused, without the text, then each alone, the share by a
 * whole number.
 */
function parts(token: string): readonly Change[] {
  const named = first('name', name => (typeof name === 'string' ? `${name} ${token}` : undefined));
  const fraction = withPercent(percent => Number((percent + (percent < 1 ? 0.123 : -0.123)).toFixed(3)));
  const both: Change = rules => {
    const other = named(rules);
    return other === undefined ? undefined : fraction(other);
  };
  const all: Change = rules => {
    const other = withDigits(rules);
    return other === undefined ? undefined : both(other);
  };
  return [all, both, named, withPercent(percent => (percent < 1 ? percent + 1 : percent - 1))];
}

const hasRules = ({ rules }: Members): boolean => Array.isArray(rules) && rules.length > 0;

const canBeWritten = ({ discovered: { writable } }: CheckContext, id: string, ...fields: readonly string[]): boolean =>
  fields.every(field => writable?.field('patch-gate', id, field) === undefined);

/** Returns a gate that was read as disabled and with rules, and can be restored: no other gate is sent other rules. */
export const disabledWithRules = (context: CheckContext): string | undefined =>
  fixtureNames(context.target, 'gates').find(id => {
    const gate = context.discovered.gates?.get(id) ?? {};
    return gate.isEnabled === false && canBeWritten(context, id, 'rules') && hasRules(gate);
  });

/**
 * Returns the gate that the run disables itself, if no other may be sent other rules. It has rules, and can be restored
 * and enabled again.
 */
export function disabledByRun(context: CheckContext): string | undefined {
  const { param = '' } = context.minimal;
  const isFit =
    hasRules(context.discovered.gates?.get(param) ?? {}) && canBeWritten(context, param, 'rules', 'isEnabled');
  return isFit && disabledWithRules(context) === undefined ? param : undefined;
}

const gateShown = (gate: string): Step => look(entityKinds.gate, () => [gate]);

/** Keeps a gate disabled. Rules are sent with it and without: they may be lost where both are sent. */
const disabled = { isEnabled: false } satisfies JsonObject;

/**
 * Sends the rules of a gate with parts changed, and restores them. Whether a part may be changed is OPEN. `always` is
 * sent with all of them; the first change is sent with the state that the gate has.
 */
const otherRules =
  (gate: string, always: JsonObject = {}): Step =>
  async scene => {
    const { context, session, seen } = scene;
    const shownNow = seen.get(gate) ?? {};
    if (shownNow.isEnabled !== false || !hasRules(shownNow))
      return { because: 'the gate is no longer disabled, or has no rules' };
    const rules = shownNow.rules as Json;
    // Only a state that could be restored is sent, though it is the present one.
    const more = canBeWritten(context, gate, 'isEnabled') ? disabled : always;
    const send = (own: Json, beside = always) => session.send(patchOf(gate, { ...beside, rules: own }));
    /** Empties the list of a gate that is still disabled, and reads it; the answers are judged by all that see them. */
    async function withoutRules(now: Scene): Promise<void> {
      if (seen.get(gate)?.isEnabled !== false || !(await send([])).success) return;
      await gateShown(gate)(now);
    }
    let because = 'no part of the rules is one that can be changed alone';
    let isFirst = true;
    for (const change of parts(context.token)) {
      const changed = change(rules);
      if (changed === undefined) continue;
      // Not every key may send the state.
      const answer = await send(changed, isFirst ? more : always);
      isFirst = false;
      because = `other rules were refused (${refusalInWords(answer)})`;
      if (isClientError(answer)) continue;
      const shown = await gateShown(gate)(scene);
      if (answer.success) await withoutRules(scene);
      // Restore the rules whatever was shown: the gate may hold what was sent.
      await send(rules);
      return answer.success ? shown : { because, answer };
    }
    return { because };
  };

/**
 * Steps that change the rules of a gate where they decide nothing. The specification does not say what rules consist
 * of, so these are the gate's own with parts changed.
 */
export const ownRules = (gate: string): readonly Step[] => [gateShown(gate), otherRules(gate), gateShown(gate)];

/**
 * The same for a gate that the run has disabled, or disables now. Each patch repeats that the gate is disabled, because
 * a confirmation sends it again, to a restored gate.
 */
export const ownRulesOnceDisabled = (gate: string, disabling: Step): readonly Step[] => [
  gateShown(gate),
  async scene => {
    if (scene.seen.get(gate)?.isEnabled === false) return undefined;
    return (await disabling(scene)) ?? gateShown(gate)(scene);
  },
  otherRules(gate, disabled),
  gateShown(gate),
];
