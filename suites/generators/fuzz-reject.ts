import fc from 'fast-check';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { at } from '../../contracts/pointer.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import type { RejectCase } from './cases.ts';
import { schemaAt } from './context.ts';
import type { Break } from './mutants.ts';
import { type Control, controlsOf, rejectCaseOf } from './reject.ts';
import { violationsOf } from './violations.ts';

/**
 * Random requests that break one rule in one place. The controls are those of the enumeration, so that a target has accepted them before;
 * what is broken is one of the enumerated ways, or a random value further off, which shrinks to the nearest.
 * @throws when the schema states nothing that a request could break.
 */
export function rejectArbitrary(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): fc.Arbitrary<RejectCase> {
  const { controls } = controlsOf(schema, template, capabilities);
  const choices = controls.flatMap(control => {
    const breaks = breaksArbitrary(schema, control);
    return [{ arbitrary: breaks.map(one => rejectCaseOf(control.body, one)), weight: weightOf(control) }];
  });
  if (choices.length === 0) throw new Error('the schema states nothing that a request could break');
  return fc.oneof(...choices);
}

/** Controls with stated constraints to break come up more often than those where only the type is wrong. */
function weightOf({ breaks }: Control): number {
  return breaks.some(one => one.level === 'MUST') ? 3 : 1;
}

function breaksArbitrary(schema: ObjectSchema, { body, breaks }: Control): fc.Arbitrary<Break> {
  const firm = breaks.filter(one => one.level === 'MUST');
  const soft = breaks.filter(one => one.level === 'SHOULD');
  const choices: fc.WeightedArbitrary<Break>[] = [];
  if (firm.length > 0) choices.push({ arbitrary: fc.constantFrom(...firm), weight: 3 });
  if (soft.length > 0) choices.push({ arbitrary: fc.constantFrom(...soft), weight: 1 });
  // Only where the enumeration breaks a stated rule of the node itself: conditions and guarded fields are left to it.
  const places = new Set(firm.filter(one => one.sent !== undefined && one.keyword !== 'allOf').map(one => one.pointer));
  for (const pointer of places) {
    const node = at(body, pointer) === undefined ? undefined : schemaAt(schema, body, pointer);
    if (node === undefined) continue;
    for (const arbitrary of violationsOf(node, pointer)) choices.push({ arbitrary, weight: 2 });
  }
  return fc.oneof(...choices);
}
