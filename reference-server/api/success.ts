import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { memoized } from '../../contracts/memoized.ts';
import { freeze } from '../store/store.ts';
import { keepText } from './json-text.ts';
import { askedPage, listPage } from './page.ts';
import type { HandlerRequest } from './request.ts';
import type { HandlerResponse } from './response.ts';

/**
 * Messages for operations of which the specification states none; an operation that stands here neither is answered
 * with its title.
 */
// biome-ignore format: a table
const ownMessages: Partial<Record<EndpointId, string>> = {
  'list-config-versions':  'Dynamic config versions listed successfully.',
  'update-experiment':     'Experiment updated successfully.',
  'disable-config':        'Dynamic config disabled successfully.',
  'enable-groups':         'Experiment groups enabled successfully.',
  'archive-config':        'Dynamic config archived successfully.',
  'create-prompt-version': 'Prompt version created successfully.',
};

/** The message of success of an operation (section 1). */
const messageOf = (id: EndpointId): string => endpoints[id].message ?? ownMessages[id] ?? endpoints[id].title;

/** So many answers are kept of one list, none of them longer than so many characters. */
const keptPages = 20;
const longestKept = 128 * 1024;

/** The members that an operation shows of an entity, and the answers that it made of lists. */
const shownOf = memoized(({ data }: (typeof endpoints)[EndpointId]) => ({
  names: new Set(Object.keys(data.properties)),
  pages: new WeakMap<readonly object[], Map<string, HandlerResponse>>(),
}));

/** The documented members of an entity. Most entities have no others, and are shown as they are. */
const documented = ({ names }: ReturnType<typeof shownOf>, entity: object): object =>
  Object.keys(entity).every(name => names.has(name))
    ? entity
    : Object.fromEntries(
        [...names]
          .map(name => [name, (entity as Record<string, unknown>)[name]])
          .filter(([, value]) => value !== undefined),
      );

/** The response to a request that shows one entity. */
export const success = ({ endpoint }: HandlerRequest, entity: object): HandlerResponse => ({
  status: 200,
  body: { message: messageOf(endpoint), data: documented(shownOf(endpoints[endpoint]), entity) },
});

/**
 * The response to a request that lists: the page of the list that it asks for. It is made and serialised once for each
 * state of a list: a store gives the same list until something changes.
 */
export const listed = (request: HandlerRequest, list: readonly object[]): HandlerResponse => {
  const { endpoint, path } = request;
  const asked = askedPage(request);
  const shown = shownOf(endpoints[endpoint]);
  const pages = shown.pages.get(list) ?? new Map<string, HandlerResponse>();
  const name = `${asked.page} ${asked.limit} ${path}`;
  const known = pages.get(name);
  if (known !== undefined) return known;
  const { items, pagination } = listPage(asked, path, list);
  const data = items.map(item => documented(shown, item));
  const response = freeze({ status: 200, body: { message: messageOf(endpoint), data, pagination } });
  if (keepText(response.body).length > longestKept) return response;
  if (pages.size >= keptPages) pages.clear();
  shown.pages.set(list, pages.set(name, response));
  return response;
};
