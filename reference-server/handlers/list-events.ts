import { notFound } from '../api/answer.ts';
import { pageOf } from '../api/page.ts';
import type { Handler } from '../api/request.ts';
import { listed } from '../api/success.ts';

/** Get specific events (section 4.15): what was logged of one event, in the order of logging. */
export const listEvents: Handler = async (request, store) => {
  const event = await store.get('events', request.param);
  if (event === undefined) throw notFound('Event');
  return listed('list-events', pageOf(request, event.records));
};
