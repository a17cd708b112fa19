import { type Endpoint, isOperation } from '../../contracts/endpoint.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CheckContext, Session } from '../protocol/check.ts';
import { createEventually } from './eventually.ts';
import { readGate, readMetrics, readQualifyingEvent, readSettledGate } from './reading.ts';

/** How to find out whether a refused write was stored: send a mark in one of its fields and look for it afterwards. */
export interface Trace {
  /** The field that carries the mark; null where the effect itself is looked for. */
  readonly field: string | null;
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
    resource: 'gate', action: 'disable', field: null, pointer: '/data/isEnabled',
    async find({ minimal, settleMs }, session) {
      const gate = minimal.param ?? '';
      // One that was not enabled before could not be seen to be disabled.
      if (session.lastWritten(gate)?.isEnabled !== true) return null;
      const { entity, answer } = await readSettledGate(session, gate, createEventually(settleMs));
      return entity?.isEnabled === false ? answer : null;
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

/** A body that carries a mark, where one is carried. */
export const withMark = <Body extends JsonObject | undefined>(
  body: Body,
  { field }: Trace,
  mark: string,
): Body | JsonObject => (field === null ? body : { ...body, [field]: mark });
