import type { ServerResponse } from 'node:http';

/** The idle timeout of the server drops clients that read nothing. It does not mean responses that the server holds. */

// node:http ends no connection whose response listens to `timeout`.
const stay = (): void => undefined;

/** Keeps the connection of a response open, however long nothing is sent. */
export const heldOpen = (response: ServerResponse): void => void response.on('timeout', stay);

/** Keeps the connection of a response open until some work is done. */
export const heldOpenDuring = async (response: ServerResponse, work: () => Promise<void>): Promise<void> => {
  heldOpen(response);
  try {
    await work();
  } finally {
    response.off('timeout', stay);
  }
};
