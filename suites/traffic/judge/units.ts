import { clip } from '../../../contracts/redaction/clip.ts';
import type { Secrets } from '../../../contracts/redaction/secrets.ts';
import type { CheckEnd, PlannedCheck } from '../../../contracts/report/journal.ts';
import { verdictOfFindings } from '../../../contracts/report/verdict.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { createFindingsCollector, findingOf, signatureOf } from '../../engine/findings.ts';
import type { Target } from '../../protocol/sut.ts';
import type { Breach } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** One check of one operation, with what it has shown. */
export interface TrafficUnit {
  readonly plan: PlannedCheck;
  add(breach: Breach, seen: Pick<SeenExchange, 'exchange' | 'path' | 'answer'>): void;
  cover(requirements: Iterable<RequirementId>): void;
  count(accepted: boolean): void;
  end(target: Target, secrets: Secrets, used: boolean): CheckEnd;
}

/** Opens a unit. */
export function openTrafficUnit(plan: PlannedCheck): TrafficUnit {
  const collector = createFindingsCollector();
  const exercised = new Set<string>();
  const stats = { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };
  const cited = new Set(plan.requirements);
  return {
    plan,
    add({ violation, about }, { exchange, path }) {
      const pointer = about?.pointer ?? '';
      const description = {
        title: `${exchange.request.method} ${clip(path, 200)}, exchange ${exchange.number} (${clip(exchange.source, 120)})`,
        pointer,
        ...(about?.sent === undefined ? {} : { sent: about.sent }),
      };
      const kept = { ...violation, answer: { ...violation.answer, sent: undefined } };
      collector.add(signatureOf(plan.id, violation, about === undefined ? null : description), kept, {
        unit: plan.id,
        index: exchange.number,
        path: `exchange-${exchange.number}`,
        description,
      });
    },
    cover(requirements) {
      for (const id of requirements) if (cited.has(id)) exercised.add(id);
    },
    count(accepted) {
      stats.requests += 1;
      stats[accepted ? 'accepted' : 'refused'] += 1;
    },
    end(target, secrets, used) {
      const findings = [...collector.groups.values()].map(group => findingOf(group, plan.id, target, secrets));
      const { id, endpoint, check, level } = plan;
      const isJudged = findings.length > 0 || exercised.size > 0;
      const because = used ? 'nothing of this traffic could have shown it' : 'the traffic does not use the operation';
      return {
        event: 'check-end',
        id,
        endpoint,
        check,
        level,
        verdict: isJudged ? verdictOfFindings(findings) : 'not-applicable',
        ...(isJudged ? {} : { because }),
        findings,
        notExercised: [],
        exercised: [...exercised].sort(),
        stats: { ...stats, cases: stats.requests },
      };
    },
  };
}
