import { pageOf } from '../api/page.ts';
import type { Handler } from '../api/request.ts';
import { listed } from '../api/success.ts';

/** List qualifying events, that is metric sources (section 4.11). */
export const listQualifyingEvents: Handler = async (request, store) =>
  listed('list-qualifying-events', pageOf(request, await store.list('qualifyingEvents')));
