import { compact } from '../../contracts/present.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, RunEnd, RunEvent } from '../../contracts/report/journal.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { newestSet, scoredEnd, scoringOf, setNamed } from '../../contracts/requirements/sets.ts';
import { deferred } from '../protocol/deferred.ts';

/** The end of a check, as far as a test needs it. */
export type UnitEnd = Pick<CheckEnd, 'id' | 'level' | 'verdict' | 'findings' | 'because' | 'remedy' | 'blockedBy'>;

/**
 * Connects a run of some checks (`endpoint/check`, with their levels), which emits events in its own order, to tests
 * that each wait for one check.
 */
export function createBridge(units: readonly Pick<UnitEnd, 'id' | 'level'>[]) {
  const waiting = new Map(units.map(unit => [unit.id, { ...unit, ...deferred<UnitEnd>() }] as const));
  const scoring = scoringOf(setNamed(newestSet));
  const open = new Set(waiting.keys());
  let last: RunEnd | undefined;
  let following: Promise<void> | undefined;

  function endCheck(end: UnitEnd): void {
    waiting.get(end.id)?.resolve(end);
    open.delete(end.id);
  }

  function endTheRest(verdict: 'untested' | 'error', because: string): void {
    for (const id of [...open])
      endCheck({ id, level: waiting.get(id)?.level ?? 'MUST', verdict, findings: [], because });
  }

  return {
    /** Processes an event of the run. */
    event(event: RunEvent): void {
      if (event.event === 'check-end') endCheck(scoredEnd(event, scoring));
      if (event.event === 'run-end') last = event;
    },
    /** Follows the run itself. When it is over, checks without an end are untested, or errors if the run failed. */
    follow(run: Promise<void>): void {
      following = run.then(
        () => endTheRest('untested', last?.because ?? 'the run ended before it'),
        (error: unknown) => {
          endTheRest('error', error instanceof Error ? error.message : String(error));
          throw error;
        },
      );
      // The caller of `over` handles the rejection; until then it must not count as unhandled.
      following.catch(() => {});
    },
    /** Resolves to the end of a check. */
    async end(unit: string): Promise<UnitEnd> {
      const known = waiting.get(unit);
      if (known === undefined) throw new Error(`${unit} is no check of this run`);
      return known.promise;
    },
    /** Resolves to the end of the run, after everything was restored. Rejects if the run itself failed. */
    async over(): Promise<RunEnd | undefined> {
      await following;
      return last;
    },
    allEnded: (): boolean => open.size === 0,
  };
}

/** Thrown by a test because the target does not conform. It omits the stack, which would hide the message. */
export class NonConformance extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NonConformance';
    this.stack = `${this.name}: ${message}`;
  }
}

/** Maximum number of findings shown per check, and of characters of a body. */
const most = { findings: 5, body: 600 } as const;

/** Escapes control and bidirectional characters in a target's text, so that it cannot disturb a terminal. */
const shown = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, character => `\\u{${character.codePointAt(0)?.toString(16)}}`);

const cut = (text: string): string =>
  text.length > most.body ? `${text.slice(0, most.body)}… (${text.length} characters)` : text;

function clauseOf({ requirement, level }: Finding): string {
  const row = isRequirementId(requirement) ? requirementById(requirement) : null;
  return row === null
    ? `${level} ${requirement}`
    : `${level} ${requirement} (section ${row.section}): ${row.statement}`;
}

/** Returns the lines of a finding: the clause, expected, actual, the case, and the exchange that showed it. */
function findingLines(finding: Finding): string[] {
  const { expected, actual, pointer, occurrences, counterexample, exchange } = finding;
  const { request, response, failure } = exchange ?? {};
  return compact([
    clauseOf(finding),
    `expected: ${expected}`,
    `got:      ${actual}`,
    `at:       ${pointer === '' ? 'the whole answer' : pointer}`,
    counterexample && `case:     ${counterexample.title} (path ${counterexample.path})`,
    occurrences > 1 && `seen:     ${occurrences} cases of this check`,
    request && `request:  ${request.method} ${request.url}`,
    request?.body && `          ${cut(request.body.text)}`,
    request && `answer:   ${response?.status ?? `none: ${failure}`}`,
    response && `          ${cut(response.body.text)}`,
  ]);
}

/** Returns the end of a check in words: its findings, or why it was untested and what to add. */
export function endingMessage({ findings, because, remedy, blockedBy }: UnitEnd): string {
  const blocks = findings.slice(0, most.findings).map(finding => findingLines(finding).map(shown).join('\n'));
  const more = findings.length - blocks.length;
  const reason = compact([because, remedy && `add to the target file: ${remedy}`, blockedBy && `see ${blockedBy}`]);
  return compact([...blocks, more > 0 && `and ${more} more`, reason.length > 0 && shown(reason.join('; '))]).join(
    '\n\n',
  );
}
