import { present } from '../../../contracts/present.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import type { Secrets } from '../../../contracts/redaction/secrets.ts';
import type { CheckEnd, PlannedCheck } from '../../../contracts/report/journal.ts';
import { verdictOfFindings } from '../../../contracts/report/verdict.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { createFindingsCollector, findingOf, signatureOf } from '../../engine/findings.ts';
import type { Target } from '../../protocol/sut.ts';
import type { Breach } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** Opens one check of one operation, without any findings yet. */
export function openTrafficUnit(plan: PlannedCheck) {
  const { id: unit, endpoint, check, level } = plan;
  const collector = createFindingsCollector();
  const exercised = new Set<string>();
  const stats = { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };
  const cited = new Set(plan.requirements);
  return {
    add({ about, ...violation }: Breach, { exchange, path }: SeenExchange): void {
      const { request, number, source } = exchange;
      const title = `${request.method} ${clip(path, 200)}, exchange ${number} (${clip(source, 120)})`;
      const description = present({ title, pointer: about?.pointer ?? '', sent: about?.sent });
      const kept = { ...violation, answer: { ...violation.answer, sent: undefined } };
      const signature = signatureOf(unit, violation, about === undefined ? null : description);
      collector.add(signature, kept, { unit, index: number, path: `exchange-${number}`, description });
    },
    cover(requirements: Iterable<RequirementId>): void {
      for (const id of requirements) if (cited.has(id)) exercised.add(id);
    },
    count(accepted: boolean): void {
      stats.requests += 1;
      stats[accepted ? 'accepted' : 'refused'] += 1;
    },
    end(target: Target, secrets: Secrets, isUsed: (endpoint: PlannedCheck['endpoint']) => boolean): CheckEnd {
      const findings = [...collector.groups.values()].map(group => findingOf(group, unit, target, secrets));
      const isJudged = findings.length > 0 || exercised.size > 0;
      const because = isUsed(endpoint)
        ? 'nothing of this traffic could have shown it'
        : 'the traffic does not use the operation';
      return {
        event: 'check-end',
        id: unit,
        endpoint,
        check,
        level,
        ...(isJudged ? { verdict: verdictOfFindings(findings) } : { verdict: 'not-applicable', because }),
        findings,
        notExercised: [],
        exercised: [...exercised].sort(),
        stats: { ...stats, cases: stats.requests },
      };
    },
  };
}
