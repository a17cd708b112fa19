import { byId } from '../decorators/index.ts';
import { type Dialect, type DialectTable, dialectOf } from './dialect.ts';
import { leniencyDialects } from './leniency.ts';
import { cacheDialects } from './living-caches.ts';
import { companyDialects } from './living-company.ts';
import { formDialects } from './living-forms.ts';
import { hourDialects } from './living-hours.ts';
import { limitDialects } from './living-limits.ts';
import { lockDialects } from './living-locks.ts';
import { meaningDialects } from './living-meaning.ts';
import { mixedDialects } from './living-mixes.ts';
import { othersDialects } from './living-others.ts';
import { raceDialects } from './living-races.ts';
import { replicaDialects } from './living-replicas.ts';
import { setDialects } from './living-sets.ts';
import { shownDialects } from './living-shown.ts';
import { wireDialects } from './living-wire.ts';
import { pagingDialects } from './paging.ts';
import { refusalDialects } from './refusals.ts';
import { shapeDialects } from './shapes.ts';
import { stateDialects } from './states.ts';
import { strictnessDialects } from './strictness.ts';
import { textRuleDialects } from './text-rules.ts';
import { transportDialects } from './transport.ts';
import { writingDialects } from './writing.ts';

/** Services that differ in the form of answers, in the effects of requests, and in what they refuse. */
const plainTables: readonly DialectTable[] = [
  refusalDialects,
  writingDialects,
  transportDialects,
  shapeDialects,
  pagingDialects,
  stateDialects,
  strictnessDialects,
  textRuleDialects,
  leniencyDialects,
];

const livingTables: readonly DialectTable[] = [
  othersDialects,
  raceDialects,
  replicaDialects,
  setDialects,
  shownDialects,
  wireDialects,
  limitDialects,
  lockDialects,
  meaningDialects,
  cacheDialects,
  companyDialects,
  formDialects,
  hourDialects,
  mixedDialects,
];

/** Live services: used by others, lagging, with quotas, locks and rules of their own. */
export const livingDialects: readonly Dialect[] = livingTables.flat().map(dialectOf);

/** All dialects. Add a new one to one of these tables. */
export const dialects: readonly Dialect[] = [...plainTables.flat().map(dialectOf), ...livingDialects];

/** Returns the dialect of an id. Throws a RangeError for an unknown id. */
export const dialectNamed = byId(dialects, 'dialect');
