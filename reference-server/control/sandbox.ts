import type { BehaviourRequest } from '../../contracts/behaviour.ts';
import type { Behaviour } from '../behaviours/schema.ts';
import type { RequestLog } from '../log/request-log.ts';
import type { Control } from './control.ts';
import type { StateControl } from './state.ts';

/** A private state on a shared server. */
export interface Sandbox {
  readonly url: string;
  /** The API key that selects it. */
  readonly apiKey: string;
  readonly state: StateControl;
  readonly requests: RequestLog;
  /** Everything that can be controlled, the two above included. */
  readonly control: Control;
  /**
   * Makes requests fail as the behaviour says; by default all of them, with 500, until it is removed.
   *
   * @example
   * await sandbox.fail({ operations: ['patch-gate'], next: 2 });
   * await sandbox.fail({ error: { status: 409, message: 'Taken.' } });
   */
  fail(behaviour?: BehaviourRequest): Promise<Behaviour>;
  /**
   * Adds a behaviour, in the form that `ctl behave` and the files of `serve --behaviours` use.
   *
   * @example
   * await sandbox.behave({ match: { operation: 'patch-gate' }, then: [{ status: 500 }, { status: 503 }, 'real'] });
   */
  behave(behaviour: BehaviourRequest): Promise<Behaviour>;
  /** Deletes the sandbox. The server keeps running. */
  close(): Promise<void>;
}

/** Returns the sandbox for a world at an address. */
export const sandboxOf = (url: string, apiKey: string, control: Control, forget: () => Promise<unknown>): Sandbox => ({
  url,
  apiKey,
  state: control.state,
  requests: control.requests,
  control,
  fail: (behaviour = {}) =>
    control.behaviours.add(
      [behaviour.then, behaviour.error, behaviour.connection].every(answered => answered === undefined)
        ? { ...behaviour, error: { status: 500 } }
        : behaviour,
    ),
  behave: control.behaviours.add,
  close: async () => void (await forget()),
});
