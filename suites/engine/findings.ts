import { jsonAt } from '../../contracts/json-tree.ts';
import { anyPosition, steps } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { redactedBeginning, slack } from '../../contracts/redaction/beginning.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { Level, Notice } from '../../contracts/report/journal.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CaseDescription, CheckResult, Violation } from '../protocol/check.ts';
import type { Target } from '../protocol/sut.ts';
import { exchangeOf, keptAnswer, longestBody, stepsOf, textOf } from './evidence.ts';
import { notice } from './notice.ts';

/** One case that showed a violation, and how to find it again. */
export interface Source {
  /** The `endpoint/check` of the case. */
  readonly unit: string;
  /** Orders the cases of a unit, whatever the concurrency. */
  readonly index: number;
  readonly path: string;
  readonly description: CaseDescription;
}

/** Returns answers, in order of arrival, as the steps of a violation. */
export const numbered = (answers: readonly Answer[]): NonNullable<Violation['steps']> =>
  answers.map((answer, index) => ({ number: index + 1, answer }));

/** Returns the source of a finding that no planned case has shown. */
export const sentByRun = (unit: string): Source => ({
  unit,
  index: 0,
  path: '',
  description: { title: 'what the run sent', pointer: '' },
});

/** A violation as it is kept: without a long body. */
interface KeptViolation extends Violation {
  /** The JSON text of the accused value, if the kept part of the body ends before it. */
  readonly accused?: string;
}

/** Violations of one cause: the first case that showed it, and their number. */
export interface FindingGroup {
  readonly signature: string;
  violation: KeptViolation;
  source: Source;
  occurrences: number;
  shrinks: number;
  seen?: { times: number; of: number };
  /** Some other cases of the same unit that showed it, the lowest first. */
  others: readonly Source[];
}

const mostOthers = 3;

/** A violation and its owner: the check that sent the request, or a passive check. */
export interface AttributedViolation {
  /** `endpoint/check`. */
  readonly owner: string;
  readonly signature: string;
  readonly violation: Violation;
  /** The subject of the accused request, or else of its case. */
  readonly about: CaseDescription;
}

/**
 * Returns the key by which violations are grouped: the check that judges, the requirement and the place in the answer.
 * For the check that sent the request it includes the field that the case was about.
 */
export function signatureOf(owner: string, violation: Violation, description: CaseDescription | null): string {
  return [owner, violation.requirement, anyPosition(violation.pointer), anyPosition(description?.pointer ?? '')].join(
    '\n',
  );
}

/** Returns the violations of a result of `owner`; `isOwn`: the owner sent the request. */
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

/** Maximum length of a body that is searched for the accused value, in characters. */
const mostSearched = 2_000_000;

/** Returns the text of the accused value if evidence cuts the body before it. */
function accusedOf({ answer, pointer, fault }: Violation): string | undefined {
  const text = textOf(answer);
  return pointer.startsWith('/') && text.length > longestBody && text.length <= mostSearched
    ? jsonAt(text, pointer, JSON.stringify(fault?.got))?.slice(0, longestBody + slack + 1)
    : undefined;
}

/** Returns a violation without a long body. One that is kept already keeps its accused value. */
export const keepable = (violation: Violation): KeptViolation => ({
  ...present({ accused: accusedOf(violation) }),
  ...violation,
  answer: keptAnswer(violation.answer),
});

/** Collects the finding groups of one `endpoint/check`. */
export type FindingsCollector = ReturnType<typeof createFindingsCollector>;

/** Maximum number of kept groups of a check. */
export const mostGroups = 40;

/** Returns the notice that a report does not hold all findings of a check: without it the report would look complete. */
export const leftOutNotice = (id: string, remedy: string): Notice =>
  notice(
    'warning',
    `${id}: a report holds ${mostGroups} kinds of findings of a check, failures first, and there are more`,
    remedy,
  );

/** True if a violation makes a run fail. */
export const isFailing = ({ requirement, doubt }: Violation): boolean =>
  doubt === undefined && violatedLevel(requirement) === 'MUST';

/** Orders groups: failures first, then by case. */
export const failuresFirst = (one: FindingGroup, other: FindingGroup): number =>
  Number(isFailing(other.violation)) - Number(isFailing(one.violation)) || one.source.index - other.source.index;

/** Returns 1 for a case about several fields: it says less than a case about one field or none. */
const isPacked = ({ description }: Source): number => Number(description.isPack === true);

/** Returns 1 for a case that is not about the accused member of the answer: it may have sent much beside it. */
const isBeside = ({ description }: Source, { pointer }: Violation): number => {
  const [field] = steps(description.pointer);
  return Number(field === undefined || !steps(pointer).includes(field));
};

/**
 * Returns an empty collector, which reports each addition to `onAdded`. Each group keeps its best case: without a
 * doubt, then not about several fields, then the lowest, or that of another unit about the accused field. The number of
 * groups is bounded: failures take the place of warnings.
 */
export function createFindingsCollector(onAdded: (violation: Violation, source: Source) => void = () => {}) {
  const groups = new Map<string, FindingGroup>();
  const leftOut = { failures: 0, warnings: 0 };
  /** Makes room for a new group, if there is some or another says less. */
  function makeRoom(violation: Violation): boolean {
    if (groups.size < mostGroups) return true;
    const last = isFailing(violation) && [...groups.values()].findLast(one => !isFailing(one.violation));
    if (!last) return false;
    groups.delete(last.signature);
    leftOut.warnings += last.occurrences;
    return true;
  }
  return {
    groups: groups as ReadonlyMap<string, FindingGroup>,
    /** The number of violations that are in no kept group; undefined if there are none. */
    leftOut: () => (leftOut.failures + leftOut.warnings > 0 ? { ...leftOut } : undefined),
    add(signature: string, violation: Violation, source: Source): void {
      onAdded(violation, source);
      const known = groups.get(signature);
      if (known === undefined) {
        if (makeRoom(violation)) {
          const own = { signature, violation: keepable(violation), source };
          groups.set(signature, { ...own, occurrences: 1, shrinks: 0, others: [] });
        } else leftOut[isFailing(violation) ? 'failures' : 'warnings'] += 1;
        return;
      }
      known.occurrences += 1;
      const advantages = [
        Number(known.violation.doubt !== undefined) - Number(violation.doubt !== undefined),
        isPacked(known.source) - isPacked(source),
        known.source.unit === source.unit
          ? known.source.index - source.index
          : isBeside(known.source, known.violation) - isBeside(source, violation),
      ];
      const isBetter = (advantages.find(advantage => advantage !== 0) ?? 0) > 0;
      const sources = [known.source, ...known.others, source];
      // How often the doubtful one was seen says nothing of this one.
      const isAnew = known.violation.doubt !== undefined && violation.doubt === undefined;
      if (isBetter)
        Object.assign(known, { violation: keepable(violation), source, ...(isAnew && { seen: undefined }) });
      const others = sources.filter(({ unit, path }) => unit === known.source.unit && path !== known.source.path);
      known.others = [...new Map(others.map(one => [one.path, one])).values()]
        .sort((a, b) => a.index - b.index)
        .slice(0, mostOthers);
    },
  };
}

/** Returns the level of a requirement that can be violated. Throws if it is OPEN: a check that cites one is a bug. */
export function violatedLevel(requirement: string): Level {
  const row = requirementById(requirement);
  if (row.level === 'OPEN') throw new Error(`a check cites ${requirement}, which is no MUST or SHOULD requirement`);
  return row.level;
}

/** Returns a group as a report shows it; `brief` shortens the exchange. */
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
