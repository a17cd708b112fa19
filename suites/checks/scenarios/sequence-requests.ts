import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import type { CheckContext, Session } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import type { Expected } from '../../state/expected.ts';
import { changeOfAll } from './changes.ts';
import { canBePutBack } from './parts.ts';
import type { Done } from './sequence-blame.ts';
import { hasNoEffect, type Step } from './sequence-steps.ts';
import { contextFor, type SequenceSubject } from './sequence-subjects.ts';

/** What the sequences of one check know of their entities, one after another. */
export interface Known {
  /** What each entity must look like; empty before the first reading. */
  expected: Map<string, Expected>;
  /** The operations that were accepted with the key: what they refuse without it, or broken, proves something. */
  readonly accepted: Set<string>;
  /** The endpoint for which the sequences were planned. */
  readonly plan: EndpointId;
}

const marksOf = new WeakMap<object, Map<EndpointId, number>>();

/**
 * The number of the next mark. A run never uses one twice, whatever plans it makes: what an earlier request had accepted
 * in spite of its fault may still stand in the entity. Each endpoint counts for itself, since lanes run side by side.
 */
function nextMark(session: Session, plan: EndpointId): string {
  const run = session.run ?? session;
  const marks = marksOf.get(run) ?? new Map<EndpointId, number>();
  marksOf.set(run, marks);
  const number = marks.get(plan) ?? 0;
  marks.set(plan, number + 1);
  return `${plan.replaceAll('-', '_')}_${number}`;
}

/** Texts of a body that say nothing else, and may be written. */
const textFields = ['description', 'hypothesis'] as const;

/** Lists of such texts. */
const listFields = ['tags'] as const;

/** A body with a change of every field that can be changed by itself. */
function wholeBody({ body = {}, on }: Step, own: CheckContext, known: Known): JsonObject {
  const isPatch = own.row.action === 'patch';
  const before = known.expected.get(on);
  const now = { ...before?.known, ...before?.sent };
  return { ...(isPatch ? {} : body), ...changeOfAll(own, now, isPatch ? [] : Object.keys(body)) };
}

/** A request that must change nothing, with a change of everything that it can hold, and what marks it. */
function harmless(
  { does, body = {}, own: broken, on }: Step,
  { creates }: SequenceSubject,
  own: CheckContext,
  known: Known,
  session: Session,
): { readonly body: JsonObject; readonly marks: readonly string[] } {
  const mark = `conform_${own.token}_${does}_${nextMark(session, known.plan)}x`;
  const mayHave = (field: string): boolean =>
    field !== broken &&
    own.row.body?.properties?.[field] !== undefined &&
    own.target.withheld?.(field) === undefined &&
    canBePutBack({ body: { [field]: mark } }, own);
  const texts = [
    ...textFields.filter(mayHave).map(field => [field, mark] as const),
    ...listFields.filter(mayHave).map(field => [field, [mark]] as const),
  ];
  const names = creates === true && broken !== 'name' ? [['name', mark] as const] : [];
  const before = known.expected.get(on)?.known ?? {};
  const change = does === 'dry' ? {} : changeOfAll(own, before, [...Object.keys(body), ...(broken ? [broken] : [])]);
  return {
    body: {
      ...change,
      ...body,
      ...Object.fromEntries([...texts, ...names]),
      ...(does === 'dry' ? { dryRun: true } : {}),
    },
    marks: texts.length + names.length === 0 ? [] : [mark],
  };
}

/** Takes a step; null where its request is withheld, or lacks something that the target file does not name. */
export async function sendStep(
  step: Step,
  subject: SequenceSubject,
  context: CheckContext,
  session: Session,
  known: Known,
): Promise<Done | null> {
  const own = contextFor(context, step.endpoint, context.minimal.param === undefined ? undefined : step.on);
  if (own === undefined) return null;
  const { param } = own.minimal;
  const hasBody = own.row.body !== null;
  const written = step.isWhole === true ? wholeBody(step, own, known) : step.body;
  const sent =
    hasNoEffect(step) && hasBody ? harmless(step, subject, own, known, session) : { body: written, marks: [] };
  const whole: Partial<ApiRequest> = hasBody ? { body: sent.body as Json } : {};
  const request: ApiRequest = {
    endpoint: step.endpoint,
    param,
    ...(step.isCut === true ? { raw: JSON.stringify(sent.body).slice(0, -1) } : whole),
    ...(step.does === 'unauthenticated' ? { key: { kind: 'none' } } : {}),
    ...(subject.creates === true ? { spare: true } : {}),
  };
  const answer = await unlessWithheld(session.send(request));
  return answer === null ? null : { step, answer, marks: sent.marks };
}
