import type { Endpoint, Resource } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { keepsSchema } from '../judge/schema.ts';
import { type Answer, bodyValue, isAcceptedBy } from '../protocol/answer.ts';
import { entryOf } from '../protocol/entries.ts';
import { isReading } from './causes.ts';
import { type Covers, gatherCovers } from './covers.ts';
import { createCreations } from './creations.ts';
import {
  type AnsweredEvent,
  type Asked,
  type BegunEvent,
  deservesOf,
  isFiltered,
  type ModelOptions,
  outcomeOf,
} from './exchange.ts';
import { createFields } from './fields.ts';
import { longAgo, type Moment, type Tried, type Write } from './knowledge.ts';
import { createLists } from './lists.ts';
import { createMarks } from './marks.ts';
import { entitySchema, familyOf, kinds, showingsOf, targetsOf } from './resources.ts';
import { createScores } from './scores.ts';
import type { Suspicion } from './suspicion.ts';
import { beginWrite, endWrite } from './writes.ts';

/** The conclusions from one event. */
export interface Told {
  readonly suspicions: readonly Suspicion[];
  /** The requirements that the answer could have shown to be broken. */
  readonly covers: Covers;
}

/** Knowledge that is untouched for ten minutes is forgotten. */
const horizonMs = 600_000;
const nothing: Told = { suspicions: [], covers: new Map() };

/**
 * Creates a model that knows what a service may show now, and compares every answer with that. Its results depend on the
 * events and their times alone. The knowledge is mutable, because a copy per event would cost more than all comparisons.
 */
export function createModel(options: ModelOptions) {
  const { rowOf = endpointRow } = options;
  const underWay = new Map<number, Asked>();
  const tried = new Map<Resource, Tried>();
  const marks = createMarks(options);
  const fields = createFields(options, marks);
  const lists = createLists(options);
  const creations = createCreations();
  const scores = createScores();
  let place = 0;
  let forgottenMs = Number.NEGATIVE_INFINITY;

  function triedOf(row: Endpoint): Tried {
    return entryOf(tried, familyOf(row.resource), () => ({
      byEntity: new Map(),
      last: [],
      quietSince: longAgo,
      underWay: 0,
      moving: new Set(),
    }));
  }

  /** Returns the writes in flight to entities of a family. */
  const meeting = (own: Tried): readonly Write[] =>
    [...underWay.values()].flatMap(({ row, writes }) => (triedOf(row) === own ? writes : []));

  function begin({ number, request, sent, atMs }: BegunEvent): Told {
    const row = rowOf(request.endpoint);
    const begun: Moment = { place, ms: atMs };
    const body = sent ?? bodyValue(request);
    const param = request.param ?? '';
    const isReadable = row.body === null || request.raw === undefined || body !== undefined;
    const deserves = deservesOf(request, row, body);
    const isWrite = row.method !== 'GET' || request.method !== undefined;
    const { endpoint } = request;
    const asked = { number, row, endpoint, param, body, deserves, begun, isWrite, isFiltered: isFiltered(request) };
    if (!isWrite) {
      underWay.set(number, { ...asked, writes: [] });
      return nothing;
    }
    const own = triedOf(row);
    own.underWay += 1;
    own.quietSince = begun;
    const targets = row.method === 'GET' ? [] : targetsOf(row, body, param);
    const others = own.underWay > 1 ? meeting(own) : [];
    const writes = targets.map(({ id: sentId, fields: sentFields }): Write => {
      // An item of a set that is sent by its name alone may have a known id.
      const isNamed = kinds[row.resource].set !== undefined && sentFields.id === undefined;
      const id = (isNamed ? fields.named(row.resource, sentId) : undefined) ?? sentId;
      const write: Write = {
        number,
        endpoint,
        row,
        id,
        begun,
        ended: undefined,
        outcome: 'pending',
        fields: isReadable ? sentFields : undefined,
        onlyJudged: request.onlyJudged,
        isSound: keepsSchema(body, row),
        met: [...others],
      };
      for (const other of others) other.met.push(write);
      entryOf(own.byEntity, id, () => []).push(write);
      return write;
    });
    for (const write of writes) {
      marks.send(write, entitySchema(row.body, kinds[row.resource]));
      if (deserves === 'effect' || deserves === 'unknown') beginWrite(fields, write);
    }
    underWay.set(number, { ...asked, writes });
    lists.began(asked);
    return nothing;
  }

  function end(number: number, at: Moment, answer: Answer | undefined): Asked | undefined {
    const asked = underWay.get(number);
    if (asked === undefined) return undefined;
    underWay.delete(number);
    if (asked.isWrite) {
      const own = triedOf(asked.row);
      own.underWay -= 1;
      own.quietSince = at;
      const outcome = outcomeOf(asked, answer);
      for (const write of asked.writes) {
        // A keyless request that was not refused may have had its effect.
        if (asked.deserves === 'keyless' && outcome === 'unknown') beginWrite(fields, write);
        endWrite(fields, write, outcome, at);
        if ((outcome === 'accepted' || outcome === 'unknown') && !isReading(write)) noteLast(own, write);
      }
      lists.wrote(asked, outcome, answer, at);
    }
    return asked;
  }

  function answered({ number, lost, atMs, answer }: AnsweredEvent): Told {
    const at: Moment = { place, ms: atMs };
    for (const one of lost) end(one, at, undefined);
    const asked = end(number, at, answer);
    const covers = gatherCovers();
    const made =
      asked === undefined
        ? []
        : [creations, scores].flatMap(judge => judge.wrote(asked, outcomeOf(asked, answer), answer, covers));
    if (asked?.deserves !== 'effect' || !isAcceptedBy(asked.row, answer) || !answer.own) return nothing;
    const { row } = asked;
    const own = triedOf(row);
    const showings = showingsOf(row, answer.data, asked.param);
    const twice = creations.shown(asked, showings, covers);
    const listed = row.list ? lists.listed(asked, answer, showings, own, covers) : [];
    const judged = showings.filter(({ id }) => !lists.isIntruder(row.resource, id));
    const suspicions = judged.flatMap(showing => fields.show(showing, asked, own, at, covers));
    return { suspicions: [...made, ...twice, ...listed, ...suspicions], covers };
  }

  function forget(before: number): void {
    fields.forget(before);
    marks.forget(before);
    lists.forget(before);
    creations.forget(before);
    scores.forget(before);
    for (const { byEntity } of tried.values())
      for (const [id, writes] of byEntity) {
        const kept = writes.filter(({ begun, ended = begun }) => ended.ms >= before);
        // Writes that met refer to one another. Release them, otherwise a chain of forgotten writes stays in memory.
        for (const write of writes) if (!kept.includes(write)) write.met.length = 0;
        if (kept.length === 0) byEntity.delete(id);
        else byEntity.set(id, kept);
      }
    for (const [number, asked] of underWay)
      if (asked.begun.ms < before) {
        underWay.delete(number);
        if (!asked.isWrite) continue;
        triedOf(asked.row).underWay -= 1;
        lists.neverEnded(asked);
      }
  }

  return {
    interpret(event: BegunEvent | AnsweredEvent): Told {
      place += 1;
      if (event.atMs - forgottenMs > horizonMs / 10) {
        forgottenMs = event.atMs;
        forget(event.atMs - horizonMs);
      }
      return event.kind === 'begun' ? begin(event) : answered(event);
    },
    /** Returns the number of values, texts, requests and lists that are remembered. */
    size: (): number =>
      fields.size() + marks.size() + lists.size() + creations.size() + scores.size() + underWay.size + sum(tried),
  };
}

/** Number of entities written to last that are remembered: experiments are read by writes, one after another. */
const mostLast = 4;

/** Remembers the last write to each of the entities written to last, and the last write by each operation. */
function noteLast({ last }: Tried, write: Write): void {
  const others = last.filter(({ id, endpoint }) => id !== write.id || endpoint !== write.endpoint);
  const newest = [...others, write].sort((one, other) => (other.ended?.place ?? 0) - (one.ended?.place ?? 0));
  const ids = new Set<string>();
  const endpoints = new Set<EndpointId>();
  last.length = 0;
  for (const one of newest) {
    const isOfLastEntity = ids.size < mostLast && !ids.has(one.id);
    if (isOfLastEntity || !endpoints.has(one.endpoint)) last.push(one);
    ids.add(one.id);
    endpoints.add(one.endpoint);
  }
}

/** Returns the number of writes that are remembered. */
const sum = (tried: ReadonlyMap<Resource, Tried>): number =>
  [...tried.values()].flatMap(({ byEntity }) => [...byEntity.values()]).flat().length;
