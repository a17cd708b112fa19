import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { validatorFor } from '../../contracts/validation.ts';
import { started } from '../proof/testing/started.ts';
import { controlDocument } from './openapi.ts';
import type { ControlRoute } from './route.ts';
import { controlRoutes } from './routes.ts';

const { send, call } = await started({ sandboxes: true });

/** Returns the path of a route, with existing names for its parameters. */
const pathOf = ({ path }: ControlRoute): string => {
  const names: Record<string, string> = {
    collection: 'gates',
    id: 'dark_mode',
    name: 'first',
    requirement: 'auth.wrong-key',
  };
  const own = path.startsWith('/behaviours') ? { ...names, id: 'slow' } : names;
  return `/_reference/v1${path.replace(/\{(\w+)\}/g, (_whole, name: string) => own[name] ?? '')}`;
};

const bodies: Readonly<Record<string, unknown>> = {
  addBehaviour: { id: 'slow', latency: { ms: 0 } },
  changeBehaviour: { on: false },
  explainBehaviours: { method: 'PATCH', url: '/console/v1/gates/dark_mode' },
  changeClock: { advance: 1 },
  putSandbox: { seed: { gates: ['mine'] } },
  patchEntity: { description: 'new' },
  reset: { only: ['clock'] },
};

describe('the document of the control paths', () => {
  it('keeps the OpenAPI specification, and is what the server gives', async () => {
    const document = controlDocument();
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
    expect((await send('/_reference/openapi.json', { key: null })).json).toEqual(document);
  });

  it('has every route, each of which answers as the document says', async () => {
    const { paths } = controlDocument() as { paths: Record<string, Record<string, { operationId: string }>> };
    const documented = Object.values(paths).flatMap(operations =>
      Object.values(operations).map(one => one.operationId),
    );
    expect(documented.sort()).toEqual(controlRoutes.map(({ id }) => id).sort());
    expect(new Set(documented).size).toBe(documented.length);
    await call('patch-gate', 'dark_mode', { description: 7 });
    await send('/_reference/v1/behaviours', { method: 'POST', body: bodies.addBehaviour });
    await send('/_reference/v1/snapshots/first/save', { method: 'POST' });
    const exported = (await send('/_reference/v1/snapshots/first')).json;
    const gate = (await send('/_reference/v1/state/gates/dark_mode')).json;
    const given = { ...bodies, putSnapshot: exported, replaceState: exported.state, putEntity: gate };
    // Destructive routes come last. Streams and waits have tests of their own.
    const order = controlRoutes
      .filter(({ stream, path }) => stream === undefined && path !== '/sandboxes/{name}')
      .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
      .toSorted((one, other) => Number(one.id === 'clearBehaviours') - Number(other.id === 'clearBehaviours'));
    for (const route of order) {
      const body = (given as Record<string, unknown>)[route.id] ?? (route.body === undefined ? undefined : {});
      const query = route.path === '/requests/wait' ? '?timeout=0' : '';
      const { status, json } = await send(pathOf(route) + query, { method: route.method, body });
      expect([route.id, status, validatorFor(route.answer)(json)]).toEqual([route.id, 200, []]);
    }
  });

  it('says which parameters of a query there are, and others are refused with a pointer', async () => {
    const { status, json } = await send('/_reference/v1/requests?status=9&sinse=1&limit=x');
    expect(status).toBe(400);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/limit',
      '/sinse',
      '/status',
    ]);
  });
});
