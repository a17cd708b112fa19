/**
 * The help of the whole program as commander lays it out for eighty columns, which are those of a pipe and of a file. The
 * build puts it here (`tools/bundled.ts`), because to show it takes a third of the time that it takes to load commander
 * and to list the commands. In the sources there is none.
 */
export const helpPage: string | undefined = undefined;
