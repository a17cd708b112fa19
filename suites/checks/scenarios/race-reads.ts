import { isDeepStrictEqual } from 'node:util';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { canonicalJson, membersOf } from '../../../contracts/json.ts';
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
import { pages } from '../passive/pages.ts';
import type { NamedScenario, Scenario } from './scenario.ts';

/** Maximum number of pages read concurrently. */
const mostPages = 4;

/** Maximum number of entities read concurrently: most target files name no more, and only one may be wrong. */
const mostEntities = 8;

/** Pages and sizes with answers that all differ: on a short list the sizes still do. */
const queries = [
  { page: 1, limit: 3 },
  { page: 2, limit: 3 },
  { page: 1, limit: 5 },
  { page: 2, limit: 2 },
] as const;

/** Returns reads with distinguishable answers: pages of a list with stated parameters, otherwise entities. */
function readsOf({ endpoint, row, target }: CheckContext, mostOfList: number): readonly ApiRequest[] {
  // The page of another read is this check's to tell.
  const judgedApart = [pages.id];
  if (row.query !== null) return queries.slice(0, mostOfList).map(query => ({ endpoint, query, judgedApart }));
  const names = row.fixture === null ? [] : fixtureNames(target, row.fixture);
  const own = names.slice(0, mostEntities).map(param => ({ endpoint, param, judgedApart }));
  // Another list can be told apart even if all of these are empty.
  return [...own, { endpoint: 'list-segments', query: { page: 1, limit: 2 }, judgedApart }];
}

/** Returns what an answer shows of its parameters and its items, without members that vary between answers. */
const shownBy = (answer: Answer | undefined) => {
  if (answer === undefined) return null;
  const page = readPage(answer);
  if (page === null) return null;
  const { data } = endpointRow(answer.request.endpoint);
  // Objects, because an answer may name its members in any order.
  const items = page.items.map(item =>
    Object.fromEntries(Object.entries(membersOf(documented(item, data))).filter(([name]) => !volatile.includes(name))),
  );
  return { number: page.pageNumber, size: page.itemsPerPage, items };
};

/** True if two answers show the same. */
const areAlike = (one: Answer | undefined, other: Answer | undefined): boolean =>
  isDeepStrictEqual(shownBy(one), shownBy(other));

/** True if the answer may belong to another read: it states another page, or equals another's answer. */
function isSuspicious(answer: Answer, index: number, answers: readonly Answer[]): boolean {
  const page = readPage(answer);
  const asked = answer.request.query;
  if (page === null || page.items.length === 0) return false;
  if (asked !== undefined && page.pageNumber !== asked.page) return true;
  if (asked !== undefined && page.itemsPerPage > Number(asked.limit)) return true;
  return answers.some((other, at) => at !== index && areAlike(other, answer));
}

/** Returns the items of an answer, each as one text. */
const itemTextsOf = (answer: Answer | undefined): ReadonlySet<string> =>
  new Set((shownBy(answer)?.items ?? []).map(canonicalJson));

/** True if an answer shows an item that the first of these answers show, and the second do not. */
function showsOf(answer: Answer, some: readonly Answer[], rest: readonly Answer[]): boolean {
  const [theirs, others] = [some, rest].map(all => new Set(all.flatMap(one => [...itemTextsOf(one)])));
  return [...itemTextsOf(answer)].some(item => theirs?.has(item) === true && !others?.has(item));
}

/** True if an answer states another page or page size than a second one. */
const isOtherPage = (one: Answer, other: Answer): boolean => {
  const [mine, theirs] = [shownBy(one), shownBy(other)];
  return mine?.number !== theirs?.number || mine?.size !== theirs?.size;
};

/** Sends reads one after another. */
async function alone(session: Session, reads: readonly ApiRequest[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const read of reads) answers.push(await session.send(read));
  return answers;
}

/**
 * Sends reads concurrently. An answer belongs to another read if it shows what that read shows alone, before and after,
 * and its own does not: an item, or another page or page size. An answer that merely lacks items may be behind. Entities
 * may look alike by chance, so they are first read alone.
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
    return isAccepted(answer) && isAccepted(control) && !areAlike(answer, control);
  };
  const suspects = before === null ? answers.filter(isSuspicious) : answers.filter(isOther(before));
  const isTelling = answers.some(one => !areAlike(one, answers[0]));
  // Empty lists look alike, so no mix-up can be seen; but each read was answered.
  const answered = covering([], ['robust.never-5xx']);
  if (suspects.length === 0 && !isTelling) return answered;
  if (suspects.length === 0) return covering([], ['state.concurrent-reads']);
  const controls = await alone(session, asked);
  const again = await alone(session, asked);
  const read = [before ?? [], controls, again];
  const wrong = suspects.flatMap((answer): Violation[] => {
    const index = answers.indexOf(answer);
    const own = controls[index];
    const stands = areAlike(again[index], own) && (before === null || areAlike(before[index], own));
    const other = controls.findIndex((one, at) => at !== index && areAlike(one, answer));
    if (!stands || own === undefined || shownBy(own) === null || areAlike(own, answer) || other < 0) return [];
    const isTold =
      isOtherPage(answer, own) ||
      showsOf(
        answer,
        [controls[other] as Answer],
        read.flatMap(all => all[index] ?? []),
      );
    if (!isTold) return [];
    const words = ({ param, query }: ApiRequest): string => inWords(query ?? param);
    const expected = `what the read of ${words(answer.request)} shows alone`;
    const actual = `what the read of ${words(asked[other] as ApiRequest)} shows, which was under way at the same time`;
    return [violation(answer, 'state.concurrent-reads', '/data', expected, actual)];
  });
  if (wrong.length > 0) return covering(wrong, ['state.concurrent-reads']);
  /** The answers to the read of an answer that was sent by itself, and to the other reads. */
  const apart = (answer: Answer): readonly [own: readonly Answer[], others: readonly Answer[]] => {
    const index = answers.indexOf(answer);
    return [read.flatMap(all => all[index] ?? []), read.flatMap(all => all.filter((_one, at) => at !== index))];
  };
  const isItsOwn = (answer: Answer): boolean => {
    const [own, others] = apart(answer);
    return showsOf(answer, own, others) && !showsOf(answer, others, own);
  };
  // The other list is there to be told apart; that it moves says nothing of this one.
  const judged = suspects.filter(({ request }) => request.endpoint === context.endpoint);
  if (judged.every(isItsOwn)) return covering([], ['state.concurrent-reads']);
  // Reads that cannot be told apart show no mix-up either.
  if (judged.every(answer => isItsOwn(answer) || apart(answer)[0].some(own => areAlike(own, answer)))) return answered;
  const refused = [...controls, ...again].find(one => !isAccepted(one));
  return unproved(
    refused === undefined ? 'the list moves by itself' : `a read by itself was refused (${refusalInWords(refused)})`,
  );
};

/** Section 4: each concurrent read gets its own answer. */
export const readRaces = (races: number): readonly NamedScenario[] =>
  Array.from({ length: races > 8 ? 3 : 1 }, () => ({ title: 'reads at once with different parameters', run: reads }));
