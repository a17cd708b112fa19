import { documented } from '../../contracts/documented.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { type Json, type JsonObject, type Members, objectsIn } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { FixtureSnapshot } from '../../contracts/report/journal.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import type { Answer } from '../protocol/answer.ts';
import { createEventually } from '../state/eventually.ts';
import type { RecordedSession } from '../sut/session.ts';
import { agrees } from './agreement.ts';
import { environmentFlags, environmentIn } from './environment-flags.ts';
import { restorableResources } from './fixture-reading.ts';

/**
 * The fields (or `environment flag`) of a fixture that could not be restored, why, and the body that would restore
 * them.
 */
export interface NotPutBack {
  readonly fields: readonly string[];
  readonly why: string;
  readonly send: JsonObject;
}

/** Options in addition to the snapshot. */
export interface PutBackOptions {
  /** The fields that the run wrote. */
  readonly written?: ReadonlySet<string>;
  /** Maximum wait, in milliseconds, until restored values are shown; none when absent. */
  readonly settleMs?: number;
  /** Send nothing to an entity that the target says does not exist: a write might create it. */
  readonly onlyIfThere?: boolean;
}

/** Sends a body to the restoring operation of a snapshot. */
type Send = (body: JsonObject) => Promise<Answer>;

/** Maximum number of attempts when others may be in the way. */
const mostTries = 4;

/** Statuses that the next attempt may not get: a conflict, a lock (RFC 9110 section 15.5.10, RFC 4918 section 11.3). */
const passing: ReadonlySet<number> = new Set([409, 423]);

/** Retries after a conflict or a lock: a concurrent write by others must not leave a fixture changed. */
const insisting =
  (send: Send): Send =>
  async body => {
    let answer = await send(body);
    for (let tries = 1; tries < mostTries && passing.has(answer.status); tries += 1) answer = await send(body);
    return answer;
  };

/** Returns the fields of a snapshot that differ from the entity as it is now. */
function differing({ endpoint, body }: FixtureSnapshot, now: Members): string[] {
  const properties = endpointRow(endpoint).body?.properties ?? {};
  return Object.keys(body).filter(field => !agrees((body as JsonObject)[field], now[field], properties[field]));
}

const pick = (body: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.map(field => [field, body[field] ?? null]));

/** Returns a list as the text that a request may carry instead (`targetApps`, section 2.3); undefined if it may not. */
function asText(field: string, value: Json | undefined, { body }: Endpoint): string | undefined {
  const takesText = body?.properties?.[field]?.anyOf?.some(({ type }) => type === 'string') === true;
  if (!takesText || !Array.isArray(value) || value.length > 1) return undefined;
  const [only = ''] = value;
  return typeof only === 'string' ? only : undefined;
}

/** True if an answer may refuse one of several fields, and take the others. */
const mayRefuseOne = ({ status }: Answer): boolean =>
  (status >= 400 && status < 500 && status !== 401) || status === 500;

/**
 * Sends only the changed fields in a partial update (section 4.6): together, or one by one if that is refused. A
 * refused list is sent as a text.
 */
async function putFields(changed: JsonObject, row: Endpoint, send: Send): Promise<Answer> {
  const whole = await send(changed);
  if (whole.success || !mayRefuseOne(whole)) return whole;
  const fields = Object.entries(changed);
  let refused: Answer | undefined;
  for (const [field, value] of fields) {
    const asShown = fields.length < 2 ? whole : await send({ [field]: value });
    const text = asShown.success ? undefined : asText(field, value, row);
    const answer = text === undefined ? asShown : await send({ [field]: text });
    if (!answer.success) refused = answer;
  }
  return refused ?? whole;
}

/**
 * Sends the whole snapshot in an update that may replace the entity (section 4.3), first as a dry run. If it is
 * refused, starts from the required fields as they are now and restores each old value that is accepted. The real
 * update is one request, because each request could reset the fields that it does not carry.
 */
async function putWhole(body: JsonObject, required: readonly string[], now: Members, send: Send): Promise<Answer> {
  const dry: Send = tried => send({ ...tried, dryRun: true });
  const isTriedDry = (await dry(body)).success;
  const whole = await send(body);
  if (whole.success) return whole;
  const present = Object.fromEntries(required.map(field => [field, (now[field] ?? body[field] ?? null) as Json]));
  const takesDryRuns = isTriedDry || (await dry(present)).success;
  const attempt = takesDryRuns ? dry : send;
  let taken = present;
  let refused = whole;
  for (const [field, value] of Object.entries(body)) {
    const tried = { ...taken, [field]: value };
    const answer = await attempt(tried);
    if (answer.success) taken = tried;
    else refused = answer;
  }
  const last = await send(taken);
  return last.success ? refused : last;
}

/**
 * Returns in words what has become of an entity since its snapshot: fields that changed, or that it is gone; null if it
 * is as it was, or cannot be read. Changes nothing.
 */
export async function changeSince(
  snapshot: FixtureSnapshot,
  session: RecordedSession,
  settleMs: number,
): Promise<string | null> {
  const { endpoint, param = '' } = snapshot;
  const look = async () => restorableResources[endpointRow(endpoint).resource]?.look?.(session, param);
  // It may not be found for a moment.
  const { entity = null, isGone = false } = (await createEventually(settleMs)(look, now => now?.isGone !== true)) ?? {};
  if (isGone) return 'it went away';
  const changed = entity === null ? [] : differing(snapshot, entity);
  return changed.length === 0 ? null : `${changed.join(', ')} changed`;
}

/** Restores one readable fixture, reads it again, and compares. */
async function putEntity(
  snapshot: FixtureSnapshot,
  session: RecordedSession,
  { written = new Set(), settleMs = 0, onlyIfThere = false }: PutBackOptions,
): Promise<NotPutBack | null> {
  const { endpoint, param = '' } = snapshot;
  const row = endpointRow(endpoint);
  const body = snapshot.body as JsonObject;
  const readNow = async () => restorableResources[row.resource]?.read?.(session, param, Object.keys(body));
  const read = async (): Promise<Members | null> => (await readNow())?.entity ?? null;
  const send = insisting(sent => session.send({ endpoint, param, body: sent }));
  const { entity: before, isGone = false } = (await readNow()) ?? { entity: null };
  if (isGone && onlyIfThere) return { fields: Object.keys(body), why: 'it is not there any more', send: body };
  const differs = before === null ? Object.keys(body) : differing(snapshot, before);
  // Send written fields even if they seem unchanged: the reading may be older than the write.
  const changed = Object.keys(body).filter(field => differs.includes(field) || written.has(field));
  if (changed.length === 0) return null;
  const schema = row.body ?? undefined;
  const put = async (from: JsonObject) => {
    const answer = await (row.action === 'patch'
      ? putFields(pick(from, changed), row, send)
      : putWhole(from, row.body?.required ?? [], documented((before ?? {}) as JsonObject, schema) as JsonObject, send));
    const after = await createEventually(settleMs)(read, now => now === null || differing(snapshot, now).length === 0);
    return { answer, left: after === null ? (answer.success ? [] : changed) : differing(snapshot, after) };
  };
  const plain = documented(body, schema) as JsonObject;
  // A service may make anew what it is not sent, such as the id of a rule. What moves by itself is not to be stored.
  const shown = (now: Members | null): JsonObject => pick((now ?? {}) as JsonObject, changed);
  const isStill = same(plain, body) || (before !== null && same(shown(before), shown(await read())));
  const [likely, other] = isStill ? [body, plain] : [plain, body];
  const first = await put(likely);
  const { answer, left } = first.left.length === 0 || same(plain, body) ? first : await put(other);
  if (left.length === 0) return null;
  const why = answer.success ? 'it was accepted and is not shown afterwards' : refusalInWords(answer);
  return { fields: left, why, send: row.action === 'patch' ? pick(body, left) : body };
}

/** Returns the flags, in words, in which the answer differs from the set to be restored. */
function flagsLeft(answer: Answer, set: readonly JsonObject[]): string[] {
  return set.flatMap(one => {
    const shown = environmentIn(answer, one);
    return environmentFlags
      .filter(flag => Object.hasOwn(one, flag) && shown?.[flag] !== one[flag])
      .map(flag => `${flag} of ${one.name}`);
  });
}

/**
 * Restores the environments, which no list shows (section 4.1): the answer to the write shows the result. If the whole
 * set is refused, leaves the flags out and restores each one whose old value is accepted.
 */
async function putEnvironments(snapshot: FixtureSnapshot, session: RecordedSession): Promise<NotPutBack | null> {
  const { endpoint } = snapshot;
  const body = snapshot.body as JsonObject;
  const set = objectsIn(body.environments);
  const sendBody = insisting(sent => session.send({ endpoint, body: sent }));
  const send = (environments: readonly JsonObject[]) => sendBody({ environments: [...environments] });
  const whole = await send(set);
  if (whole.success) {
    const fields = flagsLeft(whole, set);
    return fields.length === 0 ? null : { fields, why: 'the answer shows otherwise', send: body };
  }
  let taken: readonly JsonObject[] = set.map(one =>
    pick(
      one,
      Object.keys(one).filter(name => !isFlag(name)),
    ),
  );
  let last = await send(taken);
  if (!last.success) return { fields: ['the whole set'], why: refusalInWords(whole), send: body };
  for (const [index, one] of set.entries()) {
    for (const flag of environmentFlags.filter(name => Object.hasOwn(one, name))) {
      const tried = taken.with(index, { ...taken[index], [flag]: one[flag] ?? null });
      const answer = await send(tried);
      if (answer.success) [taken, last] = [tried, answer];
    }
  }
  const fields = flagsLeft(last, set);
  return fields.length === 0 ? null : { fields, why: refusalInWords(whole), send: body };
}

const isFlag = (name: string): boolean => environmentFlags.some(flag => flag === name);

/**
 * Restores one fixture to its snapshot: sends the differences and what the run wrote, reads it as the original was read,
 * and compares. Of environments, which nothing reads, it compares the answer to the write. Returns what could not be
 * restored, or null.
 */
export const putBack = (
  snapshot: FixtureSnapshot,
  session: RecordedSession,
  options: PutBackOptions = {},
): Promise<NotPutBack | null> =>
  snapshot.param === undefined ? putEnvironments(snapshot, session) : putEntity(snapshot, session, options);
