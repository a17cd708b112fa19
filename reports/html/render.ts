import { Eta } from 'eta/core';
import { safeText } from '../text/safe-text.ts';

/**
 * The one way from a value to the page. Every interpolation `<%= … %>` goes through here: first what would not show as itself is written out
 * (`\u{202e}`), then the signs of HTML are escaped. Raw output stands in templates for `include` only; a test holds them to it.
 */

/** Templates by name; `@` marks those that are kept in memory. */
export type Templates = Readonly<Record<`@${string}`, string>>;

const escapeHtml = new Eta().config.escapeFunction;

/** A renderer over some templates: the text of the named one for a view. */
export function renderer(templates: Templates): (name: keyof Templates, view: object) => string {
  const eta = new Eta({ escapeFunction: shown, autoTrim: false });
  for (const [name, template] of Object.entries(templates)) eta.loadTemplate(name, template);
  return (name, view) => eta.render(name, view);
}

/** A value as the markup that shows it, in an element or in an attribute between double quotes. */
export function shown(value: unknown): string {
  return escapeHtml(safeText(value === undefined || value === null ? '' : String(value), Number.POSITIVE_INFINITY));
}
