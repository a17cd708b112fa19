import { sameThing } from '../../../contracts/fields.ts';
import type { Json, JsonObject, Members } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { same, steps } from '../../../contracts/pointer.ts';
import { compact } from '../../../contracts/present.ts';
import { companyOf } from '../../generators/company.ts';
import { type AcceptCase, queriesAround, wideBodies } from '../../generators/index.ts';
import type { CheckContext, Session } from '../../protocol/check.ts';
import { count } from '../../protocol/entries.ts';
import { schemaOf, templateOf } from '../active/body.ts';
import { createsForGood } from '../active/dry-run.ts';
import { canBePutBack } from './parts.ts';

/** The values that may be sent for each field that needs no other field, the richest first. */
const valuesByField = memoized((context: CheckContext): ReadonlyMap<string, readonly AcceptCase[]> => {
  const template = context.row.action === 'patch' ? {} : templateOf(context);
  const byField = new Map<string, AcceptCase[]>();
  const packs = companyOf(schemaOf(context), template, context.target);
  for (const one of new Set(packs.flatMap(({ cases }) => cases))) {
    const [field = ''] = steps(one.pointer);
    const isAlone = Object.keys(one.body).every(
      name => name === field || (template[name] !== undefined && same(one.body[name] ?? null, template[name] ?? null)),
    );
    if (isAlone && one.level === 'MUST' && canBePutBack(one, context))
      byField.set(field, [...(byField.get(field) ?? []), one]);
  }
  return byField;
});

/** Members that identify the entity, or that name the same thing as a member before them. */
const notChanged: readonly string[] = ['id', 'name', ...sameThing.flatMap(([, ...others]) => others)];

/**
 * Returns a valid change of every field that can be changed by itself, each to a value that differs from `before`.
 * Leaves out the fields in `except`.
 */
export function changeOfAll(context: CheckContext, before: Members, except: readonly string[] = []): JsonObject {
  const change: Record<string, Json> = {};
  for (const [field, cases] of valuesByField(context)) {
    if (except.includes(field) || notChanged.includes(field)) continue;
    const other = cases.find(({ body }) => !same((before[field] ?? null) as Json, body[field] ?? null));
    const value = other?.body[field];
    if (value !== undefined) change[field] = value;
  }
  return change;
}

/** The number of texts that a run has sent to each endpoint. */
const marks = memoized((_run: object) => new Map<string, number>());

/**
 * Returns a text that a run sends only once: an earlier one may still be in the entity if a broken request was
 * accepted. Each endpoint has its own counter, because lanes run concurrently.
 */
export function nextMark({ endpoint, token }: CheckContext, session: Session): string {
  const number = count(marks(session.run ?? session), endpoint) - 1;
  return `conform_${token}_${endpoint.replaceAll('-', '_')}_${number}x`;
}

/**
 * Returns another value of a field that an update needs. Only a request without effect may send it: a service may know
 * neither the column nor what the query comes to.
 */
function another(context: CheckContext, field: string, before: Json): Json {
  const template = templateOf(context);
  const own = template[field] ?? null;
  const isQuery = context.row.body?.properties?.[field]?.annotation?.formatHint === 'sql';
  const [wide] = wideBodies(schemaOf(context), template, context.target);
  const others = isQuery ? queriesAround(String(own)).map(([, query]) => query) : [wide?.body[field] ?? own];
  return others.find(value => !same(value, before)) ?? own;
}

/**
 * Returns the body of a request that must have no effect. It contains `body`, and a change of every field that can be
 * changed from `before`; if that is null, of plain texts only. The texts are unique to the request. `own`, the field that
 * breaks a rule, is left alone. So is what a creation needs: another kind of metric needs other fields.
 */
export function wouldChangeAll(
  context: CheckContext,
  session: Session,
  before: Members | null,
  body: JsonObject = {},
  own?: string,
): JsonObject {
  const { row, target, minimal } = context;
  const mark = nextMark(context, session);
  const mayStand = ([field]: readonly [string, Json]): boolean =>
    field !== own &&
    row.body?.properties?.[field] !== undefined &&
    target.withheld?.(field) === undefined &&
    canBePutBack({ body: { [field]: mark } }, context);
  const texts = Object.entries({
    description: mark,
    hypothesis: mark,
    ...(createsForGood(context) && { name: mark }),
    tags: [mark],
  });
  const isDue = (field: string): boolean =>
    row.action === 'update' && field !== own && same(body[field] ?? null, minimal.body?.[field] ?? null);
  const due = before === null ? [] : Object.keys(body).filter(isDue);
  const change = before !== null && {
    ...Object.fromEntries(due.map(field => [field, another(context, field, (before[field] ?? null) as Json)])),
    ...changeOfAll(context, before, compact([...Object.keys(body).filter(field => !due.includes(field)), own])),
  };
  return { ...body, ...change, ...Object.fromEntries(texts.filter(mayStand)) };
}
