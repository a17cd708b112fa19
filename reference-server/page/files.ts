import { textBeside } from '../../contracts/beside.ts';

/** The files of the page, by their names below `/_reference/`. */
export const pageFileNames = { document: 'index.html', script: 'page.js', style: 'page.css' } as const;

/** The contents of the files of the page. */
export type PageFiles = Readonly<Record<keyof typeof pageFileNames, string>>;

const built = async (): Promise<PageFiles> => {
  const read = (name: string): string => textBeside(name, import.meta.url);
  const { document, script, style } = pageFileNames;
  return { document: read(document), script: read(script), style: read(style) };
};

const fromSources = async (): Promise<PageFiles> => (await import('./bundle.ts')).bundledPage();

let known: Promise<PageFiles> | undefined;

/**
 * Reads the files of the page once: those that the build wrote beside this module. When run from the sources, bundles
 * them at first use.
 */
export const pageFiles = (): Promise<PageFiles> => {
  known ??= (import.meta.url.endsWith('.ts') ? fromSources() : built()).catch(error => {
    known = undefined;
    throw error;
  });
  return known;
};
