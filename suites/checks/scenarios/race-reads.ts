import { isDeepStrictEqual } from 'node:util';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { membersOf } from '../../../contracts/json.ts';
import { readPage } from '../../judge/page.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import { type Answer, type ApiRequest, isAccepted, isSilence } from '../../protocol/answer.ts';
import {
  type CheckContext,
  covering,
  type Session,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { untried } from '../../state/attribution.ts';
import { sendTogether } from '../../state/crowd.ts';
import { documented, volatile } from '../../state/difference.ts';
import { fixtureNames } from '../../sut/target.ts';
import type { NamedScenario, Scenario } from './scenario.ts';

/** So many pages are read at once. */
const mostPages = 4;

/** So many entities are read at once: all that most target files name, for an answer may be wrong about one of them alone. */
const mostEntities = 8;

/** Pages and sizes of which no two answers are alike: of a short list the sizes differ where the pages do not. */
const pages = [
  { page: 1, limit: 3 },
  { page: 2, limit: 3 },
  { page: 1, limit: 5 },
  { page: 2, limit: 2 },
] as const;

/** Reads whose answers can be told apart: of a list with stated parameters its pages, of others the entities. */
function readsOf({ endpoint, row, target }: CheckContext, mostOfList: number): readonly ApiRequest[] {
  if (row.query !== null) return pages.slice(0, mostOfList).map(query => ({ endpoint, query }));
  const names = row.fixture === null ? [] : fixtureNames(target, row.fixture);
  const own = names.slice(0, mostEntities).map(param => ({ endpoint, param }));
  // Another list is told apart from them even where they show nothing.
  return [...own, { endpoint: 'list-segments', query: { page: 1, limit: 2 } }];
}

/** What an answer shows of its parameters and of the list, without what may differ from one answer to the next. */
const shownBy = (answer: Answer): unknown => {
  const page = readPage(answer);
  if (page === null) return null;
  const { data } = endpointRow(answer.request.endpoint);
  const items = page.items.map(item =>
    Object.entries(membersOf(documented(item, data))).filter(([name]) => !volatile.includes(name)),
  );
  return [page.pageNumber, page.itemsPerPage, items];
};

/** True of an answer that may be another's: it tells another page than was asked for, or shows what another shows. */
function isSuspicious(answer: Answer, index: number, answers: readonly Answer[]): boolean {
  const page = readPage(answer);
  const asked = answer.request.query;
  if (page === null || page.items.length === 0) return false;
  if (asked !== undefined && page.pageNumber !== asked.page) return true;
  if (asked !== undefined && page.itemsPerPage > Number(asked.limit)) return true;
  return answers.some((other, at) => at !== index && isDeepStrictEqual(shownBy(other), shownBy(answer)));
}

/** Reads each alone, one after another. */
async function alone(session: Session, reads: readonly ApiRequest[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const read of reads) answers.push(await session.send(read));
  return answers;
}

/**
 * Reads at once. An answer is another's where it shows what that read shows alone, before and after, and what its own
 * read does not show. Of entities, whose answers may be alike by chance, each is read alone first.
 */
const reads: Scenario = async (context, session) => {
  const isBrief = (context.amounts.races ?? 1) === 1;
  const asked = readsOf(context, isBrief ? 2 : mostPages);
  const before = context.row.query === null && !isBrief ? await alone(session, asked) : null;
  const answers = await sendTogether(session, asked);
  const broken = answers.find(answer => isSilence(answer) || answer.status >= 500);
  if (broken !== undefined) return untried({ because: 'a request brought no answer', answer: broken });
  if (answers.every(({ success }) => !success)) return unproved('every read was refused');
  const isOther = (controls: readonly Answer[]) => (answer: Answer, index: number) => {
    const control = controls[index] ?? answer;
    return isAccepted(answer) && isAccepted(control) && !isDeepStrictEqual(shownBy(answer), shownBy(control));
  };
  const suspects = before === null ? answers.filter(isSuspicious) : answers.filter(isOther(before));
  const isTelling = answers.some(
    (one, index) => index > 0 && !isDeepStrictEqual(shownBy(one), shownBy(answers[0] as Answer)),
  );
  // Empty lists are alike: nothing could have been mixed up, and each read was answered.
  if (suspects.length === 0 && !isTelling) return covering([], ['robust.never-5xx']);
  if (suspects.length === 0) return covering([], ['state.concurrent-reads']);
  const controls = await alone(session, asked);
  const again = await alone(session, asked);
  const wrong = suspects.flatMap((answer): Violation[] => {
    const index = answers.indexOf(answer);
    const own = shownBy(controls[index] as Answer);
    const stands = [again, ...(before === null ? [] : [before])].every(one =>
      isDeepStrictEqual(shownBy(one[index] as Answer), own),
    );
    const got = shownBy(answer);
    const other = controls.findIndex((one, at) => at !== index && isDeepStrictEqual(shownBy(one), got));
    if (!stands || own === null || isDeepStrictEqual(own, got) || other < 0) return [];
    const words = ({ param, query }: ApiRequest): string => inWords(query ?? param);
    const expected = `what the read of ${words(answer.request)} shows alone`;
    const actual = `what the read of ${words(asked[other] as ApiRequest)} shows, which was under way at the same time`;
    return [violation(answer, 'state.concurrent-reads', '/data', expected, actual)];
  });
  if (wrong.length > 0) return covering(wrong, ['state.concurrent-reads']);
  const refused = [...controls, ...again].find(one => !isAccepted(one));
  return unproved(
    refused === undefined ? 'the list moves by itself' : `a read by itself was refused (${refusalInWords(refused)})`,
  );
};

/** Section 4: of reads at once each gets its own answer. */
export const readRaces = ({ amounts: { races = 1 } }: CheckContext): readonly NamedScenario[] =>
  Array.from({ length: races > 8 ? 3 : 1 }, () => ({ title: 'reads at once with different parameters', run: reads }));
