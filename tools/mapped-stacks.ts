import { findSourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Maps the places of a stack to its sources. vitest maps only modules that it evaluates, not those that Node loads. */
const mapped = (stack: string): string =>
  stack.replace(/(\/[^\s():]+\.ts):(\d+):(\d+)/g, (place, path: string, line: string, column: string) => {
    const entry = findSourceMap(pathToFileURL(path).href)?.findEntry(Number(line) - 1, Number(column) - 1);
    return entry !== undefined && 'originalLine' in entry
      ? `${path}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : place;
  });

const known: { isMapped?: true } & typeof Error.prepareStackTrace = Error.prepareStackTrace;
if (known !== undefined && known.isMapped !== true)
  Error.prepareStackTrace = Object.assign(
    (error: Error, frames: NodeJS.CallSite[]): unknown => {
      const stack: unknown = known(error, frames);
      return typeof stack === 'string' ? mapped(stack) : stack;
    },
    { isMapped: true },
  );
