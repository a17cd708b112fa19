import { afterEach, describe, expect, test, vi } from 'vitest';
import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import type { HandlerResponse } from '../../reference-server/index.ts';
import { checks } from '../checks/index.ts';
import { findingsOf } from '../proof/kill-matrix/detection.fixture.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';
import type { Answer } from '../protocol/answer.ts';
import type { PassiveCheck } from '../protocol/check.ts';

const passive = checks.filter((check): check is PassiveCheck => check.kind === 'passive');

afterEach(() => vi.restoreAllMocks());

/** The reasons why no passive check, or not this one, judges an answer: a closed set. */
// biome-ignore format: a table
const notJudged: readonly (readonly [reason: string, holds: (answer: Answer, check: PassiveCheck) => boolean])[] = [
  ['it does not bind the operation',                              ({ request }, check) => !check.appliesTo(endpointRow(request.endpoint))],
  ['the specification says nothing of what it asks',              ({ request }) => request.unobserved === true],
  ['the check that sent it asks this one by itself, for a part',  ({ request }, check) => request.judgedApart?.includes(check.id) === true],
];

test.each(['quick', 'standard'] as const)(
  'each answer of a whole %s run is judged by every passive check, or says why not',
  async profile => {
    const judged = new Map(passive.map(({ id }) => [id, new Set<string>()]));
    for (const check of passive) {
      const { observe } = check;
      vi.spyOn(check, 'observe').mockImplementation((answer, row) => {
        judged.get(check.id)?.add(answer.id);
        return observe(answer, row);
      });
    }
    const answers: Answer[] = [];
    const toModel = new Set<number>();
    await recordedRun({
      run: {
        profile,
        watch: {
          answer: answer => void answers.push({ ...answer, value: undefined, data: undefined }),
          answered: (_answer, { number }) => void toModel.add(number),
          sent: () => {},
        },
      },
    });
    const missed = answers.flatMap(answer =>
      passive
        .filter(check => judged.get(check.id)?.has(answer.id) !== true)
        .filter(check => !notJudged.some(([, holds]) => holds(answer, check)))
        .map(({ id }) => `${answer.id} by ${id}`),
    );
    expect(answers.length).toBeGreaterThan(800);
    expect(missed).toEqual([]);
    expect(toModel.size).toBe(answers.length);
    // Few answers are not judged, so each reason is rare.
    expect(answers.filter(({ request }) => request.unobserved === true).length).toBeLessThan(10);
  },
);

describe('what is planted in one answer in the midst of a whole run is told', () => {
  /** Returns the findings of a run in which the nth matching answer of an operation is replaced. */
  async function told(
    id: string,
    nth: number,
    isMeant: (query: Readonly<Record<string, unknown>>, answer: HandlerResponse) => boolean,
    planted: (answer: HandlerResponse) => HandlerResponse,
  ) {
    let count = 0;
    const record = await recordedRun({
      server: {
        decorate: (own, handler) => async (request, store, settings) => {
          const answer = await handler(request, store, settings);
          if (own !== id || !isMeant(request.query, answer)) return answer;
          count += 1;
          return count === nth ? planted(answer) : answer;
        },
      },
    });
    expect(count).toBeGreaterThanOrEqual(nth);
    return findingsOf(record).map(({ unit, requirement, level }) => `${unit.split('/')[0]} ${requirement} ${level}`);
  }

  test('a 500 to a page of one', async () => {
    const failed = () => ({ status: 500, body: { message: 'No.' } });
    const found = await told('list-segments', 1, ({ limit }) => limit === '1', failed);
    expect(found).toEqual(['list-segments robust.never-5xx MUST']);
  });

  test.each([1, 20, 45])('a number for a boolean in success %i of a list', async nth => {
    const illTyped = (answer: HandlerResponse): HandlerResponse => {
      const body = membersOf(answer.body);
      const [first, ...rest] = body.data as readonly object[];
      return { ...answer, body: { ...body, data: [{ ...first, timestampAsDay: 1 }, ...rest] } };
    };
    const hasItems = (_query: unknown, { status, body }: HandlerResponse): boolean =>
      status === 200 && (membersOf(body).data as readonly unknown[]).length > 0;
    const found = await told('list-qualifying-events', nth, hasItems, illTyped);
    // A single sighting among many sound answers is only a warning, but is still reported.
    expect(found).toEqual(['list-qualifying-events qualifyingEvent.timestampAsDay SHOULD']);
  });
});
