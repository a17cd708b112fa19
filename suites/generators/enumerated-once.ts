import type { ObjectSchema } from '../../contracts/dialect.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { same } from '../../contracts/pointer.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';

/** Makes something of a schema, a template (the smallest sensible request) and what a target declares. */
type Enumerator<T> = (schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities) => T;

/** So many templates of a schema are remembered: drawn ones are as many as a run is long. */
const mostTemplates = 8;

/**
 * Returns a function that makes the same of the same: several checks ask for the cases of one template, and a target
 * does not change. Templates are compared by what they hold.
 */
export function enumeratedOnce<T>(enumerate: Enumerator<T>): Enumerator<T> {
  const known = memoized((_: TargetCapabilities) =>
    memoized((_: ObjectSchema): { readonly template: JsonObject; readonly result: T }[] => []),
  );
  return (schema, template, capabilities) => {
    const made = known(capabilities)(schema);
    const before = made.find(one => same(one.template, template));
    if (before !== undefined) return before.result;
    const result = enumerate(schema, template, capabilities);
    made.unshift({ template, result });
    made.length = Math.min(made.length, mostTemplates);
    return result;
  };
}
