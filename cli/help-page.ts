/** Maximum number of columns of the help, however wide the terminal is. */
export const helpColumns = 80;

/**
 * The help of the whole program, as commander lays it out for that width; undefined in the sources.
 *
 * The build inserts it (`tools/bundled.ts`), because showing it takes a third of the time that commander needs to load
 * and to list the commands.
 */
export const helpPage: string | undefined = undefined;
