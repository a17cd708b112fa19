import type { Resource } from '../../contracts/endpoint.ts';
import type { Json } from '../../contracts/json.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { entryOf } from '../protocol/entries.ts';
import { answerOpen, answerOwn } from './answered.ts';
import { idleCulprit, isIdle, type Place, rivalsOf, wouldSet, writes } from './causes.ts';
import { agrees, type Compared, comparedFields } from './compare.ts';
import { type Gathered, gatherCovers } from './covers.ts';
import type { Asked, ModelOptions } from './exchange.ts';
import { createFieldJudge } from './field-judge.ts';
import {
  addClaim,
  type Claim,
  type Entity,
  type Field,
  type Moment,
  openClaim,
  type Reading,
  strictly,
  type Tally,
  type Tried,
  unknownField,
  type Write,
} from './knowledge.ts';
import type { Marks } from './marks.ts';
import { type Effect, kinds, overlap, type Showing } from './resources.ts';
import type { Suspicion } from './suspicion.ts';
import { swapped } from './swapped.ts';
import { emptyTally } from './tallies.ts';
import { brokenFields, mayChange, openLate } from './writes.ts';

/** The fields of all entities, and the judgement of what answers show of them. */
export type Fields = ReturnType<typeof createFields>;

const nowhere = Number.NEGATIVE_INFINITY;

/** True if services may leave a value out. */
const isBlank = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0);

/** True if a write began long ago and was never answered. */
const isLost = (write: Write | undefined, beforeMs: number): boolean =>
  write !== undefined && write.ended === undefined && write.begun.ms < beforeMs;

const none: readonly string[] = [];
const unknownCompared: Compared = { asked: undefined, shown: undefined };

/** Removes the items of a list that do not meet a condition. */
function keep<T>(list: T[], isKept: (one: T) => boolean): void {
  list.splice(0, list.length, ...list.filter(isKept));
}

/** Creates a store without fields. */
export function createFields(options: ModelOptions, marks: Marks) {
  const { settleMs, token } = options;
  const entities = new Map<string, Entity>();
  /** Tallies shared by all entities that a run creates, because each lives too short to be counted alone. */
  const shared = new Map<string, Tally>();
  const fieldJudge = createFieldJudge(options, marks);
  const keyOf = (resource: Resource, id: string): string => `${resource} ${id}`;

  /** Returns an entity, creating it if it is unknown. */
  function entityOf(resource: Resource, id: string, subject = id): Entity {
    const fresh = (): Entity => ({
      resource,
      id,
      subject,
      fields: new Map(),
      readings: new Map(),
      opened: new Set(),
      lastMs: nowhere,
    });
    return entryOf(entities, keyOf(resource, id), fresh);
  }

  function fieldOf({ resource, id, fields }: Entity, name: string): Field {
    const isOurs = token !== undefined && id.includes(token);
    return entryOf(fields, name, () =>
      unknownField(isOurs ? entryOf(shared, `${resource} ${name}`, emptyTally) : emptyTally()),
    );
  }

  /** True if the operation showed a member before and now leaves it out, although no possible value is blank. */
  function isMissed(entity: Entity, name: string, asked: Asked, before: Reading | undefined): boolean {
    if (isBlank(before?.shown[name])) return false;
    const field = entity.fields.get(name);
    return (
      field !== undefined && strictly(field, asked.begun).every(({ how, value }) => how !== 'open' && !isBlank(value))
    );
  }

  /** True if every possible value is non-blank and was echoed in the answer to the write that sent it. */
  function isEchoed(field: Field, begun: Moment): boolean {
    const now = strictly(field, begun);
    return now.length > 0 && now.every(({ isEchoed: is, value }) => is === true && !isBlank(value));
  }

  /**
   * Returns the previous reading of the operation. Marks fields as moving if they changed although nothing was tried.
   */
  function watch(
    entity: Entity,
    asked: Asked,
    shown: Readonly<Record<string, unknown>>,
    tried: Tried,
    comparedOf: (name: string) => Compared,
  ): Reading | undefined {
    const carries = asked.writes.some(({ fields }) => Object.keys(fields ?? {}).length > 0);
    const form = `${asked.endpoint}${carries ? ' with a body' : ''}`;
    const before = entity.readings.get(form);
    entity.readings.set(form, { begun: asked.begun, shown });
    if (before === undefined || tried.underWay > 0 || tried.quietSince.place > before.begun.place) return before;
    if (before.begun.ms - tried.quietSince.ms < settleMs) return before;
    for (const name of Object.keys(shown)) {
      if (!Object.hasOwn(before.shown, name)) continue;
      const was = { how: 'shown', value: before.shown[name] } as const;
      if (!agrees(was, shown[name], comparedOf(name))) tried.moving.add(`${entity.resource} ${name}`);
    }
    return before;
  }

  return {
    entityOf,
    known: (resource: Resource, id: string) => entities.get(keyOf(resource, id)),
    /** Adds the claim that a beginning write makes of a field. */
    claim(entity: Entity, name: string, claim: Claim, begun: Moment): void {
      entity.lastMs = Math.max(entity.lastMs, begun.ms);
      addClaim(fieldOf(entity, name), claim, begun.ms - settleMs);
    },
    /** Returns the id of the entity that has this name now; undefined if none is known. */
    named(resource: Resource, name: string): string | undefined {
      for (const one of entities.values())
        if (one.resource === resource && one.fields.get('name')?.claims.at(-1)?.value === name) return one.id;
      return undefined;
    },
    /** Opens the fields of the entities that show the one written to. */
    openSubject(write: Write): void {
      const { row, id, begun, ended } = write;
      if (isIdle(write) || row.resource !== 'config') return;
      for (const entity of entities.values())
        if (entity.subject === id && entity.id !== id)
          for (const { claims } of entity.fields.values()) {
            const last = claims.findLast(({ how, out }) => how === 'open' && out === undefined);
            const times = { begun: begun.place, ended: ended?.place ?? 0 };
            if (last !== undefined) last.ended = times.ended;
            else claims.push(openClaim(times));
          }
    },
    /** Compares an entity in an answer with what is known. */
    show(
      { id, subject, pointer, entity: shown }: Showing,
      asked: Asked,
      tried: Tried,
      at: Moment,
      covers: Gathered,
    ): readonly Suspicion[] {
      const { row, begun } = asked;
      const kind = kinds[row.resource];
      const own = asked.writes.find(write => write.id === subject);
      // A write and its answer are about one entity. If the ids differ, it is unknown which one is shown.
      if (own === undefined && asked.isWrite && kind.set === undefined) return [];
      const entity = entityOf(kind.shownAs ?? row.resource, id, subject);
      entity.lastMs = at.ms;
      const compared = comparedFields(row);
      const comparedOf = (name: string): Compared => compared.get(name) ?? unknownCompared;
      const effect = kind.effects[row.action];
      const sent = own === undefined ? none : [...mayChange(own.fields), ...Object.keys(effect?.sets ?? {})];
      const read: Record<string, unknown> = {};
      for (const name of compared.keys()) {
        // The path, or this very member, identifies the entity: there is nothing to compare.
        if (name === 'id' || !Object.hasOwn(shown, name)) continue;
        // A value that the write itself sent is an echo: it proves nothing about what was stored.
        if (own !== undefined && sent.includes(name)) {
          answerOwn(fieldOf(entity, name), name, own, shown[name], comparedOf(name));
          continue;
        }
        const value = shown[name];
        read[name] = kind.within?.[name]?.(value) ?? value;
      }
      const isOpen = own !== undefined && effect?.kept === undefined;
      // No other operation shows this kind, so this answer would show the effect of an earlier idle write.
      if (isOpen && Object.keys(kind.effects).length === 0)
        for (const { write, requirement } of (tried.byEntity.get(subject) ?? []).flatMap(idleCulprit))
          covers.add(write.endpoint, requirement);
      const before = isOpen ? undefined : watch(entity, asked, read, tried, comparedOf);
      for (const reading of effect?.isFull === true ? entity.readings.values() : [before ?? []].flat())
        for (const name of Object.keys(reading.shown))
          if (!Object.hasOwn(read, name) && !sent.includes(name) && isMissed(entity, name, asked, reading))
            read[name] = undefined;
      // Sections 4.4 and 4.8 demand some members by name: an answer of these alone leaves others out, and loses none.
      const isWhole = [...compared.keys()].some(
        name => Object.hasOwn(shown, name) && !(row.data.required ?? none).includes(name),
      );
      if (effect?.hasEchoes === true && isWhole)
        for (const [name, field] of entity.fields)
          if (!Object.hasOwn(shown, name) && !sent.includes(name) && compared.has(name) && isEchoed(field, begun))
            read[name] = undefined;
      // Collected apart, because an answer that shows another entity proves nothing of this one.
      const how = { asked, at, pointer, covers: gatherCovers() };
      const beside = new Map();
      const placeOf = (name: string): Place => {
        const isNew = !entity.fields.has(name);
        const field = fieldOf(entity, name);
        if (isNew) openLate(field, tried.byEntity.get(subject) ?? []);
        return { entity, name, field, tried, compared: comparedOf(name), begun, before, beside };
      };
      const rivals = own === undefined ? [] : rivalsOf(own);
      const isReadable = [own, ...rivals].every(write => write?.fields !== undefined);
      const due = own === undefined || !isReadable ? [] : Object.entries(wouldSet(own) ?? {});
      const found = due.flatMap(([name, value]) => {
        const others = rivals.filter(write => writes(write, name));
        // A value of the body that nobody else sends is compared with every answer already.
        const isEcho = others.length === 0 && Object.hasOwn(own?.fields ?? {}, name);
        if (isEcho || !compared.has(name) || !Object.hasOwn(shown, name)) return [];
        const requirement = others.length > 0 ? overlap.values : (effect?.setAs ?? (effect as Effect).stored);
        const bound = requirementById(requirement).endpoints;
        if (bound !== 'all' && !bound.includes(asked.endpoint)) return [];
        // The outcome of a value that should have been refused is open.
        if (others.length > 0 && [own as Write, ...others].some(write => brokenFields(write).has(name))) return [];
        const values = [value, ...others.map(write => wouldSet(write)?.[name] as Json)];
        return fieldJudge.judgeDue(placeOf(name), shown[name], how, values, requirement) ?? [];
      });
      for (const [name, got] of Object.entries(read)) {
        const place = placeOf(name);
        const one = isOpen ? fieldJudge.judgeOpen(place, got, how) : fieldJudge.judge(place, got, how);
        if (one !== undefined) found.push(one);
        else if (isOpen && effect?.answered !== undefined && !isBlank(got)) answerOpen(place, own, got);
      }
      const told = kind.shownAs !== undefined ? found : swapped(found, entity, entities.values(), comparedOf, asked);
      if (told[0]?.kind !== 'swapped')
        for (const [endpoint, all] of how.covers) for (const requirement of all) covers.add(endpoint, requirement);
      return told;
    },
    forget(beforeMs: number): void {
      fieldJudge.forget(beforeMs);
      for (const [key, { lastMs, fields }] of entities) {
        for (const field of fields.values()) {
          keep(field.claims, ({ write }) => !isLost(write, beforeMs));
          keep(field.past, ({ out, write }) => (out as Moment).ms >= beforeMs && !isLost(write, beforeMs));
        }
        if (lastMs < beforeMs) entities.delete(key);
      }
    },
    size: (): number =>
      [...entities.values()]
        .flatMap(({ fields }) => [...fields.values()])
        .flatMap(({ claims, past }) => [...past, ...claims]).length,
  };
}
