import type { Json, JsonObject } from '../../contracts/json.ts';
import type { AcceptCase } from './cases.ts';
import { isReference } from './context.ts';
import { nodeOf } from './node.ts';
import { keepsItems } from './varied.ts';
import type { WideBody, WideField } from './wide-body.ts';

/** A step from one form of every list to the next: the fields of a body with their lists before it, and after it. */
export interface ListStep {
  readonly title: string;
  readonly from: readonly AcceptCase[];
  readonly to: readonly AcceptCase[];
}

/** A list that may have any length and order: its field, all its items, and whether it may have one twice. */
interface List {
  readonly field: WideField;
  readonly all: readonly Json[];
  readonly mayRepeat: boolean;
}

type Form = (items: readonly Json[], list: List) => readonly Json[];

/** Returns an item that a list does not have now, if there is one. */
const spareOf = (items: readonly Json[], { all }: List): readonly Json[] =>
  all.filter(one => !items.includes(one)).slice(0, 1);

const changed =
  (at: 'first' | 'last'): Form =>
  (items, list) => {
    const spare = spareOf(items, list);
    if (items.length < 2 || spare.length === 0) return items;
    return at === 'first' ? [...spare, ...items.slice(1)] : [...items.slice(0, -1), ...spare];
  };

/** The changes of every list, one after another: each form differs from the one before in a single respect. */
const forms: readonly (readonly [title: string, form: Form])[] = [
  ['the items of every list in another order', items => items.toReversed()],
  ['every list without its last item', items => (items.length > 1 ? items.slice(0, -1) : items)],
  ['the last item of every list changed', changed('last')],
  ['the first item of every list changed', changed('first')],
  [
    'the first item of every list a second time',
    (items, { mayRepeat }) => [...items, ...(mayRepeat ? items.slice(0, 1) : [])],
  ],
];

function listsOf({ fields, template }: WideBody): readonly List[] {
  return fields.flatMap((field): List[] => {
    const { schema, pointer } = field.field;
    const node = nodeOf(schema);
    const all = field.changes[field.name];
    const isLiving = schema.annotation?.formatHint === 'groups' || schema.annotation?.varies !== undefined;
    if (node.kind !== 'array' || node.schema.items === undefined || isLiving || pointer !== `/${field.name}`) return [];
    if (!Array.isArray(all) || all.length < 2 || keepsItems(schema, template[field.name])) return [];
    const item = nodeOf(node.schema.items);
    const names = isReference(node.schema.items) || keepsItems(schema, all);
    return [{ field, all, mayRepeat: !names && (item.kind === 'string' || item.kind === 'object') }];
  });
}

/** Returns a list at some items, as a case of its field. */
const placed = (
  { field: { name, field, changes } }: List,
  items: readonly Json[],
  template: JsonObject,
): AcceptCase => ({
  title: `${name}: ${items.length} items`,
  pointer: field.pointer,
  value: [...items],
  body: { ...template, ...changes, [name]: [...items] },
  level: 'SHOULD',
  keyword: 'example',
});

/** Returns the steps through the forms of all lists of a wide body; none if it has no list of two items. */
export function listSteps(wide: WideBody): readonly ListStep[] {
  const lists = listsOf(wide);
  if (lists.length === 0) return [];
  let now: readonly (readonly Json[])[] = lists.map(({ all }) => all);
  const cases = (): AcceptCase[] => lists.map((list, index) => placed(list, now[index] ?? [], wide.template));
  return forms.map(([title, form]) => {
    const from = cases();
    now = lists.map((list, index) => form(now[index] ?? [], list));
    return { title, from, to: cases() };
  });
}
