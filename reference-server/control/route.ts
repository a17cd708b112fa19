import type { Properties, Schema } from '../../contracts/dialect.ts';
import { record } from '../../contracts/object.ts';
import type { LoggedRequest } from '../log/request-log.ts';
import type { ServedWorld } from '../worlds/served-world.ts';
import type { Worlds } from '../worlds/worlds.ts';
import type { Control } from './control.ts';

/** What a control path is asked: the world it speaks of, and what was sent. */
export interface ControlCall {
  readonly control: Control;
  readonly world: ServedWorld;
  readonly worlds: Worlds;
  /** The control of another world. */
  readonly controlOf: (world: ServedWorld) => Control;
  /** A parameter of the path. */
  readonly param: (name: string) => string;
  /** The parameters of the query, as their schemas have them. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A control path. The table of them is what routes, document and checks of parameters come from. */
export interface ControlRoute {
  /** Names it in the document: `listSnapshots`. */
  readonly id: string;
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** Below the version, with `{parameters}`. */
  readonly path: string;
  readonly summary: string;
  readonly query?: Properties;
  /** What is sent; no body is read where it is absent. */
  readonly body?: Schema;
  /** What a body may be beyond the size and depth of those of the API: a whole state. */
  readonly large?: true;
  /** What is answered with 200. */
  readonly answer: Schema;
  /** Stands without a version too, as it did before there was one. */
  readonly unversioned?: true;
  /** Answers those who have no control key, and tells nothing of a world. */
  readonly open?: true;
  readonly run: (call: ControlCall) => unknown;
  /** Subscribes to what is streamed as server-sent events, in place of one answer. */
  readonly stream?: (call: ControlCall, listener: (request: LoggedRequest) => void) => () => void;
}

/** A control path: what it is called, its method and path below the version, what it does, and the rest. */
export const route = (
  id: string,
  at: `${ControlRoute['method']} /${string}`,
  summary: string,
  rest: Omit<ControlRoute, 'id' | 'method' | 'path' | 'summary'>,
): ControlRoute => {
  const [method, path = ''] = at.split(' ');
  return { id, method: method as ControlRoute['method'], path, summary, ...rest };
};

/** Any text. */
export const text = { type: 'string' } as const satisfies Schema;
/** Any whole number. */
export const integer = { type: 'integer' } as const satisfies Schema;

/** What a control path does that answers no more than a status, once the work is done. */
export const telling = (status: string, work: ControlRoute['run']): Pick<ControlRoute, 'answer' | 'run'> => ({
  answer: record({ status: text }),
  run: async call => {
    await work(call);
    return { status };
  },
});
