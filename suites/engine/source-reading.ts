import { endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject, Members } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { dataObject } from '../protocol/answer.ts';
import type { Session } from '../protocol/check.ts';
import { answerOrNull, unlessGivenUp } from '../protocol/stop.ts';
import { readList } from '../state/reading.ts';
import { agrees } from './agreement.ts';

type Sender = Pick<Session, 'send' | 'lastWritten'>;

const { body, data } = endpoints['update-qualifying-event'];
const list = 'list-qualifying-events';

/** The listing of some sources. */
export interface SourceListing {
  readonly sources: ReadonlyMap<string, JsonObject>;
  /** The number of items read, and whether the list was complete. */
  readonly read: number;
  readonly complete: boolean;
  /** The members that at least one item shows. */
  readonly shown: ReadonlySet<string>;
}

/** Reads some sources from the list, within the bounds of a walk. */
export async function listSources(session: Sender, names: readonly string[]): Promise<SourceListing> {
  const sources = new Map<string, JsonObject>();
  const enough = (item: Members): boolean => {
    const { name } = item;
    if (typeof name === 'string' && names.includes(name) && !sources.has(name)) sources.set(name, item as JsonObject);
    return sources.size === names.length;
  };
  const read = readList(session, { endpoint: list }, enough);
  const listing = await unlessGivenUp(read, { items: [], complete: false });
  for (const item of listing.items) enough(item);
  const shown = new Set(listing.items.flatMap(item => Object.keys(item)));
  return { sources, read: listing.items.length, complete: listing.complete, shown };
}

/** The result of a dry run on a source. */
export interface DryRunShows {
  /** The present values of members that the list does not show, or shows wrongly. */
  readonly more: JsonObject;
  /** True if the target accepts dry runs. */
  readonly accepted: boolean;
  /** True if an update replaces fields that it does not carry. */
  readonly replaces: boolean;
}

const saysNothing = (value: unknown): boolean =>
  value === null || value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** Returns a dry run on a source with its required fields as listed; undefined if the list lacks one. */
function dryRunOf(name: string, listed: JsonObject) {
  const required = Object.fromEntries(body.required.map(field => [field, listed[field] ?? null]));
  if (Object.values(required).some(value => value === null)) return undefined;
  return { endpoint: 'update-qualifying-event', param: name, body: { ...required, dryRun: true } } as const;
}

/** Maximum number of other sources that are asked whether an update resets a field. */
const mostOthers = 2;

/**
 * True if dry runs on other sources show a field at another value than a reset would have given it. Those that the list
 * shows otherwise than the first are asked first.
 */
async function isRefuted(
  session: Sender,
  reset: JsonObject,
  listed: JsonObject,
  others: ReadonlyMap<string, JsonObject>,
): Promise<boolean> {
  const isUnlike = (one: JsonObject, other: JsonObject): boolean =>
    Object.keys(reset).some(field => Object.hasOwn(one, field) && !same(one[field] ?? null, other[field] ?? null));
  const ordered = [...others].toSorted(([, a], [, b]) => Number(isUnlike(b, listed)) - Number(isUnlike(a, listed)));
  for (const [name, other] of ordered.slice(0, mostOthers)) {
    const request = dryRunOf(name, other);
    const answer = request === undefined ? null : await answerOrNull(session, request);
    if (answer?.success === true && isUnlike(dataObject(answer), reset)) return true;
  }
  return false;
}

/**
 * Sends a source's required fields as listed, in a dry run (section 4.3). The answer shows the source after such an
 * update, and so the members that the list lacks. They are trusted only if the members not sent come back as listed;
 * otherwise an update would replace the whole, unless the list is what shows them wrongly: an update that resets what
 * it does not carry keeps nothing else, and gives every source the same.
 *
 * @param others the other sources, as listed
 */
export async function readByDryRun(
  session: Sender,
  name: string,
  listed: JsonObject,
  others: ReadonlyMap<string, JsonObject> = new Map(),
): Promise<DryRunShows> {
  const nothing = { more: {}, accepted: false, replaces: false };
  const request = dryRunOf(name, listed);
  if (request === undefined) return nothing;
  const answer = await answerOrNull(session, request);
  if (answer === null || !answer.success) return nothing;
  /** If a field differs even though it was sent, the answer is wrong and proves no replacement. */
  const areShownWhenSent = async (fields: readonly string[]): Promise<boolean> => {
    const sent = Object.fromEntries(fields.map(field => [field, listed[field] ?? null]));
    const carried = await answerOrNull(session, { ...request, body: { ...request.body, ...sent } });
    if (carried === null || !carried.success) return true;
    const now = dataObject(carried);
    return documented.some(([field, schema]) => fields.includes(field) && agrees(listed[field], now[field], schema));
  };
  const shown = dataObject(answer);
  const documented = Object.entries(data.properties).filter(
    ([field]) => field !== 'name' && !(field in request.body) && Object.hasOwn(shown, field),
  );
  const compared = documented.filter(([field]) => Object.hasOwn(listed, field));
  const otherwise = compared.filter(([field, schema]) => !agrees(listed[field], shown[field], schema));
  const isProof = compared.some(([field]) => !saysNothing(listed[field]));
  const isNamed = shown.name === undefined || shown.name === name;
  const unlisted = documented.flatMap(([field]) =>
    Object.hasOwn(listed, field) ? [] : [[field, shown[field] ?? null]],
  );
  const more = isProof && isNamed ? (Object.fromEntries(unlisted) as JsonObject) : {};
  const reset = Object.fromEntries(otherwise.map(([field]) => [field, shown[field] ?? null]));
  if (otherwise.length === 0 || !(await areShownWhenSent(Object.keys(reset))))
    return { more, accepted: true, replaces: false };
  const areKept = compared.some(one => !otherwise.includes(one) && !saysNothing(listed[one[0]]));
  const isListWrong = areKept && (await isRefuted(session, reset, listed, others));
  return { more: isListWrong ? { ...more, ...reset } : {}, accepted: true, replaces: !isListWrong };
}
