import { describe, expect, it } from 'vitest';
import { ControlRefusal, controlApi, segment } from './control-api.ts';

const asked: { url: string; headers: unknown }[] = [];
const apiThat = (answer: () => Response | Promise<Response>) =>
  controlApi({
    world: 'sandbox-1',
    controlKey: 'c0ntrol',
    fetch: async (url, init) => {
      asked.push({ url: String(url), headers: init?.headers });
      return answer();
    },
  });

describe('the control paths as the page asks them', () => {
  it('speak of the world that is looked at, and have the control key in a header and in no URL', async () => {
    await apiThat(() => Response.json({})).get('/requests?limit=2');
    expect(asked.at(-1)).toEqual({
      url: '/_reference/v1/requests?limit=2&world=sandbox-1',
      headers: { 'Reference-Control-Key': 'c0ntrol' },
    });
  });

  it.each<[string, () => Response | Promise<Response>, number, string, number]>([
    [
      'a refusal',
      () => Response.json({ message: 'No.', errors: [{ pointer: '/a', message: 'is wrong' }] }, { status: 400 }),
      400,
      'No.',
      1,
    ],
    ['a refusal in other words', () => new Response('<html>', { status: 502 }), 502, 'The server answered 502.', 0],
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 0, 'The server does not answer.', 0],
    ['half an answer', () => new Response('{'), 0, 'The answer of the server broke off.', 0],
  ])('tell of %s', async (_what, answer, status, message, problems) => {
    const refused = (await apiThat(answer)
      .get('/state')
      .catch(error => error)) as ControlRefusal;
    expect(refused).toBeInstanceOf(ControlRefusal);
    expect([refused.status, refused.message, refused.problems.length]).toEqual([status, message, problems]);
  });

  it('have ids as parts of their paths, but for those that a browser cannot send so', () => {
    expect(segment('a/b ?ü')).toBe('a%2Fb%20%3F%C3%BC');
    for (const id of ['', '.', '..', '\ud800']) expect(() => segment(id)).toThrow('cannot send this id');
  });
});
