import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { checks } from '../../checks/index.ts';
import { coveredBy } from '../../checks/verified-by.ts';
import { isDryRun } from '../../protocol/answer.ts';
import type { PassiveCheck } from '../../protocol/check.ts';
import { clipped } from '../../sut/clipped.ts';
import type { BodyJudgement } from '../client/body.ts';
import type { Breach } from '../exchange/breach.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import type { SeenExchange } from '../exchange/seen.ts';
import { judgePage, pagesCheck } from './pages.ts';
import { isGatewayStatus, judgeOtherPath, judgeRefusal, refusedCheck } from './refusals.ts';

/** What an answer showed: breaches, and by the id of the check what it could have shown to be broken. */
export interface ServerJudgement {
  readonly breaches: readonly Breach[];
  readonly covers: readonly (readonly [check: string, requirements: readonly RequirementId[]])[];
}

const beforeTheServer = 'what stands before a server (a filter, a gateway) refuses in HTML as well';

/** True of a refusal that may come from what stands before the server: a page, for a person. */
const isPageOfFilter = ({ answer: { status, reply } }: SeenExchange): boolean =>
  (status === 403 || status === 429) && /^text\/html\b/i.test(String(reply.headers['content-type'] ?? ''));

/** The passive checks: they judge any answer of a documented operation. */
export const passiveChecks: readonly PassiveCheck[] = checks.filter(check => check.kind === 'passive');

/** Judges an answer by them. */
function judgePassively(seen: SeenExchange): ServerJudgement {
  const { endpoint, row, answer, exchange } = seen;
  // What a gateway says is none of the server's, and a redirection none of the API's.
  if (isGatewayStatus(answer.status) || (answer.status >= 300 && answer.status < 400))
    return { breaches: [], covers: [] };
  const judged = clipped(answer);
  const areHeadersKnown = !('failure' in exchange.response) && exchange.response.headers !== 'not recorded';
  // The message of a dry run is open, and so is whether this was one.
  const isMessageOpen = isDryRun(answer) || (answer.sent === undefined && hasDryRun(row));
  const breaches: Breach[] = [];
  const covers: [string, readonly RequirementId[]][] = [];
  for (const check of passiveChecks) {
    if (!check.appliesTo(row) || (check.id === 'message' && isMessageOpen)) continue;
    const result = check.observe(judged, row);
    if (!result.proved) continue;
    for (const violation of result.violations)
      if (areHeadersKnown || !violation.pointer.startsWith('header '))
        breaches.push({
          side: 'server',
          check: check.id,
          violation: isPageOfFilter(seen) ? { ...violation, doubt: beforeTheServer } : violation,
        });
    const shown = [...coveredBy(check, endpoint, result)];
    covers.push([check.id, areHeadersKnown ? shown : shown.filter(id => id !== 'envelope.content-type')]);
  }
  return { breaches, covers };
}

/**
 * Judges an answer of a documented operation by what its request deserved. A valid request that is refused is no
 * breach: the reasons may lie in what no request shows. `isOpenPage`: it asks for a page that no link offered.
 */
export function judgeServer(
  seen: SeenExchange,
  body: BodyJudgement,
  use: KeyUse,
  isOpenPage: boolean,
): ServerJudgement {
  if (seen.operation === undefined) {
    const { breaches, covers } = judgeOtherPath(seen, use);
    return { breaches, covers: [[refusedCheck, covers]] };
  }
  const refusal = judgeRefusal(seen, body.problems, use);
  if (seen.unreadable !== undefined) return { breaches: refusal.breaches, covers: [[refusedCheck, refusal.covers]] };
  const passive = judgePassively(seen);
  const page = judgePage(seen, isOpenPage);
  return {
    breaches: [...refusal.breaches, ...passive.breaches, ...page.breaches],
    covers: [[refusedCheck, refusal.covers], ...passive.covers, [pagesCheck, page.covers]],
  };
}
