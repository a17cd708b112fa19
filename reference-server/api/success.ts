import type { EndpointId } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Answer } from './answer.ts';
import { keepText } from './json-text.ts';
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

type Shape = { readonly names: ReadonlySet<string>; readonly listed: WeakMap<object, object> };

const shapes = new Map<EndpointId, Shape>();

const shapeOf = (id: EndpointId): Shape => {
  let shape = shapes.get(id);
  if (shape === undefined) {
    shape = { names: new Set(Object.keys(endpoints[id].data.properties)), listed: new WeakMap() };
    shapes.set(id, shape);
  }
  return shape;
};

/** The members of an entity that the answer's documented shape has. Most entities have no others, and are shown as they are. */
const shownOf = (names: ReadonlySet<string>, entity: object): object => {
  if (Object.keys(entity).every(name => names.has(name))) return entity;
  const source = entity as Record<string, unknown>;
  const shown: Record<string, unknown> = {};
  for (const name of names) if (source[name] !== undefined) shown[name] = source[name];
  return shown;
};

/** The same for an item of a list; made and serialised once for each stored value. */
const itemOf = ({ names, listed }: Shape, entity: object): object => {
  const known = listed.get(entity);
  if (known !== undefined) return known;
  const item = Object.freeze(shownOf(names, entity));
  keepText(item);
  listed.set(entity, item);
  return item;
};

/** The answer of an operation that shows one entity. */
export const success = (id: EndpointId, entity: object): Answer => ({
  status: 200,
  body: { message: messageOf(id), data: shownOf(shapeOf(id).names, entity) },
});

/** The answer of a list operation. */
export const listed = (id: EndpointId, { items, pagination }: Page<object>): Answer => {
  const shape = shapeOf(id);
  return { status: 200, body: { message: messageOf(id), data: items.map(item => itemOf(shape, item)), pagination } };
};
