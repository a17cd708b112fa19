import { textBeside } from '../../contracts/beside.ts';

/** The files of the page, by what they are called below `/_reference/`. */
export const pageFileNames = { document: 'index.html', script: 'page.js', style: 'page.css' } as const;

/** What the files of the page hold. */
export type PageFiles = Readonly<Record<keyof typeof pageFileNames, string>>;

const built = async (): Promise<PageFiles> => {
  const read = (name: string): string => textBeside(name, import.meta.url);
  const { document, script, style } = pageFileNames;
  return { document: read(document), script: read(script), style: read(style) };
};

const fromSources = async (): Promise<PageFiles> => (await import('./bundle.ts')).bundledPage();

let known: Promise<PageFiles> | undefined;

/**
 * The files of the page, read once: those that the build wrote beside this module. From the sources, where there are
 * none, they are bundled at the first use.
 */
export const pageFiles = (): Promise<PageFiles> => {
  known ??= (import.meta.url.endsWith('.ts') ? fromSources() : built()).catch(error => {
    known = undefined;
    throw error;
  });
  return known;
};
