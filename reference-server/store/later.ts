/**
 * Returns a stand-in for an object under construction, such as a store being opened. Its methods wait for the object,
 * and reject if it could not be made.
 */
export const later = <T>(made: () => Promise<T>, methods: Readonly<Record<keyof T, true>>): T =>
  Object.fromEntries(
    Object.keys(methods).map(name => [
      name,
      async (...given: readonly unknown[]) =>
        ((await made()) as Record<string, (...all: readonly unknown[]) => unknown>)[name]?.(...given),
    ]),
  ) as T;
