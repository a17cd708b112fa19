import { both } from '../decorators/index.ts';
import { type DialectTable, metrics } from './dialect.ts';
import { metricsLate } from './living-caches.ts';
import { metricsComeAndGo } from './living-company.ts';
import { lineageLater } from './living-forms.ts';

/** Several dialects at once: the excuse of one must not hide faults, and lack of proof must not accuse. */

// biome-ignore format: a table
export const mixedDialects: DialectTable = [
  ['mixed-metrics-late-and-made', '4.14; 2.7', metrics, 'lists metrics half a second late; has people who make metrics over the fixture event, and drop them; answers a creation without a lineage, and lists it with one', both(metricsLate, metricsComeAndGo, lineageLater), { behindMs: 500, mayBeUntested: {}, changes: ['metrics'] }],
];
