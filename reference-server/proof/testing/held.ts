import type { Hooks } from '../../api/hooks.ts';

/** Operations that can be held up. */
export interface Held {
  /** The option of a server whose operations wait. */
  readonly decorate: NonNullable<Hooks['decorate']>;
  /** Resolves when the first request has reached its handler. */
  readonly inHandler: Promise<void>;
  /** Lets all requests go on, later ones included. */
  go(): void;
}

/** Holds requests in their handlers, so that a test can do something meanwhile. */
export const held = (): Held => {
  let arrived = (): void => undefined;
  let go = (): void => undefined;
  const inHandler = new Promise<void>(resolve => {
    arrived = resolve;
  });
  const released = new Promise<void>(resolve => {
    go = resolve;
  });
  return {
    decorate:
      (_id, handler) =>
      async (...call) => {
        arrived();
        await released;
        return handler(...call);
      },
    inHandler,
    go: () => go(),
  };
};
