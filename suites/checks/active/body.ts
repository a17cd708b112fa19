import type { ObjectSchema } from '../../../contracts/dialect.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { type RejectCase, rejectCases } from '../../generators/index.ts';
import type { CheckContext } from '../../protocol/check.ts';

/** The parts of a context that decide what may be sent. */
type Sendable = Pick<CheckContext, 'row' | 'minimal' | 'target'>;

/** Returns the schema of the operation's body; one without fields if it has none. */
export const schemaOf = ({ row }: Pick<CheckContext, 'row'>): ObjectSchema => row.body ?? { type: 'object' };

/** Returns the smallest body, on which the cases of the operation build; empty if it has none. */
export const templateOf = ({ minimal }: Pick<CheckContext, 'minimal'>): JsonObject => minimal.body ?? {};

/** Returns all enumerated requests that break one rule of the body, and what none of them can break. */
export const brokenCases = (context: Sendable): ReturnType<typeof rejectCases> =>
  rejectCases(schemaOf(context), templateOf(context), context.target);

/** Returns the enumerated requests that must be refused. */
export const mustRefuse = (context: Sendable): readonly RejectCase[] =>
  brokenCases(context).cases.filter(({ level }) => level === 'MUST');
