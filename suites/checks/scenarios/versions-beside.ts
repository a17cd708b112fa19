import { isOperation } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { readPage } from '../../judge/page.ts';
import type { Answer } from '../../protocol/answer.ts';
import { type CheckContext, type Session, type Violation, violation } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { besideOf } from './beside.ts';

/** Versions that ending one config adds to another. No comparison of entities tells that a new one must not be there. */

export const addsToNone: RequirementId = 'state.neighbours';

/** Number of other configs that are read: each takes two requests. */
const mostRead = 2;

/**
 * Returns the configs that are read around an ending. The two operations that end one read different ones, if there are
 * as many. A small profile has no requests to spare.
 */
export function configsBeside(context: CheckContext): readonly string[] {
  const all = besideOf(entityKinds.config, context);
  const inTurn = isOperation(context.row, 'config', 'archive') ? all.toReversed() : all;
  return context.amounts.creations === 1 ? [] : inTurn.slice(0, mostRead);
}

/** What the first page of a list says of all versions. */
interface Versions {
  readonly total: number;
  /** The highest number on the page; undefined if it shows none. */
  readonly newest: number | undefined;
  /** All numbers on the page. */
  readonly numbers: readonly number[];
  readonly answer: Answer;
}

/** Reads the versions of configs, by their ids; leaves out those that are not shown. */
export async function readVersions(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, Versions>> {
  const read = new Map<string, Versions>();
  for (const param of ids) {
    const answer = await unlessGivenUp(session.send({ endpoint: 'list-config-versions', param }), null);
    const page = answer === null ? null : readPage(answer);
    if (answer === null || page === null) continue;
    const numbers = page.items.flatMap(item => {
      const { version } = item as { readonly version?: unknown };
      return typeof version === 'number' ? [version] : [];
    });
    const newest = numbers.length === 0 ? undefined : Math.max(...numbers);
    read.set(param, { total: page.totalItems, newest, numbers, answer });
  }
  return read;
}

/** Returns the key of the versions of another config. */
export const keyOf = (id: string): string => `versions of ${id}`;

/**
 * True if a list of the same length shows a version more: a list that keeps a number of them drops the oldest. How
 * numbers increase is not shown (section 9), so a newest version under another number may be the one that was there.
 */
const isNewer = (was: Versions, { newest, numbers }: Versions): boolean =>
  was.newest !== newest && was.newest !== undefined && numbers.includes(was.newest);

/** Returns a suspicion for each config that has other versions than before. */
export const otherVersions = (
  before: ReadonlyMap<string, Versions>,
  after: ReadonlyMap<string, Versions>,
): readonly { readonly key: string; readonly violation: Violation }[] =>
  [...after].flatMap(([id, now]) => {
    const was = before.get(id);
    const { total, newest, answer } = now;
    if (was === undefined || (was.total === total && !isNewer(was, now))) return [];
    const found =
      was.total === total
        ? violation(answer, addsToNone, '/data/0/version', `${was.newest}, as before`, `${newest}`)
        : violation(answer, addsToNone, '/pagination/totalItems', `${was.total}, as before`, `${total}`);
    return [{ key: keyOf(id), violation: found }];
  });
