import { describe, expect, it } from 'vitest';
import { bodyLimit } from '../../http/read-body.ts';
import { accepted } from '../testing/accepted.ts';
import { started } from '../testing/started.ts';
import { wide } from './hostile-bodies.fixture.ts';

const { call, send } = await started();

describe('a request as large as may be', () => {
  it.each(wide.map(([id, make], index) => [index, id, make] as const))(
    'is answered, and so is the next one (%d, %s)',
    async (_index, id, make) => {
      const body = make(bodyLimit - 1000);
      const [answer, next] = await Promise.all([
        call(id, accepted[id].param, body),
        send('/console/v1/segments?limit=1'),
      ]);
      expect([200, 400]).toContain(answer.status);
      expect(answer.json.message).toEqual(expect.any(String));
      expect(next.status).toBe(200);
    },
  );

  it.each(['a=b&', 'page=1&', '&', '%00&', 'a[b]=c&', '='])('is answered where its query is full of %s', async part => {
    const { status } = await send(`/console/v1/segments?${part.repeat(60_000 / part.length)}`);
    expect(status).toBe(200);
  });

  it('may have more groups than anybody needs, twice', async () => {
    const groups = Array.from({ length: 9000 }, (_, index) => ({
      name: `Group ${index}`,
      size: index === 0 ? 100 : 0,
    }));
    const body = { ...accepted['update-experiment'].body, groups };
    for (const more of [{}, { groups: groups.map(group => ({ ...group, name: `${group.name}.` })) }]) {
      const { status, json } = await call('update-experiment', 'help_button', { ...body, ...more });
      expect(status).toBe(200);
      expect(new Set(json.data.groups.map(({ id }: { id: string }) => id)).size).toBe(groups.length);
    }
  });

  it.each([
    [20_000, 'tags.0'],
    [20_001, 'more than 20000 parts'],
  ])('has at most 20,000 parts: %d commas', async (commas, told) => {
    const { status, json } = await call(
      'patch-gate',
      'dark_mode',
      `{"description":"","tags":[${'1,'.repeat(commas - 1)}1]}`,
    );
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(told);
  });
});
