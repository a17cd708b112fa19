import { combinedHooks } from '../decorators/layers.ts';
import type { Dialect } from './dialect.ts';
import { cacheDialects } from './living-caches.ts';
import { companyDialects } from './living-company.ts';
import { formDialects } from './living-forms.ts';
import { hourDialects } from './living-hours.ts';

/** Several dialects at once: the excuse of one must not hide faults, and lack of proof must not accuse. */

const parts = new Map(
  [...cacheDialects, ...companyDialects, ...formDialects, ...hourDialects].map(row => [row.id, row]),
);

const partOf = (id: string): Dialect => {
  const row = parts.get(id);
  if (row === undefined) throw new RangeError(`there is no dialect called ${id}`);
  return row;
};

/** Combines several rows: their operations, and the warnings and untested checks of all. */
function mixed(id: string, ...ids: readonly string[]): Dialect {
  const rows = ids.map(partOf);
  const endpoints = rows.some(row => row.endpoints === undefined)
    ? undefined
    : [...new Set(rows.flatMap(row => row.endpoints ?? []))];
  const behindMs = Math.max(...rows.map(row => row.behindMs ?? 0));
  const checks = rows.flatMap(row => row.mayBeUntested?.checks ?? []);
  const changes = rows.flatMap(row => row.changes ?? []);
  const mayWarn = rows.flatMap(row => row.mayWarn ?? []);
  return {
    id,
    section: [...new Set(rows.map(({ section }) => section))].join('; '),
    title: rows.map(({ title }) => title).join('; '),
    ...(endpoints && { endpoints }),
    ...(behindMs > 0 && { behindMs }),
    ...(checks.length > 0 && { mayBeUntested: { checks } }),
    ...(changes.length > 0 && { changes }),
    ...(mayWarn.length > 0 && { mayWarn }),
    decorator: server => {
      const hooks = rows.map(({ decorator, endpoints: own }) => ({ ...decorator(server), endpoints: own }));
      const made = combinedHooks(hooks);
      const used = Object.keys(made).filter(name => hooks.some(one => name in one));
      return Object.fromEntries(Object.entries(made).filter(([name]) => used.includes(name)));
    },
  };
}

// biome-ignore format: a table
export const mixedDialects: readonly Dialect[] = [
  mixed('mixed-metrics-late-and-made', 'metrics-latest-first-late', 'others-make-and-drop-metrics', 'metric-lineage-later'),
];
