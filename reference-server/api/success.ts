import type { EndpointId } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Answer } from './answer.ts';
import type { Page } from './page.ts';

/** The messages of the operations for which the specification gives none. */
// biome-ignore format: a table
const ownMessages = {
  'list-config-versions':  'Dynamic config versions listed successfully.',
  'update-experiment':     'Experiment updated successfully.',
  'disable-config':        'Dynamic config disabled successfully.',
  'enable-groups':         'Experiment groups enabled successfully.',
  'archive-config':        'Dynamic config archived successfully.',
  'create-prompt-version': 'Prompt version created successfully.',
} as const satisfies Partial<Record<EndpointId, string>>;

const messages: Partial<Record<EndpointId, string>> = ownMessages;

/** The message of success of an operation (section 1). */
export const messageOf = (id: EndpointId): string => endpoints[id].message ?? messages[id] ?? endpoints[id].title;

const members = (id: EndpointId): readonly string[] => {
  const { data } = endpoints[id];
  return Object.keys(data.properties);
};

const shown = new Map<EndpointId, { readonly names: readonly string[]; readonly cache: WeakMap<object, object> }>();

/** The members of an entity that the answer's documented shape has; made once for each stored value. */
export const shownOf = (id: EndpointId, entity: object): object => {
  let shape = shown.get(id);
  if (shape === undefined) {
    shape = { names: members(id), cache: new WeakMap() };
    shown.set(id, shape);
  }
  const known = shape.cache.get(entity);
  if (known !== undefined) return known;
  const source = entity as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const name of shape.names) if (source[name] !== undefined) result[name] = source[name];
  shape.cache.set(entity, Object.freeze(result));
  return result;
};

/** The answer of an operation that shows one entity. */
export const success = (id: EndpointId, entity: object): Answer => ({
  status: 200,
  body: { message: messageOf(id), data: shownOf(id, entity) },
});

/** The answer of a list operation. */
export const listed = (id: EndpointId, { items, pagination }: Page<object>): Answer => ({
  status: 200,
  body: { message: messageOf(id), data: items.map(item => shownOf(id, item)), pagination },
});
