import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type Members, membersOf } from '../../../contracts/json.ts';
import type { ReferenceServerOptions } from '../../../reference-server/index.ts';
import { demanding, refusing } from './demanding.fixture.ts';

/** A sound server with a policy: it demands more than the API does, or is closed for a while. */
export interface Policy {
  /** `policy OPERATION …`. */
  readonly id: string;
  readonly endpoint: EndpointId;
  /** Creates a server for each run, because some count requests. */
  readonly server: () => ReferenceServerOptions;
  /** The fields that a target file can declare under `requires`; none if it cannot declare this. */
  readonly requires: readonly string[];
}

/** True if a body lacks all of these fields. */
const lacksAll =
  (...fields: readonly string[]) =>
  (body: Members): boolean =>
    !fields.some(field => Object.hasOwn(body, field));

/** Refuses the requests from number `from` to before `to`, like a service in maintenance. */
const closed = (endpoint: EndpointId, from: number, to: number) => (): ReferenceServerOptions => {
  let requests = 0;
  return refusing(endpoint, () => {
    requests += 1;
    return requests >= from && requests < to;
  });
};

const demands = (endpoint: EndpointId, field: string): Policy => ({
  id: `policy ${endpoint} ${field}`,
  endpoint,
  server: () => demanding(endpoint, field),
  requires: [field],
});

const other = (
  endpoint: EndpointId,
  what: string,
  server: Policy['server'],
  requires: Policy['requires'] = [],
): Policy => ({ id: `policy ${endpoint} ${what}`, endpoint, server, requires });

/** Realistic policies, each for one operation. */
export const policies: readonly Policy[] = [
  ...['tags', 'description', 'team', 'directionality'].map(field => demands('create-metric', field)),
  ...['description', 'tags', 'links'].map(field => demands('update-experiment', field)),
  ...['description', 'tags'].map(field => demands('patch-gate', field)),
  ...['description', 'tags', 'owner'].map(field => demands('update-qualifying-event', field)),
  demands('create-prompt-version', 'description'),
  other(
    'patch-gate',
    'description of a gate that is enabled',
    () =>
      refusing(
        'patch-gate',
        ({ body }) => membersOf(body).isEnabled === true && !Object.hasOwn(membersOf(body), 'description'),
      ),
    ['description'],
  ),
  other('create-metric', 'tags or description', () =>
    refusing('create-metric', ({ body }) => lacksAll('tags', 'description')(membersOf(body))),
  ),
  other('update-experiment', 'tags or links', () =>
    refusing('update-experiment', ({ body }) => lacksAll('tags', 'links')(membersOf(body))),
  ),
  other('create-metric', 'tags by plan (402)', () => demanding('create-metric', 'tags', 402)),
  other('update-experiment', 'links by plan (403)', () => demanding('update-experiment', 'links', 403)),
  other('create-metric', 'closed for a while', closed('create-metric', 20, 45)),
  other('patch-gate', 'closed for a while', closed('patch-gate', 30, 50)),
];
