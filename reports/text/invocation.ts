import type { Report } from '../../contracts/report/report.ts';
import { tool } from '../../contracts/report/tool.ts';
import { shellWord } from './shell.ts';

/**
 * The command to print for a file of this project that stands at a URL: where the package is installed the one that
 * names it and its version, so that `npx` takes no other package wherever it is pasted; in a checkout the short one. Of
 * the program that is one file its usual name, wherever it stands: a report tells no path of the machine that made it.
 */
export const invocationFrom = (url: string): string =>
  url.includes('.mjs/')
    ? 'node conform.mjs'
    : url.includes('/node_modules/')
      ? `npx ${tool.name}@${tool.version}`
      : 'npx conform';

/** How whoever reads what is printed runs this project. */
export const invocation = invocationFrom(import.meta.url);

/** The flag that names the server of a report, for a command that sends: what is sent goes where its reader sees. */
export const baseUrlOf = ({ target }: Pick<Report, 'target'>): string =>
  target.embedded ? '' : ` --base-url ${shellWord(target.baseUrl)}`;
