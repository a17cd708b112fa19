import { describe, expect, test } from 'vitest';
import type { Recording } from '../record/recording.ts';
import { exchange, type Made, recording, shows } from '../record/recordings.fixture.ts';
import { compareSides } from './compare-sides.ts';

describe('what one side refuses for its circumstances', () => {
  const unit = 'create-metric/accepts';
  const words = { detail: 'Your plan allows 60 metrics' };
  const metric = (token: string, number: number, status: number, rest: Partial<Made> = {}) =>
    exchange({
      id: `${unit}#${number}`,
      endpoint: 'create-metric',
      body: { name: `conform_${token}_${number}`, type: 'mean', ...(number > 2 ? { percentile: 0.5 } : {}) },
      status,
      value: status < 300 ? shows({}) : words,
      ...rest,
    });
  const metrics = (token: string, statuses: readonly number[], rest: Partial<Made> = {}) =>
    recording(
      token,
      statuses.map((status, index) => metric(token, index + 1, status, rest)),
      { pointers: { [`${unit}#3`]: '/percentile' } },
    );
  const told = (a: readonly Recording[], b: readonly Recording[]) => {
    const { places, notCompared, compared, alike } = compareSides(a as never, b as never, true).comparison;
    return {
      places: places.map(({ label, requirement = '-', b: shown }) => `${label} ${requirement} ${shown}`),
      notCompared: notCompared.map(({ because, count }) => `${count} ${because}`),
      counts: [compared, alike],
    };
  };

  test('says nothing of a field, once it accepted the same: it could not be compared, in its own words', () => {
    expect(told([metrics('aaaa', [201, 201, 201])], [metrics('bbbb', [201, 402, 402])])).toEqual({
      places: [],
      notCompared: ['2 B refuses what it accepted before (status 402: "Your plan allows 60 metrics")'],
      counts: [1, 1],
    });
    const earlier = [metrics('bbbb', [402, 402, 402]), metrics('cccc', [201, 201, 201])];
    expect(told([metrics('aaaa', [201, 201, 201])], earlier).places).toEqual([]);
  });

  test('is one difference about no field, where it never accepted anything of the kind', () => {
    expect(told([metrics('aaaa', [201, 201, 201])], [metrics('bbbb', [402, 402, 402])]).places).toEqual([
      'unsaid - status 402',
    ]);
    expect(told([metrics('aaaa', [201, 201, 201])], [metrics('bbbb', [403, 403, 403])]).places).toEqual([
      'open open.key-kinds status 403',
    ]);
  });

  test('is not compared with a refusal of the request itself, where it never accepted anything of the kind', () => {
    const refusing = recording('aaaa', [
      metric('aaaa', 1, 201),
      metric('aaaa', 2, 422, { value: { detail: 'type is unknown' }, body: { name: 'conform_aaaa_2', type: 'none' } }),
    ]);
    expect(told([refusing], [metrics('bbbb', [402, 402])])).toEqual({
      places: ['unsaid - status 402'],
      notCompared: ['1 B refuses all requests of the kind (status 402: "Your plan allows 60 metrics")'],
      counts: [1, 0],
    });
  });

  test('is not the refusal to switch what is switched already', () => {
    const twice = (token: string, status: number) =>
      recording(
        token,
        [200, status].map((answered, index) =>
          exchange({
            id: `disable-config/frame#${index}`,
            endpoint: 'disable-config',
            param: 'c',
            status: answered,
            value: answered < 300 ? shows({}) : words,
          }),
        ),
      );
    expect(told([twice('aaaa', 200)], [twice('bbbb', 409)]).places).toEqual(['open open.config-repeat status 409']);
  });

  test('is not a refusal in other words, nor of what was created before', () => {
    const other = recording('bbbb', [
      metric('bbbb', 1, 201),
      metric('bbbb', 2, 402),
      metric('bbbb', 3, 422, { value: { detail: 'percentile is unknown' } }),
    ]);
    expect(told([metrics('aaaa', [201, 201, 201])], [other]).places).toHaveLength(1);
    const twice = recording('bbbb', [metric('bbbb', 1, 201), { ...metric('bbbb', 1, 409), id: `${unit}#2` }]);
    expect(told([metrics('aaaa', [201, 201])], [twice]).places).toEqual(['open open.metric-exists status 409']);
  });
});
