import { hasDryRun } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { isInvented } from '../checks/active/acceptance.ts';
import { asDryRun } from '../checks/active/dry-run.ts';
import { isSought, openPremise } from '../checks/active/premise.ts';
import { absentName, isLikeUnknownPath, isUnrouted } from '../checks/active/unserved.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type Answer, type ApiRequest, isDryRun, isSilence, outcomeOf } from '../protocol/answer.ts';
import type { CheckContext, Session } from '../protocol/check.ts';
import { answerOrNull, Withheld } from '../protocol/stop.ts';
import { readMetrics, readQualifyingEvent } from '../state/reading.ts';
import { cutOff, type ReadOnlyClient } from '../sut/read-only-client.ts';
import { subjectOf } from '../sut/target.ts';
import type { Diagnostic } from './fixture-examination.ts';

/**
 * Returns a harmless request that shows whether an operation is served: a minimal request that only reads or is a dry
 * run, or the empty patch. Otherwise a truncated body about an entity that does not exist.
 */
function askedOf({ endpoint, row, minimal, token }: CheckContext): ApiRequest {
  if (row.method === 'GET') return { endpoint, param: minimal.param };
  if (row.action === 'patch') return { endpoint, param: minimal.param, body: {} };
  if (hasDryRun(row)) return { endpoint, param: minimal.param, body: asDryRun(minimal.body ?? {}) };
  return {
    endpoint,
    ...(row.param === null ? {} : { param: absentName({ token }) }),
    ...(row.body === null ? {} : { raw: cutOff }),
  };
}

/** Resolves to true if a target stored a dry run; undefined if that would look the same. */
async function isKept({ target, discovered }: CheckContext, session: Session, answer: Answer) {
  const { endpoint, param = '' } = answer.request;
  if (endpoint === 'create-metric') {
    const { items } = await readMetrics(session, subjectOf(target, 'list-event-metrics') ?? '');
    const { name, type } = membersOf(answer.sent);
    return items.some(item => item.name === name && item.type === type);
  }
  const before = discovered.qualifyingEvents.get(param) ?? {};
  const { dryRun: _, ...sent } = membersOf(answer.sent);
  const changes = Object.entries(sent).filter(([field, value]) => !same(before[field], value));
  if (changes.length === 0) return undefined;
  const now = membersOf((await readQualifyingEvent(session, param)).entity);
  return changes.some(([field, value]) => same(now[field], value));
}

/** Returns a session that sends nothing more to an operation that stores dry runs. */
function careful(context: CheckContext, client: ReadOnlyClient): Session & { readonly keeps: () => boolean } {
  let kept: boolean | undefined;
  return {
    ...client,
    keeps: () => kept === true,
    async send(request) {
      if (kept === true && request.endpoint === context.endpoint) throw new Withheld('it keeps dry runs');
      const answer = await client.send(request);
      if (kept === undefined && answer.success && isDryRun(answer)) kept = await isKept(context, client, answer);
      return answer;
    },
  };
}

const problem = (text: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  area: 'operations',
  state: 'problem',
  text,
  ...more,
});

/**
 * Returns the diagnostics for a refused dry run: the field at fault, with both remedies, or that nothing was accepted.
 */
async function examinePremise(context: CheckContext, session: Session, refused: Answer): Promise<Diagnostic[]> {
  const { endpoint, minimal } = context;
  const lost = (because: string): Diagnostic[] => [problem(`${endpoint}: ${because}`, { endpoints: [endpoint] })];
  if (isInvented(context))
    return lost(
      `its dry run was refused (${refusalInWords(refused)}); no list shows ${minimal.param}, so its query is made up`,
    );
  if (!isSought(refused, context, session)) return lost(`its dry run was refused (${refusalInWords(refused)})`);
  const { result, isFound } = await openPremise(context, session, refused);
  if (!isFound) return lost(`of its dry runs, ${result.because}`);
  const told = result.violations.map(({ expected, actual, doubt }) =>
    problem(`${endpoint}: ${[actual, ...(doubt === undefined ? [] : [doubt])].join('; ')}`, {
      remedy: expected.replace('a success: ', ''),
    }),
  );
  const note = { area: 'operations', state: 'note', text: `${endpoint}: ${result.because}` } as const;
  return result.because === undefined ? told : [...told, note];
}

/** Examines whether an operation is served, and what its dry runs show that it demands. */
async function examineOperation(context: CheckContext, client: ReadOnlyClient): Promise<Diagnostic[]> {
  const { endpoint, row } = context;
  const session = careful(context, client);
  const answer = await answerOrNull(session, askedOf(context));
  if (answer === null) return [];
  // Lists have a diagnostic of their own.
  if (isSilence(answer)) return row.list ? [] : [problem(`${endpoint}: no answer (${outcomeOf(answer)})`)];
  if (answer.reply.failure !== null) return [];
  const isDry = row.method !== 'GET' && hasDryRun(row);
  const words = refusalInWords(answer);
  const unserved = { endpoints: [endpoint], unserved: endpoint };
  if (await isUnrouted(context, session, answer)) return [problem(`${endpoint}: not served (${words})`, unserved)];
  if (answer.status === 404 && (await isLikeUnknownPath(context, session, answer)))
    return [
      problem(`${endpoint}: probably not served, because it answers as it answers unknown paths (${words})`, unserved),
    ];
  const found = isDry && !answer.success ? await examinePremise(context, session, answer) : [];
  if (!session.keeps()) return found;
  return [problem(`${endpoint}: it keeps what was sent as a dry run, which nothing may keep (section ${row.section})`)];
}

/**
 * Examines whether operations are served, and what they demand as far as dry runs show. Without `write` it examines
 * only operations that read.
 */
export async function examineOperations(
  contexts: readonly CheckContext[],
  client: ReadOnlyClient,
  write: boolean,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const unseen: EndpointId[] = [];
  for (const context of contexts) {
    const { endpoint, row } = context;
    const found = write || row.method === 'GET' ? await examineOperation(context, client) : [];
    diagnostics.push(...found);
    if (row.body !== null && found.length === 0 && !(write && hasDryRun(row))) unseen.push(endpoint);
  }
  const more = write ? '' : ' (--write tests whether they are served, and what dry runs show)';
  const text = `which fields these require cannot be found out without a change${more}: ${unseen.join(', ')}`;
  return unseen.length === 0 ? diagnostics : [...diagnostics, { area: 'operations', state: 'note', text }];
}
