import { expect, test } from 'vitest';
import { createEffectiveness } from '../../engine/effectiveness.ts';
import { createFindingsCollector } from '../../engine/findings.ts';
import { createResidue, createWrittenFields } from '../../engine/residue.ts';
import { createObservations } from '../../observations/observers.ts';
import { targetOf } from '../../sut/target.ts';
import { givenAnswer } from '../testing/answers.ts';
import { httpDouble } from '../testing/doubles.ts';
import { expectSound, hostileRun } from './hostile.fixture.ts';

const many = 20_000;
const target = targetOf({}, new URL('http://127.0.0.1:9'), 'a-key-of-tests');

/** Returns answers that all differ in everything that a run records. */
const noise = (index: number) =>
  givenAnswer({
    endpoint: index % 2 === 0 ? 'create-metric' : 'update-qualifying-event',
    status: index % 3 === 0 ? 400 : 200,
    value: {
      message: `message ${index}`,
      [`error${index}`]: index,
      data: { name: `thing ${index}`, status: `status ${index}`, createdTime: index, [`extra${index}`]: index },
    },
    request: { param: `entity ${index}` },
    sent: { [`field${index}`]: index },
    id: `${index % 2 === 0 ? 'create-metric' : 'update-qualifying-event'}/accepts#${index}`,
  });

test('what a run takes note of stays few entries, however many answers differ', () => {
  const observations = createObservations();
  const residue = createResidue('token');
  const effectiveness = createEffectiveness(target);
  const written = createWrittenFields();
  let remembered = 0;
  for (let index = 0; index < many; index += 1) {
    const answer = noise(index);
    for (const keeper of [observations, residue, effectiveness, written]) keeper.note(answer);
  }
  for (let index = 0; index < many; index += 1) {
    remembered += written.fieldsOf('update-qualifying-event', `entity ${index}`).size;
  }
  expect(observations.all().length).toBeGreaterThan(10);
  expect(observations.all().length).toBeLessThan(150);
  expect(residue.all().length).toBeLessThanOrEqual(200);
  expect(effectiveness.all().length).toBeLessThan(20);
  expect(remembered).toBeGreaterThan(100);
  expect(remembered).toBeLessThanOrEqual(500);
});

test('a collector keeps few groups, and none of their long answers', () => {
  const collector = createFindingsCollector();
  const answer = givenAnswer({ value: 'x'.repeat(1_000_000) });
  for (let index = 0; index < many; index += 1) {
    const violation = {
      requirement: 'envelope.data',
      pointer: `/x${index}`,
      expected: 'a',
      actual: 'b',
      answer,
    } as const;
    const description = { title: 'a case', pointer: '' };
    collector.add(`${index}`, violation, { unit: 'patch-gate/accepts', index, path: `${index}`, description });
  }
  const kept = [...collector.groups.values()];
  expect(kept).toHaveLength(40);
  expect(JSON.stringify(kept).length).toBeLessThan(40 * 80_000);
});

test('a thorough run against noise writes as many lines as a quick one', async () => {
  const lines = async (profile: 'quick' | 'thorough') => {
    let requests = 0;
    const { url } = await httpDouble((request, response) => {
      requests += 1;
      const body = JSON.stringify(noise(requests).reply.body.kind === 'json' ? noise(requests).value : null);
      // Refuse few writes: a run stops soon if every write is refused.
      const isRefused = request.method !== 'GET' && requests % 7 === 0;
      response.writeHead(isRefused ? 400 + (requests % 20) : 200, { 'content-type': 'application/json' });
      response.end(body);
    });
    const selection = { only: ['create-metric/*'], skip: [] };
    const run = await hostileRun(url, { profile, selection });
    expectSound(run);
    return {
      requests,
      left: run.events.filter(({ event }) => event === 'left-behind').length,
      others: run.events.filter(({ event }) => event !== 'left-behind').length,
      findings: [...run.checks.values()].flatMap(({ findings }) => findings).length,
    };
  };
  const [quick, thorough] = [await lines('quick'), await lines('thorough')];
  expect(thorough.requests).toBeGreaterThan(4 * quick.requests);
  expect(thorough.others).toBeLessThan(quick.others + 50);
  // Each event reports one created entity, up to a limit.
  expect(thorough.left).toBeLessThanOrEqual(200);
  expect(thorough.findings).toBeLessThan(quick.findings + 200);
});
