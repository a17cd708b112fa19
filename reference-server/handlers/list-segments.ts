import { pageOf } from '../api/page.ts';
import type { Handler } from '../api/request.ts';
import { listed } from '../api/success.ts';

/** List Segments (section 4.12). */
export const listSegments: Handler = async (request, store) =>
  listed('list-segments', pageOf(request, await store.list('segments')));
