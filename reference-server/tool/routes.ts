import Router from '@koa/router';
import { refusal } from '../api/response.ts';
import { readBody } from '../http/read-body.ts';
import { send } from '../http/send.ts';
import type { Store } from '../store/store.ts';
import type { RequestLog } from './request-log.ts';
import { snapshotOf } from './snapshot.ts';

/** A whole state may be larger than a request of the API, in bytes, and nests its values a few levels deeper. */
const stateLimit = 64 * 1024 * 1024;
const stateStructure = { levels: 220, parts: Number.POSITIVE_INFINITY };

/** What the tool paths need. */
export interface ToolParts {
  readonly store: Store;
  readonly reset: () => Promise<void>;
  readonly log: RequestLog;
}

/**
 * The paths under `/_reference/`: outside the API, without key, for tools on the same machine. `health`, `reset` (back
 * to the fixtures), `state` (read it, or PUT one that was read before) and `requests` (the last ones).
 */
export const toolRoutes = ({ store, reset, log }: ToolParts): Router => {
  const router = new Router({ prefix: '/_reference', sensitive: true, strict: true });
  router.get('/health', context => send(context, { status: 200, body: { status: 'ok' } }));
  router.get('/requests', context => send(context, { status: 200, body: { requests: log.last() } }));
  router.get('/state', async context => send(context, { status: 200, body: await store.snapshot() }));
  router.post('/reset', async context => {
    await reset();
    send(context, { status: 200, body: { status: 'reset' } });
  });
  router.put('/state', async context => {
    const body = await readBody(context.req, stateLimit, stateStructure);
    if ('refused' in body) return send(context, body.refused);
    const read = snapshotOf(body.value);
    if ('problems' in read) return send(context, refusal(400, 'This is no state of this server.', read.problems));
    await store.restore(read.snapshot);
    send(context, { status: 200, body: { status: 'restored' } });
  });
  return router;
};
