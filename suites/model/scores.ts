import { membersOf } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { criteriaOf, defaultQualityChecks, mostScores } from '../../contracts/resources/experiment.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Gathered } from './covers.ts';
import type { Asked } from './exchange.ts';
import { forgetOld, type Outcome } from './knowledge.ts';
import { type Suspicion, suspect } from './suspicion.ts';

/** The criteria that updates sent and the answer to the last one showed. */
interface Scored {
  readonly criteria: readonly string[];
  readonly number: number;
  readonly ms: number;
}

const added: RequirementId = 'meaning.quality-scores-added';
/** A single loss may be somebody else's work. */
const fewestLost = 2;

const ownOf = (criteria: readonly string[]): readonly string[] =>
  criteria.filter(one => one !== '' && !defaultQualityChecks.includes(one));

/**
 * Creates a judge of manual quality scores: each update adds to those of the update before (section 2.5). A service that
 * replaces them loses them each time that others are sent, and shows them until then. A job that computes the score
 * anew takes them away at any time.
 */
export function createScores() {
  const last = new Map<string, Scored>();
  let kept = 0;
  let lost = 0;
  let stayed = 0;
  return {
    /** Judges the answer to a request that may change an experiment. */
    wrote(asked: Asked, outcome: Outcome, answer: Answer | undefined, covers: Gathered): readonly Suspicion[] {
      const { row, param, body, writes, number, begun } = asked;
      if (row.resource !== 'experiment' || outcome === 'refused' || outcome === 'keyless') return [];
      const before = last.get(param);
      last.delete(param);
      if (outcome !== 'accepted' || writes.some(({ met }) => met.length > 0)) return [];
      const sent = ownOf(criteriaOf(membersOf(body).manualQualityScores, 'criteriaDescription'));
      const { breakdown } = membersOf(membersOf(answer?.data).qualityScore);
      const shown = ownOf(criteriaOf(breakdown, 'criterion'));
      // An update may take scores away.
      const stored = [...new Set([...sent, ...(before?.criteria ?? [])])].filter(one => shown.includes(one));
      if (sent.length === 0 && before !== undefined && stored.length === before.criteria.length) stayed += 1;
      if (stored.length === 0) return [];
      last.set(param, { criteria: stored, number, ms: begun.ms });
      const others = before?.criteria.filter(one => !sent.includes(one)) ?? [];
      const isFull = new Set([...others, ...shown]).size > mostScores;
      if (sent.length === 0 || before === undefined || others.length === 0 || isFull) return [];
      const missing = others.filter(one => !shown.includes(one));
      if (missing.length > 0) lost += 1;
      else {
        kept += 1;
        covers.add(asked.endpoint, added);
      }
      if (kept > 0 || stayed === 0 || lost < fewestLost) return [];
      const place = { field: 'qualityScore', pointer: '/data/qualityScore/breakdown', lacks: missing[0] ?? '' };
      const told = { requirements: [added], culprits: [number], known: before.number, certainBy: 'mark' } as const;
      return [suspect('changed', asked, param, { ...place, ...told })];
    },
    forget(beforeMs: number): void {
      forgetOld(last, ({ ms }) => ms < beforeMs);
    },
    size: (): number => last.size,
  };
}
