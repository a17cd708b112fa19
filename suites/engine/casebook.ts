import type { Finding } from '../../contracts/report/evidence.ts';
import type { Level } from '../../contracts/report/journal.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { CaseDescription, Draft } from '../checks/check.ts';
import type { Secrets } from '../client/secrets.ts';
import type { Target } from '../target/world.ts';
import { exchangeOf, keptAnswer } from './evidence.ts';

/** One case that showed a draft: where to find it again. */
export interface Source {
  /** The `endpoint/check` whose case it is. */
  readonly unit: string;
  /** Orders the cases of a unit, whatever the concurrency. */
  readonly index: number;
  readonly path: string;
  readonly description: CaseDescription;
}

/** Drafts of one cause: the first case that showed it, and how many did. */
export interface Grievance {
  readonly signature: string;
  draft: Draft;
  source: Source;
  occurrences: number;
  shrinks: number;
  seen?: { times: number; of: number };
}

/** Array positions do not tell one cause from another. */
const anyPosition = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/**
 * What makes two drafts one grievance: the check that judges, the requirement, the place in the answer, and (for drafts of the check that sent the
 * request) the field that the case was about.
 */
export function signatureOf(owner: string, draft: Draft, description: CaseDescription | null): string {
  return [owner, draft.requirement, anyPosition(draft.pointer), anyPosition(description?.pointer ?? '')].join('\n');
}

const keepable = (draft: Draft): Draft => ({ ...draft, answer: keptAnswer(draft.answer) });

/** The grievances of one `endpoint/check`. */
export interface Casebook {
  add(signature: string, draft: Draft, source: Source): void;
  readonly grievances: ReadonlyMap<string, Grievance>;
}

const mostGrievances = 40;

/** An empty casebook. It keeps the lowest case of each grievance and a bounded number of grievances. */
export function createCasebook(): Casebook {
  const grievances = new Map<string, Grievance>();
  return {
    grievances,
    add(signature, draft, source) {
      const known = grievances.get(signature);
      if (known === undefined) {
        if (grievances.size < mostGrievances) {
          grievances.set(signature, { signature, draft: keepable(draft), source, occurrences: 1, shrinks: 0 });
        }
        return;
      }
      known.occurrences += 1;
      if (known.source.unit === source.unit && source.index < known.source.index) {
        known.draft = keepable(draft);
        known.source = source;
      }
    },
  };
}

/** The level of a requirement, as the ledger has it; an OPEN row can never be violated, so citing one is the suite's fault. */
export function levelOf(requirement: string): Level {
  const row = requirementById(requirement);
  if (row.level === 'OPEN')
    throw new Error(`a check cites ${requirement}, which is no MUST or SHOULD row of the ledger`);
  return row.level;
}

/** A grievance as the report has it; `brief` shows less of the exchange. */
export function findingOf(
  grievance: Grievance,
  owner: string,
  target: Target,
  secrets: Secrets,
  brief = false,
): Finding {
  const { draft, source } = grievance;
  const { description } = source;
  return {
    requirement: draft.requirement,
    level: levelOf(draft.requirement),
    pointer: draft.pointer,
    expected: secrets.redact(draft.expected),
    actual: secrets.redact(draft.actual),
    occurrences: grievance.occurrences,
    ...(grievance.seen === undefined ? {} : { seen: grievance.seen }),
    counterexample: {
      path: source.path,
      ...(source.unit === owner ? {} : { unit: source.unit }),
      title: secrets.redact(description.title),
      pointer: description.pointer,
      ...(description.sent === undefined ? {} : { sent: description.sent }),
      ...(description.twin === undefined ? {} : { twin: description.twin }),
      shrinks: grievance.shrinks,
    },
    exchange: exchangeOf(draft.answer, target, secrets, brief),
  };
}
