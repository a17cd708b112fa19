import type { JsonObject } from '../../../contracts/json.ts';
import { readPage } from '../../judge/page.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckResult,
  covering,
  type Session,
  unproved,
  violation,
} from '../../protocol/check.ts';
import { createEventually } from '../../state/eventually.ts';
import { fixtureNames } from '../../sut/target.ts';
import { asDryRun } from './dry-run.ts';
import { absentName } from './unserved.ts';

/** True if the operation found the entity named by its path: it succeeded, or refused the content. */
const isFinding = ({ success, status }: Answer): boolean => success || status === 400 || status === 422;

/**
 * Judges an empty list of qualifying events although the target file names some (section 4.11). It is wrong if the
 * update finds each named one, and does not find another name of the same form.
 *
 * Sends only dry runs, first with an empty body, which no service can accept. No list shows a source's query, so a
 * complete dry run has a made-up one. It is sent only if the service validates the body before it looks up the name.
 * @param because why the sources are not written
 */
export async function judgeUnlisted(context: CheckContext, session: Session, because: string): Promise<CheckResult> {
  const { endpoint, minimal, target, settleMs } = context;
  const readTotal = async () => {
    const answer = await session.send({ endpoint: 'list-qualifying-events' });
    return { answer, total: readPage(answer)?.totalItems };
  };
  const names = fixtureNames(target, 'qualifyingEvents').slice(0, 2);
  const ask = (param: string, body: JsonObject) =>
    session.send({ endpoint, param, body: asDryRun(body), unobserved: true });
  const other = (name: string): string => `${name}-${absentName(context)}`;
  if ((await readTotal()).total !== 0) return unproved(because);
  const isFoundFirst = (await ask(other(names[0] ?? ''), {})).status === 404;
  const body = isFoundFirst ? {} : (minimal.body ?? {});
  const answers: Answer[] = [];
  for (const name of names) {
    if ((await ask(other(name), body)).status !== 404) return unproved(because);
    answers.push(await ask(name, body));
  }
  const [shown] = answers;
  if (shown === undefined || !answers.every(isFinding)) return unproved(because);
  const { answer, total } = await createEventually(settleMs)(readTotal, ({ total: now }) => now !== 0);
  if (total !== 0) return unproved(because);
  const how = shown.success
    ? 'a dry run of its update is accepted'
    : `its update is refused (${refusalInWords(shown)})`;
  const expected = `${names.join(' and ')} in the list: ${how}, and that of an unknown name is not found`;
  const violations = [violation(answer, 'state.qualifying-event-visible', '/data', expected, 'an empty list')];
  const doubt = names.length < 2 ? { doubt: 'the target file names one alone' } : {};
  return covering(
    violations.map(one => ({ ...one, seen: { times: 2, of: 2 }, ...doubt })),
    ['state.qualifying-event-visible'],
  );
}
