import type { RequestListener } from 'node:http';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Store } from '../store/store.ts';
import type { Authorise } from './authorise.ts';
import type { Handler, HandlerRequest } from './request.ts';
import type { FieldError } from './response.ts';

/** Lists every error of a request's body. */
export type Validate = (request: HandlerRequest) => readonly FieldError[];

/**
 * Where the server can be made to differ without a branch in it: each hook is given a part and returns the part that
 * takes its place. They are called once, when the server is made.
 */
export interface Hooks {
  /** The whole of an operation: key check, body, validation, work. It sees every response, refusals too. */
  readonly decorate?: (id: EndpointId, handler: Handler) => Handler;
  /** The work of an operation alone, after key check and validation. It may throw `Refused`. */
  readonly decorateOperation?: (id: EndpointId, handler: Handler) => Handler;
  /** The key check. */
  readonly decorateAuthorise?: (authorise: Authorise) => Authorise;
  /** The validation of an operation's body. */
  readonly decorateValidate?: (id: EndpointId, validate: Validate) => Validate;
  /** The store, below everything. */
  readonly decorateStore?: (store: Store) => Store;
  /** The raw HTTP stage: around everything, bytes and connections included. */
  readonly decorateListener?: (listener: RequestListener) => RequestListener;
}
