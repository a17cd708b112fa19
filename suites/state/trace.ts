import { type Endpoint, isOperation } from '../../contracts/endpoint.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CheckContext, Session } from '../protocol/check.ts';
import { readGate, readMetrics, readQualifyingEvent } from './reading.ts';

/** How to find out whether a refused write was stored: send a mark in one of its fields and look for it afterwards. */
export interface Trace {
  /** The field that carries the mark. */
  readonly field: string;
  /** Where the mark stands in an answer. */
  readonly pointer: string;
  /** The answer in which the mark was found, or null. */
  find(context: CheckContext, session: Session, mark: string): Promise<Answer | null>;
}

/** The traces, each of the operation that leaves it. */
// biome-ignore format: a table
const traces: readonly (Trace & Pick<Endpoint, 'resource' | 'action'>)[] = [
  {
    resource: 'gate', action: 'patch', field: 'description', pointer: '/data/description',
    async find({ minimal }, session, mark) {
      const { entity, answer } = await readGate(session, minimal.param ?? '');
      return entity?.description === mark ? answer : null;
    },
  },
  {
    resource: 'qualifying-event', action: 'update', field: 'description', pointer: '/data/*/description',
    async find({ minimal }, session, mark) {
      const { entity, answer } = await readQualifyingEvent(session, minimal.param ?? '');
      return entity?.description === mark ? answer : null;
    },
  },
  {
    resource: 'metric', action: 'create', field: 'name', pointer: '/data/*/name',
    async find({ target }, session, mark) {
      const { items, answer } = await readMetrics(session, target.fixtures.events?.[0] ?? '');
      return items.some(item => item.name === mark) ? answer : null;
    },
  },
];

/** The way to find a trace of an operation; undefined where nothing can be read back. */
export const traceOf = ({ resource, action }: Endpoint): Trace | undefined =>
  traces.find(trace => isOperation(trace, resource, action));

/** A body that carries a mark. */
export const withMark = (body: JsonObject | undefined, trace: Trace, mark: string): JsonObject => ({
  ...body,
  [trace.field]: mark,
});
