/** A client tested with jest against the reference server: a sandbox for each test, a failure that is scripted. */
const { url, control } = JSON.parse(process.env.REFERENCE_SERVER);

async function ask(method, address, body, headers = {}) {
  return fetch(address, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** The client under test: it tries again what the server could not do, and counts its tries. */
async function rename(key, gate, name) {
  for (let tries = 1; tries < 5; tries += 1) {
    const { ok } = await ask('PATCH', `${url}/console/v1/gates/${gate}`, { name }, { 'SERVICE-API-KEY': key });
    if (ok) return tries;
  }
  throw new Error('the client gave up');
}

let sandbox;
beforeEach(async () => {
  sandbox = await (await ask('POST', `${control}/sandboxes`, {})).json();
});
afterEach(() => ask('DELETE', `${control}/sandboxes/${sandbox.name}`));

test.each([[[]], [[500]], [[500, 503, 429]]])('tries again after %j', async failures => {
  const then = [...failures.map(status => ({ status })), 'real'];
  await ask('POST', `${control}/behaviours?world=${sandbox.name}`, { match: { operation: 'patch-gate' }, then });
  expect(await rename(sandbox.apiKey, 'dark_mode', 'Dark mode')).toBe(failures.length + 1);
  const { requests } = await (await ask('GET', `${control}/requests?world=${sandbox.name}`)).json();
  expect(requests.map(({ status }) => status)).toEqual([...failures, 200]);
});
