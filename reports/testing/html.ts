import { expect } from 'vitest';

/**
 * Expects a page to be whole: one document without foreign elements or missing values, whose ids are unique and whose
 * links lead somewhere.
 */
export function expectWholePage(page: string): void {
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/>(undefined|null|NaN)<|="(undefined|null|NaN)"|\[object Object\]/);
  expect(page).not.toMatch(/<(link|img|svg|iframe|object|embed|base|form)\b/);
  const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(match => match[1]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const links = [...page.matchAll(/\shref="#([^"]*)"/g)].map(match => match[1]);
  expect(links.filter(id => !ids.includes(id))).toEqual([]);
}
