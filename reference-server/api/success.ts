import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
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

/** The members that an operation shows of an entity, and what it showed of entities and lists before. */
interface Shown {
  readonly names: ReadonlySet<string>;
  readonly items: WeakMap<object, object>;
  readonly pages: WeakMap<readonly object[], Map<string, HandlerResponse>>;
}

/** So many answers are kept of one list. */
const keptPages = 20;

const shownBy = new Map<EndpointId, Shown>();

const shownOf = (id: EndpointId): Shown => {
  const known = shownBy.get(id);
  if (known !== undefined) return known;
  const shown = {
    names: new Set(Object.keys(endpoints[id].data.properties)),
    items: new WeakMap(),
    pages: new WeakMap(),
  };
  shownBy.set(id, shown);
  return shown;
};

/** The documented members of an entity. Most entities have no others, and are shown as they are. */
const documented = ({ names }: Shown, entity: object): object => {
  if (Object.keys(entity).every(name => names.has(name))) return entity;
  const source = entity as Record<string, unknown>;
  const members: Record<string, unknown> = {};
  for (const name of names) if (source[name] !== undefined) members[name] = source[name];
  return members;
};

/** The same for an item of a list; made and serialised once for each stored value. */
const itemOf = (shown: Shown, entity: object): object => {
  const known = shown.items.get(entity);
  if (known !== undefined) return known;
  const item = Object.freeze(documented(shown, entity));
  keepText(item);
  shown.items.set(entity, item);
  return item;
};

/** The response to a request that shows one entity. */
export const success = ({ endpoint }: HandlerRequest, entity: object): HandlerResponse => ({
  status: 200,
  body: { message: messageOf(endpoint), data: documented(shownOf(endpoint), entity) },
});

/**
 * The response to a request that lists: the page of the list that it asks for. It is made and serialised once for each
 * state of a list: a store gives the same list until something changes.
 */
export const listed = (request: HandlerRequest, list: readonly object[]): HandlerResponse => {
  const { endpoint, path } = request;
  const asked = askedPage(request);
  const shown = shownOf(endpoint);
  const pages = shown.pages.get(list) ?? new Map<string, HandlerResponse>();
  const name = `${asked.page} ${asked.limit} ${path}`;
  const known = pages.get(name);
  if (known !== undefined) return known;
  const { items, pagination } = listPage(asked, path, list);
  const data = items.map(item => itemOf(shown, item));
  const response = freeze({ status: 200, body: { message: messageOf(endpoint), data, pagination } });
  keepText(response.body);
  if (pages.size >= keptPages) pages.clear();
  shown.pages.set(list, pages.set(name, response));
  return response;
};
