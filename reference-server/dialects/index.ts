import { byId } from '../decorators/layers.ts';
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

const of = (...tables: readonly DialectTable[]): readonly Dialect[] => tables.flat().map(dialectOf);

/** How answers are written, carried and shaped. */
const answerDialects = of(refusalDialects, writingDialects, transportDialects, shapeDialects);

/** What is done, and what is refused. */
const behaviourDialects = of(pagingDialects, stateDialects, strictnessDialects, textRuleDialects, leniencyDialects);

/** What others do meanwhile, and how it is carried. */
const livingWorldDialects = of(othersDialects, raceDialects, replicaDialects, setDialects, shownDialects, wireDialects);

/** What shows in more than one form, at more than one moment, or is written to by more than one. */
const uncertainDialects: readonly Dialect[] = [
  ...cacheDialects,
  ...companyDialects,
  ...formDialects,
  ...hourDialects,
  ...mixedDialects,
];

/** What it has had enough of, what it locks, and what it wants to come together. */
const livingRuleDialects = of(limitDialects, lockDialects, meaningDialects);

/** Services that live: used by others, lagging, with quotas, locks and rules of their own. */
export const livingDialects: readonly Dialect[] = [...livingWorldDialects, ...livingRuleDialects, ...uncertainDialects];

/** Every dialect. A new one is a row in one of these tables. */
export const dialects: readonly Dialect[] = [...answerDialects, ...behaviourDialects, ...livingDialects];

/** The dialect of this id. Throws a RangeError where there is none. */
export const dialectNamed = byId(dialects, 'dialect');
