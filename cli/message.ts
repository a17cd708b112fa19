import { withoutCommands } from '../reports/formats/workflow-commands.ts';
import { safeLines, safeText } from '../reports/text/safe-text.ts';

/** The most characters of a message: one that quotes a whole file tells nothing more. */
const most = 2_000;

/**
 * One line for people, whatever it quotes of flags, files or targets: nothing invisible stands in it, and no runner of
 * workflows takes it for a command.
 */
export const messageLine = (text: string): string => `${withoutCommands(safeText(text, most))}\n`;

/** Lines for people, of which the same holds; each is as long as it is. */
export const messageLines = (text: string): string => withoutCommands(safeLines(text));
