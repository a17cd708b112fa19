import { describe, expect, test } from 'vitest';
import { membersOf } from '../../contracts/json.ts';
import type { HandlerRequest, HandlerResponse } from '../../reference-server/index.ts';
import { allUnits } from '../checks/units.ts';
import { findingsOf } from '../proof/kill-matrix/detection.fixture.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import { recordedRun, type Setting } from '../proof/testing/reference-run.ts';
import type { Violation } from '../protocol/check.ts';
import { keepable } from './findings.ts';
import { createUnplanned } from './unplanned.ts';

const only = ['list-qualifying-events/*', 'update-qualifying-event/accepts', 'update-qualifying-event/schema'];

/**
 * Returns the findings of a run whose answers about sources pass through `answered`, which also learns when restoring
 * begins.
 */
async function told(
  answered: (response: HandlerResponse, request: HandlerRequest, id: string, isRestoring: boolean) => HandlerResponse,
  setting: Setting = {},
) {
  let isRestoring = false;
  const beforeRestore = async (): Promise<void> => {
    isRestoring = true;
  };
  const record = await recordedRun({
    only,
    ...setting,
    server: {
      decorate: (id, handler) => async (request, store, settings) =>
        answered(await handler(request, store, settings), request, id, isRestoring),
    },
    run: { watch: { answer: () => {}, sent: () => {}, beforeRestore } },
  });
  return findingsOf(record).map(({ unit, requirement, level, pointer, seen }) => ({
    unit,
    requirement,
    level,
    pointer,
    seen,
  }));
}

/** Returns a response whose data has a number instead of a text. */
const illTyped = (response: HandlerResponse): HandlerResponse => {
  const body = membersOf(response.body);
  return { ...response, body: { ...body, data: { ...membersOf(body.data), description: 1 } } };
};

const isUpdate = (id: string): boolean => id === 'update-qualifying-event';

test('a violation that no case shows is kept without the parsed answer, and with the accused value', () => {
  const unplanned = createUnplanned(allUnits());
  const filler = 'x'.repeat(100_000);
  const data = { id: 'a_gate', filler, description: 1 };
  unplanned.judge(givenAnswer({ endpoint: 'patch-gate', value: { message: 'm', data }, request: { param: 'a_gate' } }));
  const [found] = [...unplanned.found.values()].filter(({ violation }) => violation.pointer === '/data/description');
  expect(found?.violation).toMatchObject({ accused: '1', answer: { value: undefined, data: undefined } });
  expect(keepable(found?.violation as Violation)).toMatchObject({ accused: '1' });
});

describe('what is wrong with an answer to no case', () => {
  test('is nothing where nothing is wrong', async () => {
    expect(await told(response => response)).toEqual([]);
  });

  test('is told where the fixtures are put back: for sure where it was seen more than once', async () => {
    const findings = await told((response, _request, id, isRestoring) =>
      isUpdate(id) && isRestoring && response.status === 200 ? illTyped(response) : response,
    );
    expect(findings).toEqual([
      {
        unit: 'update-qualifying-event/schema',
        requirement: 'qualifyingEvent.description',
        level: 'MUST',
        pointer: '/data/description',
        seen: { times: 2, of: 2 },
      },
    ]);
  });

  test('is a warning where it was seen once', async () => {
    let times = 0;
    const findings = await told((response, _request, id, isRestoring) => {
      if (!isUpdate(id) || !isRestoring || response.status !== 200) return response;
      times += 1;
      return times === 1 ? illTyped(response) : response;
    });
    expect(findings.map(({ level, seen }) => [level, seen])).toEqual([['SHOULD', { times: 1, of: 1 }]]);
  });

  test('is an error of the server before the first case, asked for again', async () => {
    let isBegun = false;
    let failures = 0;
    const findings = await told(
      (response, _request, id) => {
        if (isBegun || id !== 'list-segments' || failures > 0) return response;
        failures += 1;
        return { status: 500, body: { message: 'No.' } };
      },
      {
        only: ['list-segments/*'],
        onEvent: ({ event }) => {
          isBegun ||= event === 'check-start';
        },
      },
    );
    expect(failures).toBe(1);
    expect(findings.map(({ requirement, level, seen }) => [requirement, level, seen])).toEqual([
      ['robust.never-5xx', 'MUST', { times: 1, of: 3 }],
    ]);
  });

  test('is an error of the server in the midst of a case about something else', async () => {
    const run = (times: number) => {
      let failures = 0;
      return told(
        (response, request, id) => {
          if (id !== 'list-segments' || request.query.limit !== '1' || failures >= times) return response;
          failures += 1;
          return { status: 500, body: { message: 'No.' } };
        },
        { only: ['list-segments/*'] },
      );
    };
    const requirements = (findings: Awaited<ReturnType<typeof told>>) =>
      findings.map(({ requirement, level }) => [requirement, level]);
    expect(requirements(await run(0))).toEqual([]);
    expect(requirements(await run(1))).toEqual([['robust.never-5xx', 'MUST']]);
    expect(requirements(await run(Number.POSITIVE_INFINITY))).toEqual([['robust.never-5xx', 'MUST']]);
  });
});
