import { expect, test } from 'vitest';
import { givenExchange, judgedTraffic } from '../../proof/testing/exchanges.ts';
import type { NoAnswer } from '../exchange/exchange.ts';

const failure = 'the target closed the connection without an answer';
const judged = (...answers: readonly NoAnswer[]) => {
  const { report, found } = judgedTraffic(
    answers.map((response, index) => ({ ...givenExchange({}, index + 1), response })),
  );
  const findings = report.endpoints.flatMap(({ checks }) => checks.flatMap(one => one.findings));
  return {
    found,
    exitCode: report.exitCode,
    notJudged: report.traffic?.notJudged,
    doubts: findings.map(one => one.level),
  };
};

test('a connection that the server drops is a warning, and a second one at the operation a breach', () => {
  const dropped = { failure, isDropped: true } as const;
  const once = judged(dropped);
  expect(once).toMatchObject({ found: ['server robust.no-drop connection'], exitCode: 0, doubts: ['SHOULD'] });
  expect(judged(dropped, dropped)).toMatchObject({ exitCode: 1, doubts: expect.arrayContaining(['MUST']) });
});

test('a connection of which nobody knows who ended it accuses nobody, and how it ended is told', () => {
  expect(judged({ failure }, { failure })).toEqual({
    found: [],
    // No answer was judged.
    exitCode: 3,
    notJudged: [{ because: `there was no answer: ${failure}`, count: 2 }],
    doubts: [],
  });
});
