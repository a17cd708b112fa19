import fc from 'fast-check';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { putMember, steps } from '../../contracts/pointer.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { arbitraryIn } from './arbitrary.ts';
import type { AcceptCase } from './cases.ts';
import { lacksCompanions } from './context.ts';
import { type Field, fieldsOf } from './fields.ts';
import { levelOf } from './levels.ts';

/**
 * Random valid requests: three in four are the template with one generated field, one in four a combination of fields (a SHOULD).
 * Shrinks to one field at an ordinary value, and a combination to fewer fields.
 */
export function acceptArbitrary(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): fc.Arbitrary<AcceptCase> {
  const fields = fieldsOf(schema, template, capabilities).usable.flatMap(field => {
    const values = arbitraryIn(field.schema, field.context, field.current);
    return values === undefined ? [] : [{ field, values }];
  });
  if (fields.length === 0) return fc.constant(templateCase(template));
  const single = fc.oneof(...fields.map(({ field, values }) => singleCase(field, values, template)));
  const free = fields.filter(({ field }) => field.base === template && steps(field.pointer).length === 1);
  if (free.length < 2) return single;
  return fc.oneof({ arbitrary: single, weight: 3 }, { arbitrary: combination(free, template), weight: 1 });
}

function templateCase(template: JsonObject): AcceptCase {
  const title = 'the smallest sensible request';
  return { title, pointer: '', value: template, body: template, level: 'MUST', keyword: 'template' };
}

function singleCase(field: Field, values: fc.Arbitrary<Json>, template: JsonObject): fc.Arbitrary<AcceptCase> {
  const title = `${steps(field.pointer).join('.')}: a generated value`;
  return values.map(value => {
    const body = field.place(value);
    if (body === undefined || lacksCompanions(field.schema, value, body)) return templateCase(template);
    const level = field.displaces ? 'SHOULD' : levelOf(field.schema, value, field.context, field.current);
    return { title, pointer: field.pointer, value, body, level, keyword: 'example' };
  });
}

interface Varied {
  readonly field: Field;
  readonly values: fc.Arbitrary<Json>;
}

/** Several fields at once, few of them as a rule: drawn as a list of picks, so that a shrink takes fields away. */
function combination(fields: readonly Varied[], template: JsonObject): fc.Arbitrary<AcceptCase> {
  const pick = fc.oneof(...fields.map(({ field, values }) => values.map(value => ({ field, value }))));
  return fc.array(pick, { minLength: 2, maxLength: Math.min(fields.length, 6) }).map(picks => {
    let body = template;
    const names = new Set<string>();
    for (const { field, value } of picks) {
      const alone = field.place(value);
      if (alone === undefined || lacksCompanions(field.schema, value, alone)) continue;
      // A value that asks for others beside it (a condition) is left to the cases that send it alone.
      if (Object.keys(alone).some(name => `/${name}` !== field.pointer && alone[name] !== template[name])) continue;
      body = putMember(body, field.pointer, value);
      names.add(steps(field.pointer).join('.'));
    }
    const title = `together: ${[...names].join(', ')}`;
    return { title, pointer: '', value: body, body, level: 'SHOULD', keyword: 'combination' };
  });
}
