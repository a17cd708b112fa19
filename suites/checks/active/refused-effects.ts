import { type Endpoint, isOperation } from '../../../contracts/endpoint.ts';
import type { Json, JsonObject, Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { asItWas, said } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  type Session,
  violation,
} from '../../protocol/check.ts';
import { createAttribution } from '../../state/attribution.ts';
import { watchEntity } from '../../state/control.ts';
import { areComparable, differencesOf, volatile } from '../../state/difference.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import { createEventually, type Eventually } from '../../state/eventually.ts';
import { type Reading, readMetrics, readSettledGate } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { changeOfAll } from '../scenarios/changes.ts';
import { prepare } from './prepare.ts';

/** An operation whose effect can be read back, whole. */
interface Readable extends Pick<Endpoint, 'resource' | 'action'> {
  /** Plain fields of each kind, of which a request that is refused carries changes. */
  readonly fields: readonly string[];
  /** Where the entity stands in the answer that shows it. */
  readonly at: string;
  /** Members that may differ without a write; the stamps when absent. */
  readonly leaveOut?: readonly string[];
  /** Requests carry a change of every field that can be changed, too: all that is sent can be put back. */
  readonly changesAll?: true;
  /** Reads the whole of it; of a collection, the first entity with one of these marks for a name. */
  read(context: CheckContext, session: Session, marks: ReadonlySet<unknown>): Promise<Reading>;
  /** Absent: what was created stays. */
  putBack?(context: CheckContext, session: Session, before: Members, eventually: Eventually): Promise<boolean>;
}

/** An entity of a kind that can be read back, of which the operation names one. */
const named = ({ at = '/data', read, putBack }: EntityKind) =>
  ({
    at,
    changesAll: true,
    read: (context, session) => read(context, session, context.minimal.param ?? ''),
    putBack: async ({ minimal }, session, before, eventually) =>
      (await putBack?.(session, minimal.param ?? '', before, eventually)) ?? false,
  }) as const satisfies Partial<Readable>;

const gate = { resource: 'gate', ...named(entityKinds.gate) } as const;

/** A config, which nothing can put back: what it lost is told as it was seen. */
const config = {
  resource: 'config',
  at: '/data/*',
  fields: [],
  async read(context, session) {
    const { row, target, minimal } = context;
    const reading = await entityKinds.config.read(context, session, minimal.param ?? '');
    // The one config that there is was disabled a moment ago, and a list may be behind.
    const isDisabled = row.action === 'archive' && fixtureNames(target, 'dynamicConfigs').length < 2;
    return isDisabled ? { ...reading, entity: null } : reading;
  },
} as const satisfies Partial<Readable>;

const readable: readonly Readable[] = [
  { ...gate, action: 'patch', fields: ['description', 'tags', 'isEnabled', 'type', 'measureMetricLifts'] },
  { ...gate, action: 'disable', fields: [] },
  {
    resource: 'qualifying-event',
    action: 'update',
    fields: ['description', 'tags', 'timestampAsDay'],
    ...named(entityKinds['qualifying-event']),
  },
  { ...config, action: 'disable' },
  { ...config, action: 'archive' },
  {
    resource: 'experiment',
    action: 'update',
    at: '/data',
    fields: ['description', 'hypothesis', 'tags', 'sequentialTesting'],
    leaveOut: entityKinds.experiment.leaveOut,
    read: (context, session) => entityKinds.experiment.read(context, session, context.minimal.param ?? ''),
    // No operation says what it was: the update that is sent each time brings it to a state of its own.
    putBack: async (context, session) => (await session.send(minimalApiRequest(context))).success,
  },
  {
    resource: 'metric',
    action: 'create',
    at: '/data/*',
    fields: ['name'],
    async read({ target }, session, marks) {
      const { items, answer } = await readMetrics(session, target.fixtures.events?.[0] ?? '');
      return { entity: { name: items.find(({ name }) => marks.has(name))?.name ?? null }, answer };
    },
  },
];

const readableOf = (row: Pick<Endpoint, 'resource' | 'action'>): Readable | undefined =>
  readable.find(one => isOperation(one, row.resource, row.action));

/** True of an operation whose effect, or that it had none, can be read back. */
export const isReadBack = (row: Pick<Endpoint, 'resource' | 'action'>): boolean => readableOf(row) !== undefined;

/** What the requests of a check, all of which are to be refused, would change, and whether they have. */
export interface RefusedEffects {
  /** Reads the entity before the first of them, once. */
  begin(session: Session): Promise<void>;
  /**
   * A body that carries a change of several plain fields of every kind, with a mark that tells it from the others, and
   * `own`, the field that the request is about, as it is.
   */
  changed(title: string, body: JsonObject | undefined, own?: string): JsonObject | undefined;
  /** Notes what was answered to the request of a title, and whether that accepts it: what comes of it is no effect. */
  note(title: string, answer: Answer, isAccepted?: boolean): void;
  /** The mark of the last request of a title. */
  markOf(title: string): string | undefined;
  /** Brings the entity back into the state in which a request would change it, after one that was accepted. */
  restored(session: Session): Promise<void>;
  /**
   * Compares the whole entity with what it was before. `sendAll` sends the requests again, but for those of the titles
   * that were accepted; it is asked for once more where one of them is accepted only then, whose effect is no trace of
   * the others.
   */
  judge(
    session: Session,
    requirement: RequirementId,
    sendAll: (accepted: ReadonlySet<string>) => Promise<unknown>,
  ): Promise<CheckResult>;
}

/** So often the requests are sent at most until none of them is accepted that was not before. */
const mostSendings = 3;

/** Watches the effects of the requests of a check that must have none; undefined where nothing can be read back. */
export function createRefusedEffects(context: CheckContext, name: string): RefusedEffects | undefined {
  const { row, token, endpoint, minimal, discovered, target, settleMs } = context;
  const subject = readableOf(row);
  if (subject === undefined) return undefined;
  const { leaveOut = volatile } = subject;
  const eventually = createEventually(settleMs);
  const attribute = createAttribution(settleMs);
  const titles = new Map<string, string>();
  const refused = new Set<string>();
  const accepted = new Set<string>();
  let before: Reading | undefined;
  const marks = (): ReadonlySet<unknown> => new Set(titles.keys());
  const read = (session: Session): Promise<Reading> => subject.read(context, session, marks());
  const mayWrite = (field: string): boolean =>
    discovered.writable?.field(endpoint, minimal.param, field) === undefined && target.withheld?.(field) === undefined;

  /** Another value than the one that stands there, with the mark where it can hold one. */
  function other(field: string, mark: string): Json | undefined {
    const schema = row.body?.properties?.[field];
    const now = before?.entity?.[field];
    if (schema?.type === 'boolean') return typeof now === 'boolean' ? !now : undefined;
    if (schema?.enum !== undefined) return now === undefined ? undefined : schema.enum.find(member => member !== now);
    return schema?.type === 'array' ? [mark] : mark;
  }

  async function readBefore(session: Session): Promise<Reading> {
    await prepare(context, session);
    if (subject?.resource !== 'gate') return read(session);
    return readSettledGate(session, minimal.param ?? '', eventually);
  }

  return {
    async begin(session) {
      before ??= await readBefore(session);
    },
    changed(title, body, own) {
      const mark = `conform_${token}_${name}_${titles.size}`;
      titles.set(mark, title);
      if (row.body === null) return body;
      const changes = subject.fields
        .map(field => [field, other(field, mark)] as const)
        .filter((change): change is readonly [string, Json] => change[1] !== undefined);
      const except = Object.keys(body ?? {});
      const ofAll = subject.changesAll === true ? changeOfAll(context, before?.entity ?? {}, except) : {};
      const change = [...Object.entries(ofAll), ...changes];
      const mayStand = change.filter(([field]) => field !== own && mayWrite(field));
      return { ...body, ...Object.fromEntries(mayStand) };
    },
    note(title, answer, isAccepted = answer.success) {
      (isAccepted ? accepted : refused).add(title);
    },
    markOf: title => [...titles].findLast(([, one]) => one === title)?.[0],
    restored: session => prepare(context, session),
    async judge(session, requirement, sendAll) {
      const isSent = refused.size > 0 && accepted.size === 0;
      const isAllAccepted = (): boolean => accepted.size > 0 && [...refused].every(title => accepted.has(title));
      /** Sends what is refused, and nothing else, between two readings; null where each time more was accepted. */
      async function sendRefused(): Promise<true | null> {
        for (let time = 0; time < mostSendings; time += 1) {
          const known = accepted.size;
          before = await readBefore(session);
          await sendAll(accepted);
          if (accepted.size === known) return true;
        }
        return null;
      }
      return attribute(session, {
        async attempt(round) {
          if ((round > 0 || !isSent) && (await sendRefused()) === null)
            return { because: 'each time others of the requests were accepted' };
          if (isAllAccepted()) return { because: 'all of the requests were accepted' };
          const was = before?.entity ?? null;
          const after = await read(session);
          if (was === null || after.entity === null)
            return { because: 'the entity could not be read', answer: after.answer };
          return {
            covers: areComparable(row, was, after.entity, leaveOut) ? [requirement] : [],
            suspicions: differencesOf(row, was, after.entity, leaveOut).map(({ field, before: old, after: now }) => {
              const mark = [...titles.keys()].find(one => (JSON.stringify(now) ?? '').includes(`"${one}"`));
              const title = mark === undefined ? 'all of the requests' : `the request ${titles.get(mark)}`;
              return {
                key: field,
                certain: mark !== undefined,
                violation: violation(
                  after.answer,
                  requirement,
                  `${subject.at}/${field}`,
                  asItWas(field, old, `, for ${title} ${mark === undefined ? 'were' : 'was'} refused`, 'trace'),
                  said(now),
                ),
              };
            }),
          };
        },
        watch: readings => watchEntity(row, () => read(session), readings),
        ...(subject.putBack === undefined
          ? {}
          : {
              putBack: async () =>
                before?.entity != null &&
                (await subject.putBack?.(context, session, before.entity, eventually)) === true,
            }),
      });
    },
  };
}
