import type { EndpointId } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CheckContext } from '../protocol/check.ts';
import type { Session } from '../protocol/session.ts';
import { readGate, readList, readQualifyingEvent } from './reading.ts';

/**
 * How to see that a refused write left no trace: it carries a mark in a plain field, and the mark is looked for afterwards. Only where the API
 * offers a way to read back.
 */
export interface Trace {
  /** The field that carries the mark. */
  readonly field: string;
  /** Where the mark stands in an answer. */
  readonly pointer: string;
  /** The answer in which the mark was found, or null. */
  find(context: CheckContext, session: Session, mark: string): Promise<Answer | null>;
}

const inDescription: Omit<Trace, 'find'> = { field: 'description', pointer: '/data/description' };

// biome-ignore format: a table
const traces: Partial<Record<EndpointId, Trace>> = {
  'patch-gate': {
    ...inDescription,
    async find({ minimal }, session, mark) {
      const { entity, answer } = await readGate(session, minimal.param ?? '');
      return entity?.description === mark ? answer : null;
    },
  },
  'update-qualifying-event': {
    field: 'description',
    pointer: '/data/*/description',
    async find({ minimal }, session, mark) {
      const { entity, answer } = await readQualifyingEvent(session, minimal.param ?? '');
      return entity?.description === mark ? answer : null;
    },
  },
  'create-metric': {
    field: 'name',
    pointer: '/data/*/name',
    async find({ target }, session, mark) {
      const event = target.fixtures.events?.[0] ?? '';
      const request = { endpoint: 'list-event-metrics', param: event } as const;
      const { items, answer } = await readList(session, request, item => item.name === mark);
      return items.some(item => item.name === mark) ? answer : null;
    },
  },
};

/** The way to find a trace at an endpoint; undefined where nothing can be read back. */
export const traceOf = (endpoint: EndpointId): Trace | undefined => traces[endpoint];

/** A body that carries a mark. */
export const withMark = (body: JsonObject | undefined, trace: Trace, mark: string): JsonObject => ({
  ...body,
  [trace.field]: mark,
});
