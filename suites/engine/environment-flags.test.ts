import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { openSession } from '../sut/session.ts';
import { tryFlags } from './environment-flags.ts';
import { type Answers, runDouble } from './run.fixture.ts';

const development = { name: 'development', isProduction: false, requiresReview: false, requiresReleasePipeline: false };
const production = { name: 'production', isProduction: true, requiresReview: true, requiresReleasePipeline: true };

const tried = async (environments: readonly object[], answers: Answers) => {
  const run = runDouble({ file: { fixtures: { environments: environments as [typeof development] } }, answers });
  const result = await tryFlags(run.config.target, openSession(run.wire, 'preflight'));
  const sent = run.sent.map(line => {
    const [first] = (JSON.parse(line.slice(line.indexOf('{'))) as { environments: JsonObject[] }).environments;
    return ['isProduction', 'requiresReview', 'requiresReleasePipeline'].map(flag => Number(first?.[flag])).join('');
  });
  return { ...result, refused: [...result.refused.keys()], sent };
};
const echoing: Answers = ({ body }) => ({ value: { data: JSON.parse(String(body)) as unknown } });
const developmentOf = (body: unknown) =>
  (JSON.parse(String(body)) as { environments: JsonObject[] }).environments.find(one => one.name === 'development');

describe('the flags of an environment that is not production', () => {
  test('are tried one by one, and each is put back at once', async () => {
    const { sent, refused, stuck } = await tried([development, production], echoing);
    expect(sent).toEqual(['000', '100', '000', '010', '000', '001', '000']);
    expect([refused, stuck]).toEqual([[], []]);
  });

  test('that are refused are left to the checks, for nothing has changed', async () => {
    const answers: Answers = request =>
      developmentOf(request.body)?.requiresReview === true ? { status: 403 } : echoing(request);
    const { refused, sent } = await tried([development, production], answers);
    expect(refused).toEqual([]);
    expect(sent).toEqual(['000', '100', '000', '010', '001', '000']);
  });

  test('that are not turned back are told, and sent no more', async () => {
    let on = false;
    const answers: Answers = ({ body }) => {
      const { environments } = JSON.parse(String(body)) as { environments: JsonObject[] };
      on ||= environments[0]?.requiresReview === true;
      return {
        value: { data: { environments: environments.map(one => ({ ...one, ...(on && { requiresReview: true }) })) } },
      };
    };
    const { refused, stuck, blocked } = await tried([development, production], answers);
    expect([refused, blocked]).toEqual([['requiresReview'], undefined]);
    expect(stuck).toEqual([
      expect.stringMatching(/^requiresReview of the environment development was turned to true and/),
    ]);
  });

  test('whose turning back is refused end the writing of the set', async () => {
    let on = false;
    const answers: Answers = request => {
      if (on) return { status: 403, value: { message: 'Ask an administrator.' } };
      on = developmentOf(request.body)?.isProduction === true;
      return echoing(request);
    };
    const { blocked, sent } = await tried([development, production], answers);
    expect(blocked).toMatch(/isProduction .*could not be turned back \(status 403: "Ask an administrator\."\)$/);
    expect(sent).toEqual(['000', '100', '000']);
  });
});

test.each([
  ['where every environment is production, or may be', [production, { name: 'unsaid' }], 0],
  ['where the set is refused as it is', [development], 1],
])('no flag is sent %s', async (_where, environments, requests) => {
  const { refused, sent } = await tried(environments, () => ({ status: 400 }));
  expect(refused).toHaveLength(3);
  expect(sent).toHaveLength(requests);
});
