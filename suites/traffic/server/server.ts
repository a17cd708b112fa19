import { hasDryRun } from '../../../contracts/endpoint.ts';
import { checks } from '../../checks/index.ts';
import { coveredBy } from '../../checks/verified-by.ts';
import { isGatewayError } from '../../client/deferral.ts';
import { isDryRun } from '../../protocol/answer.ts';
import type { PassiveCheck } from '../../protocol/check.ts';
import { clipped } from '../../sut/clipped.ts';
import type { BodyJudgement } from '../client/body.ts';
import type { Judgement } from '../exchange/breach.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import type { SeenExchange } from '../exchange/seen.ts';
import { judgePage, pagesCheck } from './pages.ts';
import { createDropsJudge, judgeOtherPath, judgeRefusal, refusedCheck } from './refusals.ts';

const beforeTheServer = 'what stands before a server (a filter, a gateway) refuses in HTML as well';

/** True if a refusal may come from a filter or gateway before the server: it is an HTML page. */
const isPageOfFilter = ({ answer: { status, reply } }: SeenExchange): boolean =>
  (status === 403 || status === 429) && /^text\/html\b/i.test(String(reply.headers['content-type'] ?? ''));

/** The passive checks: they judge any answer of a documented operation. */
export const passiveChecks: readonly PassiveCheck[] = checks.filter(check => check.kind === 'passive');

/** Judges an answer by the passive checks. */
function judgePassively(seen: SeenExchange): Judgement[] {
  const { endpoint, row, answer, exchange } = seen;
  // A gateway's status is not the server's answer, and a redirection is not the API's.
  if (isGatewayError(answer.status) || (answer.status >= 300 && answer.status < 400)) return [];
  const judged = clipped(answer);
  const areHeadersKnown = !('failure' in exchange.response) && exchange.response.headers !== 'not recorded';
  // The message of a dry run is open. Without the request body it is unknown whether this was one.
  const isMessageOpen = isDryRun(answer) || (answer.sent === undefined && hasDryRun(row));
  const doubt = isPageOfFilter(seen) ? { doubt: beforeTheServer } : {};
  return passiveChecks.flatMap(check => {
    if (!check.appliesTo(row) || (check.id === 'message' && isMessageOpen)) return [];
    const result = check.observe(judged, row);
    if (!result.proved) return [];
    const known = result.violations.filter(({ pointer }) => areHeadersKnown || !pointer.startsWith('header '));
    return {
      check: check.id,
      breaches: known.map(violation => ({ ...violation, ...doubt })),
      covers: [...coveredBy(check, endpoint, result)].filter(id => areHeadersKnown || id !== 'envelope.content-type'),
    };
  });
}

/** Creates a judge of the answers of servers. */
export function createServerJudge() {
  const judgeDrops = createDropsJudge();
  /**
   * Judges an answer by its request. Refusing a valid request is no breach, because the reason may lie outside the
   * traffic. `isOpenPage`: the request asks for a page that no link offered.
   */
  return (seen: SeenExchange, { problems }: BodyJudgement, use: KeyUse, isOpenPage: boolean): readonly Judgement[] => {
    if (seen.operation === undefined) return [{ check: refusedCheck, ...judgeOtherPath(seen, use) }];
    const { breaches, covers } = judgeRefusal(seen, problems, use);
    const refused = { check: refusedCheck, breaches: [...breaches, ...judgeDrops(seen)], covers };
    if (seen.unreadable !== undefined) return [refused];
    return [refused, ...judgePassively(seen), { check: pagesCheck, ...judgePage(seen, isOpenPage) }];
  };
}
