import type { Dialect } from './dialect.ts';
import { refusalDialects } from './refusals.ts';

/** Every dialect. A new one is a row in one of these tables. */
export const dialects: readonly Dialect[] = [...refusalDialects];

const byId = new Map(dialects.map(dialect => [dialect.id, dialect]));

/** The dialect of this id. Throws a RangeError where there is none. */
export const dialectNamed = (id: string): Dialect => {
  const dialect = byId.get(id);
  if (dialect === undefined) throw new RangeError(`there is no dialect ${JSON.stringify(id)}`);
  return dialect;
};
