/**
 * Something that is still being made, such as a store that is opened: whoever calls one of its methods waits for it, and
 * is told where it could not be made.
 */
export const later = <T>(made: () => Promise<T>, methods: Readonly<Record<keyof T, true>>): T =>
  Object.fromEntries(
    Object.keys(methods).map(name => [
      name,
      async (...given: readonly unknown[]) =>
        ((await made()) as Record<string, (...all: readonly unknown[]) => unknown>)[name]?.(...given),
    ]),
  ) as T;
