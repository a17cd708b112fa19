import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import type { AcceptCase } from './cases.ts';
import { isReference, wordsFor } from './context.ts';
import { memberSchemas, nodeOf } from './node.ts';
import { keepsItems } from './varied.ts';
import type { WideBody, WideField } from './wide-body.ts';

/** A step from one form of every list to the next: the fields of a body with their lists before it, and after it. */
export interface ListStep {
  readonly title: string;
  readonly from: readonly AcceptCase[];
  readonly to: readonly AcceptCase[];
}

/** A list and the forms that it may have. */
interface List {
  readonly field: WideField;
  readonly all: readonly Json[];
  /** True if it may have an item twice. */
  readonly mayRepeat: boolean;
  /**
   * The items of the template, where the list is part of every request and names things that exist: it has them in
   * every form but the last. Absent: its items are free.
   */
  readonly kept?: readonly Json[];
  /** The member by which an item is told from others; absent if its items name things or are no objects. */
  readonly key?: string;
}

/** Maximum number of names in a list that a text may stand for. */
const mostNames = 3;

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

/**
 * Returns the whole list and an item that has the key of the last and all else of the first: no single member tells it
 * from both. Where an item may not be named twice, it takes the place of the last.
 */
function alike(items: readonly Json[], { all, key, mayRepeat }: List): readonly Json[] {
  const [first, last] = [all[0], all.at(-1)];
  if (key === undefined || !isObject(first) || !isObject(last)) return items;
  const { [key]: _, ...rest } = first;
  return [...(mayRepeat ? all : all.slice(0, -1)), { ...last, ...rest }];
}

/**
 * Returns a field that takes a text or a list of names (`targetApps`, section 2.3) at the whole list. It is in the first
 * form alone: refusing it is open, and would cost each form the same requests.
 */
function namesFor({ fields, template }: WideBody): readonly List[] {
  return fields.flatMap((field): List[] => {
    const { schema, pointer, context } = field.field;
    const node = schema.anyOf?.find(({ type, items }) => type === 'array' && items !== undefined && isReference(items));
    if (node?.items === undefined || pointer !== `/${field.name}` || template[field.name] !== undefined) return [];
    const all = wordsFor(node.items, context).slice(0, mostNames);
    return all.length < 2 ? [] : [{ field, all, mayRepeat: false }];
  });
}

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
  ['two items of every list alike but for one member', alike],
];

function listsOf({ fields, template }: WideBody): readonly List[] {
  return fields.flatMap((field): List[] => {
    const { schema, pointer } = field.field;
    const node = nodeOf(schema);
    const all = field.changes[field.name];
    const isLiving = schema.annotation?.formatHint === 'groups' || schema.annotation?.varies !== undefined;
    if (node.kind !== 'array' || node.schema.items === undefined || isLiving || pointer !== `/${field.name}`) return [];
    if (!Array.isArray(all) || all.length < 2) return [];
    const { items } = node.schema;
    const { kind } = nodeOf(items);
    const [key] = isReference(items) ? [] : memberSchemas(items).map(([name]) => name);
    const names = isReference(items) || keepsItems(schema, all);
    const own = template[field.name];
    const kept = keepsItems(schema, own) ? own : undefined;
    if (kept !== undefined && key === undefined) return [];
    const mayRepeat = !names && (kind === 'string' || kind === 'object');
    return [{ field, all, mayRepeat, ...present({ kept, key }) }];
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
  let now: readonly (readonly Json[])[] = lists.map(({ all, kept }) => kept ?? all);
  const cases = (): AcceptCase[] => lists.map((list, index) => placed(list, now[index] ?? [], wide.template));
  const names = namesFor(wide);
  const namesAt = (form: (all: readonly Json[]) => readonly Json[]) =>
    names.map(list => placed(list, form(list.all), wide.template));
  return forms.map(([title, form], turn) => {
    const from = cases();
    now = lists.map((list, index) =>
      list.kept === undefined || form === alike ? form(now[index] ?? [], list) : list.kept,
    );
    if (turn > 0) return { title, from, to: cases() };
    return { title, from: [...from, ...namesAt(all => all)], to: [...cases(), ...namesAt(all => all.toReversed())] };
  });
}
