import { readPage } from '../../judge/page.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
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
import { absentName } from './unserved.ts';

const isInvalid = (status: number): boolean => status === 400 || status === 422;

/**
 * Judges a list of qualifying events that is empty though the target file names some (section 4.11). The update of each
 * is asked for what it cannot accept, so that nothing is written: the update knows a source that it refuses as invalid
 * where it does not find another name of the same form.
 * @param because why the sources are not written
 */
export async function judgeUnlisted(context: CheckContext, session: Session, because: string): Promise<CheckResult> {
  const { endpoint, target, settleMs } = context;
  const readTotal = async () => {
    const answer = await session.send({ endpoint: 'list-qualifying-events' });
    return { answer, total: readPage(answer)?.totalItems };
  };
  if ((await readTotal()).total !== 0) return unproved(because);
  const ask = (param: string) => session.send({ endpoint, param, body: { dryRun: true }, unobserved: true });
  const names = fixtureNames(target, 'qualifyingEvents').slice(0, 2);
  for (const name of names) {
    const known = await ask(name);
    const unknown = await ask(`${name}-${absentName(context)}`);
    if (!isInvalid(known.status) || unknown.status !== 404) return unproved(because);
  }
  const { answer, total } = await createEventually(settleMs)(readTotal, ({ total: now }) => now !== 0);
  if (total !== 0) return unproved(because);
  const shown = await ask(names[0] ?? '');
  const expected = `${names.join(' and ')} in the list: the update of each is refused as invalid (${refusalInWords(shown)}), and that of an unknown name as not found`;
  const found = violation(answer, 'state.qualifying-event-visible', '/data', expected, 'an empty list');
  const doubt = names.length < 2 ? { doubt: 'the target file names one alone' } : {};
  return covering([{ ...found, seen: { times: 2, of: 2 }, ...doubt }], ['state.qualifying-event-visible']);
}
