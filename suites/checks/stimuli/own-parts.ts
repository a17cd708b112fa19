import { isObject, type Json, type JsonObject, type Members } from '../../../contracts/json.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { CheckContext } from '../../protocol/check.ts';
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

const withPercent = (change: (percent: number) => number): Change =>
  first('passPercentage', percent => (typeof percent === 'number' ? change(percent) : undefined));

/**
 * Parts that say nothing else, of a gate that is disabled, so that nobody passes: a name and a share that is no whole
 * number together, and where that is refused each by itself, in the form in which it was shown.
 */
function parts(token: string): readonly Change[] {
  const named = first('name', name => (typeof name === 'string' ? `${name} ${token}` : undefined));
  const half = withPercent(percent => (percent < 1 ? percent + 0.5 : percent - 0.5));
  const both: Change = rules => {
    const other = named(rules);
    return other === undefined ? undefined : half(other);
  };
  return [both, named, withPercent(percent => (percent < 1 ? percent + 1 : percent - 1))];
}

const hasRules = ({ rules }: Members): boolean => Array.isArray(rules) && rules.length > 0;

const canBeWritten = ({ discovered: { writable } }: CheckContext, id: string, ...fields: readonly string[]): boolean =>
  fields.every(field => writable?.field('patch-gate', id, field) === undefined);

/** A gate that an answer showed disabled and with rules, which can be put back: none but such a one is sent other rules. */
export const disabledWithRules = (context: CheckContext): string | undefined =>
  fixtureNames(context.target, 'gates').find(id => {
    const gate = context.discovered.gates?.get(id) ?? {};
    return gate.isEnabled === false && canBeWritten(context, id, 'rules') && hasRules(gate);
  });

/**
 * The gate that a run disables itself, where no other may be sent other rules: it has some, and can be put back, enabled
 * as it was.
 */
export function disabledByRun(context: CheckContext): string | undefined {
  const { param = '' } = context.minimal;
  const isFit =
    hasRules(context.discovered.gates?.get(param) ?? {}) && canBeWritten(context, param, 'rules', 'isEnabled');
  return isFit && disabledWithRules(context) === undefined ? param : undefined;
}

const gateShown = (gate: string): Step => look(entityKinds.gate, () => [gate]);

/** Sends the rules of a gate with parts changed, and puts them back. Whether a part may be changed is open. */
const otherRules =
  (gate: string, more: JsonObject = {}): Step =>
  async scene => {
    const { context, session, seen } = scene;
    const shownNow = seen.get(gate) ?? {};
    if (shownNow.isEnabled !== false || !hasRules(shownNow))
      return { because: 'the gate is no longer disabled, or has no rules' };
    const rules = shownNow.rules as Json;
    // Whenever it is sent again, they are those of a disabled gate.
    const send = (own: Json) => session.send(patchOf(gate, { ...more, rules: own }));
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
 * of, so they are the gate's own with parts changed.
 */
export const ownRules = (gate: string): readonly Step[] => [gateShown(gate), otherRules(gate), gateShown(gate)];

/**
 * The same of a gate that a run has disabled, or disables now. Each patch says that the gate is disabled: what looks into
 * it later sends it again, to a gate that was put back.
 */
export const ownRulesOnceDisabled = (gate: string, disabling: Step): readonly Step[] => [
  gateShown(gate),
  async scene => {
    if (scene.seen.get(gate)?.isEnabled === false) return undefined;
    return (await disabling(scene)) ?? gateShown(gate)(scene);
  },
  otherRules(gate, { isEnabled: false }),
  gateShown(gate),
];
