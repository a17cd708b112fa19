import type { Finding } from '../../contracts/report/evidence.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import type { UnitEnd } from './bridge.ts';

/** A test failed because the target does not conform. The stack is left out: it would hide the message. */
export class NonConformance extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NonConformance';
    this.stack = `${this.name}: ${message}`;
  }
}

/** How many findings of a check are shown, and how many characters of a body. */
const most = { findings: 5, body: 600 } as const;

/** A text of a target with its control and bidirectional characters escaped, so that it cannot disturb a terminal. */
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

/** A finding in lines: the clause, what was expected, what came, the case, and the exchange that showed it. */
function findingLines(finding: Finding): string[] {
  const { expected, actual, pointer, occurrences, counterexample, exchange } = finding;
  return [
    clauseOf(finding),
    `expected: ${expected}`,
    `got:      ${actual}`,
    `at:       ${pointer === '' ? 'the whole answer' : pointer}`,
    ...(counterexample === undefined ? [] : [`case:     ${counterexample.title} (path ${counterexample.path})`]),
    ...(occurrences > 1 ? [`seen:     ${occurrences} cases of this check`] : []),
    ...(exchange === undefined
      ? []
      : [
          `request:  ${exchange.request.method} ${exchange.request.url}`,
          ...(exchange.request.body === undefined ? [] : [`          ${cut(exchange.request.body.text)}`]),
          `answer:   ${exchange.response?.status ?? `none: ${exchange.failure}`}`,
          ...(exchange.response === undefined ? [] : [`          ${cut(exchange.response.body.text)}`]),
        ]),
  ];
}

/** How a check ended, in words: its findings, or the reason for which it could not be tested and what to add. */
export function endingMessage({ findings, because, remedy, blockedBy }: UnitEnd): string {
  const blocks = findings.slice(0, most.findings).map(finding => findingLines(finding).map(shown).join('\n'));
  const more = findings.length - blocks.length;
  const reason = [
    because,
    remedy === undefined ? undefined : `add to the target file: ${remedy}`,
    blockedBy === undefined ? undefined : `see ${blockedBy}`,
  ].filter(part => part !== undefined);
  return [
    ...blocks,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(reason.length > 0 ? [shown(reason.join('; '))] : []),
  ].join('\n\n');
}
