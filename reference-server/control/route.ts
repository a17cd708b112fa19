import type { Properties, Schema } from '../../contracts/dialect.ts';
import { record } from '../../contracts/object.ts';
import { text } from '../../contracts/scalars.ts';
import type { LoggedRequest } from '../log/request-log.ts';
import type { ServedWorld } from '../worlds/served-world.ts';
import type { Worlds } from '../worlds/worlds.ts';
import type { Control } from './control.ts';

/** A call of a control path: the world that it concerns, and the request. */
export interface ControlCall {
  readonly control: Control;
  readonly world: ServedWorld;
  readonly worlds: Worlds;
  /** Returns the control of another world. */
  readonly controlOf: (world: ServedWorld) => Control;
  /** Returns a path parameter. */
  readonly param: (name: string) => string;
  /** The query parameters, converted to the types of their schemas. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A control path. Routing, validation and the OpenAPI document derive from the table of these. */
export interface ControlRoute {
  /** Its operation id: `listSnapshots`. */
  readonly id: string;
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** Relative to the version prefix, with `{parameters}`. */
  readonly path: string;
  readonly summary: string;
  readonly query?: Properties;
  /** Schema of the body; if absent, no body is read. */
  readonly body?: Schema;
  /** The body may exceed the size and depth limits of the API, because it is a whole state. */
  readonly large?: true;
  /** Schema of the 200 answer. */
  readonly answer: Schema;
  /** Also served without a version prefix, as before versions existed. */
  readonly unversioned?: true;
  /** Needs no control key, because it reveals nothing of a world. */
  readonly open?: true;
  readonly run: (call: ControlCall) => unknown;
  /** Subscribes a listener to a stream of server-sent events, sent instead of a single answer. */
  readonly stream?: (call: ControlCall, listener: (request: LoggedRequest) => void) => () => void;
}

/** Returns a control path. `at` is its method and its path relative to the version prefix. */
export const route = (
  id: string,
  at: `${ControlRoute['method']} /${string}`,
  summary: string,
  rest: Omit<ControlRoute, 'id' | 'method' | 'path' | 'summary'>,
): ControlRoute => {
  const [method, path = ''] = at.split(' ');
  return { id, method: method as ControlRoute['method'], path, summary, ...rest };
};

/** Returns the part of a route that does some work, then answers with a fixed status. */
export const telling = (status: string, work: ControlRoute['run']): Pick<ControlRoute, 'answer' | 'run'> => ({
  answer: record({ status: text }),
  run: async call => {
    await work(call);
    return { status };
  },
});
