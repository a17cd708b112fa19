import type { BehaviourRequest } from '../../contracts/behaviour.ts';
import type { Behaviour } from '../behaviours/schema.ts';
import type { RequestLog } from '../log/request-log.ts';
import type { Control } from './control.ts';
import type { StateControl } from './state.ts';

/** A world of one's own at a server that others use too. */
export interface Sandbox {
  readonly url: string;
  /** The key that opens it: send it where any key is sent. */
  readonly apiKey: string;
  readonly state: StateControl;
  readonly requests: RequestLog;
  /** All that can be done to it. */
  readonly control: Control;
  /**
   * Makes requests fail: with 500, those to all operations, until it is taken away, or as the behaviour says.
   *
   * @example
   * await sandbox.fail({ operations: ['patch-gate'], next: 2 });
   * await sandbox.fail({ error: { status: 409, message: 'Taken.' } });
   */
  fail(behaviour?: BehaviourRequest): Promise<Behaviour>;
  /**
   * Does something to requests, as `ctl behave` and the files of `serve --behaviours` do.
   *
   * @example
   * await sandbox.behave({ match: { operation: 'patch-gate' }, then: [{ status: 500 }, { status: 503 }, 'real'] });
   */
  behave(behaviour: BehaviourRequest): Promise<Behaviour>;
  /** Forgets it. The server goes on. */
  close(): Promise<void>;
}

/** A sandbox of a world, at an address. */
export const sandboxOf = (url: string, apiKey: string, control: Control, forget: () => Promise<unknown>): Sandbox => ({
  url,
  apiKey,
  state: control.state,
  requests: control.requests,
  control,
  fail: (behaviour = {}) =>
    control.behaviours.add(
      behaviour.error === undefined && behaviour.connection === undefined
        ? { ...behaviour, error: { status: 500 } }
        : behaviour,
    ),
  behave: control.behaviours.add,
  close: async () => void (await forget()),
});
