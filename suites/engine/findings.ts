import { jsonAt } from '../../contracts/json-tree.ts';
import { anyPosition } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { redactedBeginning, slack } from '../../contracts/redaction/beginning.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { Level } from '../../contracts/report/journal.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CaseDescription, CheckResult, Violation } from '../protocol/check.ts';
import type { Target } from '../protocol/sut.ts';
import { exchangeOf, keptAnswer, longestBody, stepsOf, textOf } from './evidence.ts';

/** One case that showed a violation: where to find it again. */
export interface Source {
  /** The `endpoint/check` whose case it is. */
  readonly unit: string;
  /** Orders the cases of a unit, whatever the concurrency. */
  readonly index: number;
  readonly path: string;
  readonly description: CaseDescription;
}

/** Answers in the order in which they came, as the steps of a violation. */
export const numbered = (answers: readonly Answer[]): NonNullable<Violation['steps']> =>
  answers.map((answer, index) => ({ number: index + 1, answer }));

/** Where a finding comes from that no case of the plan has shown: from whatever the run sent. */
export const sentByRun = (unit: string): Source => ({
  unit,
  index: 0,
  path: '',
  description: { title: 'what the run sent', pointer: '' },
});

/** A violation as it is kept: without the megabytes of its answer. */
interface KeptViolation extends Violation {
  /** The JSON text of the accused value, where the body of the answer is kept only as far as before it. */
  readonly accused?: string;
}

/** Violation of one cause: the first case that showed it, and how many did. */
export interface FindingGroup {
  readonly signature: string;
  violation: KeptViolation;
  source: Source;
  occurrences: number;
  shrinks: number;
  seen?: { times: number; of: number };
}

/** A violation, and whose it is: the check's that sent the request, or a passive check's. */
export interface AttributedViolation {
  /** `endpoint/check`. */
  readonly owner: string;
  readonly signature: string;
  readonly violation: Violation;
  /** What the accused request was about, or else its case. */
  readonly about: CaseDescription;
}

/**
 * What makes two violations one group: the check that judges, the requirement, the place in the answer, and (for
 * violations of the check that sent the request) the field that the case was about.
 */
export function signatureOf(owner: string, violation: Violation, description: CaseDescription | null): string {
  return [owner, violation.requirement, anyPosition(violation.pointer), anyPosition(description?.pointer ?? '')].join(
    '\n',
  );
}

/** The violations of a result of `owner` in a case; `isOwn`: the check that sent it judged it. */
export const attribute = (
  owner: string,
  { violations }: Pick<CheckResult, 'violations'>,
  description: CaseDescription,
  isOwn: boolean,
): AttributedViolation[] =>
  violations.map(violation => {
    const about = violation.answer.request.about ?? description;
    return { owner, signature: signatureOf(owner, violation, isOwn ? about : null), violation, about };
  });

/** Bodies beyond this are not searched for the accused value, in characters. */
const mostSearched = 2_000_000;

/** The accused value as it was written, where the evidence of a long body does not reach it. */
function accusedOf({ answer, pointer, fault }: Violation): string | undefined {
  const text = textOf(answer);
  return pointer.startsWith('/') && text.length > longestBody && text.length <= mostSearched
    ? jsonAt(text, pointer, JSON.stringify(fault?.got))?.slice(0, longestBody + slack + 1)
    : undefined;
}

const keepable = (violation: Violation): KeptViolation => ({
  ...violation,
  ...present({ accused: accusedOf(violation) }),
  answer: keptAnswer(violation.answer),
});

/** The groups of one `endpoint/check`. */
export type FindingsCollector = ReturnType<typeof createFindingsCollector>;

const mostGroups = 40;

/** 1 of a case about several fields at once, which says less than one about a single field, or about none. */
const isPacked = ({ description }: Source): number => Number(description.isPack === true);

/**
 * An empty collector, which tells of all that is added. It keeps the lowest case of each group, one without a doubt if there is one, then one that is
 * not about several fields if there is one, and a bounded number of groups.
 */
export function createFindingsCollector(onAdded: (violation: Violation, source: Source) => void = () => {}) {
  const groups = new Map<string, FindingGroup>();
  return {
    groups: groups as ReadonlyMap<string, FindingGroup>,
    add(signature: string, violation: Violation, source: Source): void {
      onAdded(violation, source);
      const known = groups.get(signature);
      if (known === undefined) {
        if (groups.size < mostGroups) {
          groups.set(signature, { signature, violation: keepable(violation), source, occurrences: 1, shrinks: 0 });
        }
        return;
      }
      known.occurrences += 1;
      const advantages = [
        Number(known.violation.doubt !== undefined) - Number(violation.doubt !== undefined),
        isPacked(known.source) - isPacked(source),
        known.source.unit === source.unit ? known.source.index - source.index : 0,
      ];
      if ((advantages.find(one => one !== 0) ?? 0) > 0) {
        known.violation = keepable(violation);
        known.source = source;
      }
    },
  };
}

/** The level of a requirement that can be violated. Throws for an OPEN one: to cite it is a fault of the suite. */
export function violatedLevel(requirement: string): Level {
  const row = requirementById(requirement);
  if (row.level === 'OPEN') throw new Error(`a check cites ${requirement}, which is no MUST or SHOULD requirement`);
  return row.level;
}

/** A group as the report has it; `brief` shows less of the exchange. */
export function findingOf(
  group: FindingGroup,
  owner: string,
  target: Target,
  secrets: Secrets,
  brief = false,
): Finding {
  const { violation, source, occurrences, shrinks } = group;
  const { requirement, doubt, pointer, expected, actual, fault, timeline } = violation;
  const { unit, path, index, description } = source;
  const { title, sent, control } = description;
  const seen = group.seen ?? violation.seen;
  const steps = brief ? [] : stepsOf(violation, target, secrets);
  return {
    requirement,
    level: doubt === undefined ? violatedLevel(requirement) : 'SHOULD',
    ...present({ doubt }),
    pointer,
    expected,
    actual,
    ...present({ fault }),
    occurrences,
    ...present({ seen, timeline: timeline && [...timeline] }),
    counterexample: {
      path,
      ...(unit !== owner && { unit }),
      index,
      title,
      pointer: description.pointer,
      ...present({ sent, control }),
      shrinks,
    },
    exchange: exchangeOf(violation.answer, target, secrets, brief),
    ...present({ accused: violation.accused && redactedBeginning(violation.accused, longestBody, secrets).text }),
    ...(steps.length > 0 && { steps }),
  };
}
