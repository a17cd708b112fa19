import type { ObjectSchema } from '../../contracts/dialect.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { at, steps } from '../../contracts/pointer.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import type { AcceptCase, Enumeration } from './cases.ts';
import { lacksCompanions } from './context.ts';
import { edgesOf } from './edges.ts';
import { fieldsOf } from './fields.ts';

/**
 * The requests that the target is expected to accept, in a fixed order: the template itself, then one field at a time at each
 * value worth sending. Fields that this capabilities cannot be sent are listed instead.
 * @param template the smallest sensible request: valid, and accepted before anything else is judged.
 */
export function acceptCases(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): Enumeration<AcceptCase> {
  const cases: AcceptCase[] = [];
  const sent = new Set<string>();
  const add = (one: AcceptCase) => {
    const text = JSON.stringify(one.body);
    if (sent.has(text)) return;
    sent.add(text);
    cases.push(one);
  };
  add({
    title: 'the smallest sensible request',
    pointer: '',
    value: template,
    body: template,
    level: 'MUST',
    keyword: 'template',
  });
  const { usable, notExercised } = fieldsOf(schema, template, capabilities);
  for (const field of usable) {
    for (const edge of edgesOf(field.schema, field.context, field.current)) {
      const body = field.place(edge.value);
      if (body === undefined || lacksCompanions(field.schema, edge.value, body)) continue;
      const pointer = field.pointer + edge.pointer;
      add({
        title: `${steps(pointer).join('.')}: ${edge.what}`,
        pointer,
        value: at(body, pointer) ?? null,
        body,
        level: field.displaces ? 'SHOULD' : edge.level,
        keyword: edge.keyword,
      });
    }
  }
  return { cases, notExercised };
}
