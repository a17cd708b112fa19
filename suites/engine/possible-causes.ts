import { isDeepStrictEqual } from 'node:util';
import { endpointRow } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { type Json, membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { type ApiRequest, isReading } from '../protocol/answer.ts';
import { withPlaceholder } from '../protocol/created-names.ts';
import type { RecordedSession } from '../sut/session.ts';
import type { LaneState } from './lane-state.ts';
import { restorations } from './snapshot.ts';
import type { Sent, Sighting } from './suspected.ts';
import { caseOf } from './telling.ts';
import { type Cause, isRepeatable, readingOf, showsAgain } from './trials.ts';

/** Maximum number of writes, each of which would violate another requirement, to try alone. */
const mostOthers = 4;

/** True if "sometimes" is the defect. */
export const isSporadic = ({ suspicion: { kind, requirements } }: Sighting): boolean =>
  kind === 'lost' && requirements[0] !== undefined && requirementById(requirements[0]).sporadic === true;

/**
 * True of a change that nothing puts back, if in two entities at least the only write to it since it was last seen
 * otherwise is one that sends the same fields, and nothing but others would explain it.
 */
export function isOfSeveral(
  { snapshot }: LaneState,
  { suspicion: { kind, field, got }, answer }: Sighting,
  sightings: readonly Sighting[],
): boolean {
  const { collection } = endpointRow(answer.request.endpoint);
  const alone = sightings.flatMap(({ suspicion, culprits }) => {
    const [write, ...more] = culprits.filter(({ request: { param } }) => param === suspicion.id);
    const isPlain =
      [...suspicion.excuses].every(excuse => excuse === 'others') && same(suspicion.got as Json, got as Json);
    if (write === undefined || more.length > 0 || !isPlain) return [];
    return [{ id: suspicion.id, fields: Object.keys(membersOf(write.request.body)).sort().join() }];
  });
  const fixtures = restorations(snapshot, collection);
  const isSettable = (id: string): boolean =>
    fixtures.some(({ param, body }) => param === id && Object.hasOwn(body as object, field));
  const isFixture = (id: string): boolean => fixtures.some(({ param }) => param === id);
  const alike = [...grouped(alone, ({ fields }) => fields).values()].map(all => [...new Set(all.map(({ id }) => id))]);
  return kind === 'changed' && alike.some(ids => ids.length > 1 && ids.every(id => isFixture(id) && !isSettable(id)));
}

/**
 * Returns the request that only reads the gate which an answer to a write showed; undefined of other entities. Such a
 * write may have the very effect that is looked for, and leave none to the cause.
 */
export function pureReading({ suspicion: { resource, kind }, answer: { request } }: Sighting): ApiRequest | undefined {
  const isShown = kind !== 'missing' && kind !== 'present' && request.key === undefined;
  return resource === 'gate' && isShown && !isReading(request) && request.param !== undefined
    ? { endpoint: 'patch-gate', param: request.param, body: {} }
    : undefined;
}

/** True of a text, and of a list of texts. */
const isFreeText = (value: unknown): boolean =>
  [value].flat().every(one => typeof one === 'string') && !isDeepStrictEqual(value, []);

/** Returns a text, or a list of one, that is shown nowhere: the same one changes nothing a second time. */
const freshLike = (value: unknown, text: string): Json => (Array.isArray(value) ? [text] : text);

/**
 * Returns the possible causes of a suspicion: its likeliest write alone, some others after it, the first after the
 * write before it, and the whole case. What creates something is sent under a new name too, and with a text that is
 * new each time if its own is shown elsewhere. Each is tried once more between two pure readings. `onCase` gets the
 * number of requests that a repeated case took.
 */
export function possibleCauses(
  lane: LaneState,
  session: RecordedSession,
  sighting: Sighting,
  onCase: (requests: number) => void,
): readonly (Cause & Sent)[] {
  const { culprits, before, suspicion } = sighting;
  const { token } = lane.run.config;
  const { field, got } = suspicion;
  const writes = culprits.filter(({ request }) => isRepeatable(request));
  const [first, second] = writes;
  // Prefer writes that would each violate another requirement, or violate it by another operation.
  const others = [...grouped(writes, ({ breaks, request }) => `${breaks} ${request.endpoint}`).values()].flatMap(
    ([one]) => one ?? [],
  );
  // Of many alike, those to paths that no router may know come last, and are taken for the likeliest.
  const plain = writes.find(({ request }) => request.rawPath === undefined);
  const distinct = [...new Set([first, ...others.slice(0, mostOthers), second, plain])].filter(
    one => one !== undefined,
  );
  // If writes overlapped and the defect is sporadic, try the first twice before blaming the other.
  const tried = isSporadic(sighting) && suspicion.beside.length > 0 ? [...distinct.slice(0, 1), ...distinct] : distinct;
  const sending =
    ({ request }: Pick<Sent, 'request'>) =>
    (entity: string | undefined) =>
      session.send({ ...request, ...present({ param: entity }) });
  /** True of a write that carries the value which is wrongly shown. */
  const carries = ({ request }: Sent): boolean => {
    const members = membersOf(request.body);
    return Object.hasOwn(members, field) && same(members[field], got ?? null);
  };
  // If the first write shows nothing alone, another one may have undone its effect: then blame that one, unless the first
  // sent the very value. It may be stored with the next request only.
  const alone: (Cause & Sent)[] = tried.map(write => ({
    ...write,
    ...(write !== first && first !== undefined && showsAgain(first.request)
      ? { prepare: sending(first), isBlamed: carries(write) || !carries(first) }
      : {}),
    send: sending(write),
  }));
  const isShown = readingOf(sighting) !== undefined || first?.request.endpoint !== sighting.answer.request.endpoint;
  if (first !== undefined && before !== undefined && isShown && isRepeatable(before.request))
    alone.push({
      ...first,
      prepare: sending(before),
      send: sending(first),
    });
  const sent = first === undefined ? undefined : caseOf(lane, first.id);
  // What is created under a name that was made up before is refused when it is sent again, unless it gets a new name.
  const body = withPlaceholder(first?.request.body, token);
  if (first !== undefined && endpointRow(first.request.endpoint).effect === 'additive') {
    if (body !== undefined) alone.push({ ...first, send: sending({ request: { ...first.request, body } }) });
    const own = membersOf(body ?? first.request.body);
    let turn = 0;
    const another = (): ApiRequest => {
      turn += 1;
      return { ...first.request, body: { ...own, [field]: freshLike(got, `conform ${token} ${turn}`) } };
    };
    if (carries(first) && isFreeText(got)) alone.push({ ...first, send: () => session.send(another()) });
  }
  const readBy = pureReading(sighting);
  if (readBy !== undefined) alone.push(...distinct.map(write => ({ ...write, send: sending(write), readBy })));
  // Entities that a whole case creates count against the budget of the run.
  if (first === undefined || sent === undefined || !showsAgain(first.request)) return alone;
  const again = async (): Promise<undefined> => void onCase((await sent.again()).requests);
  return [...alone, { ...first, send: again }];
}
