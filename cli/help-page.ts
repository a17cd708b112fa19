/** So many columns the help has at most, however wide a terminal is. */
export const helpColumns = 80;

/**
 * The help of the whole program as commander lays it out for as many columns. The build puts it here
 * (`tools/bundled.ts`), because to show it takes a third of the time that it takes to load commander
 * and to list the commands. In the sources there is none.
 */
export const helpPage: string | undefined = undefined;
