import { afterAll, expect, test } from 'vitest';
import { clearPlaces, places } from '../../reference-server/proof/stores/places.fixture.ts';
import { closedPort } from '../../suites/proof/testing/doubles.ts';
import { conform } from '../testing/command.fixture.ts';
import { started } from '../testing/process.fixture.ts';

afterAll(clearPlaces);

const headers = { 'SERVICE-API-KEY': 'reference-key', 'content-type': 'application/json' };

test('a store that cannot be opened is one line, without the password, and exit code 2', async () => {
  const { code, out, err } = await conform(['serve', '--port', '0', '--store', 'postgres://u:s3cret@127.0.0.1:1/x']);
  expect({ code, out, err }).toEqual({
    code: 2,
    out: '',
    err: 'conform: cannot use the store at postgres://u@127.0.0.1:1/x: no server answers there\n',
  });
});

test('serve keeps in a folder what it answered before it was killed, and lets nobody else have the folder', async () => {
  const folder = await places.folder.make();
  const serving = async () => {
    const { port } = new URL(await closedPort());
    const server = started(['serve', '--port', port, '--store', folder]);
    await server.says(/Ctrl-C stops it/);
    const patch = async (body: object) => {
      const gate = `http://127.0.0.1:${port}/console/v1/gates/dark_mode`;
      const answer = await fetch(gate, { method: 'PATCH', headers, body: JSON.stringify(body) });
      return ((await answer.json()) as { data: { description?: string } }).data.description;
    };
    return { server, patch };
  };
  const first = await serving();
  expect(await first.patch({ description: 'kept' })).toBe('kept');
  const { code, err } = await conform(['serve', '--port', '0', '--store', folder]);
  expect({ code, err }).toEqual({
    code: 2,
    err: `conform: the store in ${folder} is in use by the process ${first.server.child.pid}; one process at a time may open it\n`,
  });
  first.server.child.kill('SIGKILL');
  await first.server.ended;
  const second = await serving();
  expect(await second.patch({})).toBe('kept');
  second.server.child.kill('SIGINT');
  expect(await second.server.ended).toBe(0);
});
