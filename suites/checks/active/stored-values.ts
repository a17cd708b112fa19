import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type JsonObject, membersOf } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { compact } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { Part } from '../../generators/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { saidApart } from '../../judge/words.ts';
import { kinds } from '../../model/resources.ts';
import { type Answer, dataObject, isDryRun, type RequestDescription } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckResult,
  covering,
  type Session,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { watchEntity } from '../../state/control.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { type Reading, readGate, readMetrics, readQualifyingEvent } from '../../state/reading.ts';
import type { Care } from '../scenarios/scenario.ts';
import { type Shown, takeApart } from './taken-apart.ts';

/** The way to read back a written entity: the requirement that judges it, and where an answer shows it. */
interface WayBack extends Pick<Endpoint, 'resource' | 'action'> {
  readonly requirement: RequirementId;
  readonly at: string;
  /** Only a write shows the entity: not everything is worth one. */
  readonly isWrite?: true;
  /** Reads the entity that the answer to a write is about. */
  read(context: CheckContext, session: Session, written: Answer): Promise<Reading>;
}

// biome-ignore format: a table
const waysBack: readonly WayBack[] = [
  {
    resource: 'gate', action: 'patch', requirement: 'state.patch-every-sent', at: '/data',
    read: ({ minimal }, session) => readGate(session, minimal.param ?? ''),
  },
  {
    resource: 'qualifying-event', action: 'update', requirement: 'state.qualifying-event-visible', at: '/data/*',
    read: ({ minimal }, session) => readQualifyingEvent(session, minimal.param ?? ''),
  },
  {
    resource: 'experiment', action: 'update', requirement: 'state.enable-groups-frame', at: '/data', isWrite: true,
    read: (context, session) => entityKinds.experiment.read(context, session, context.minimal.param ?? ''),
  },
  {
    resource: 'metric', action: 'create', requirement: 'state.metric-as-created', at: '/data/*',
    async read({ target }, session, written) {
      const { id } = dataObject(written);
      const { items, answer } = await readMetrics(session, target.fixtures.events?.[0] ?? '');
      return { entity: items.find(item => item.id === id && id !== undefined) ?? null, answer };
    },
  },
];

const wayBackOf = (row: Pick<Endpoint, 'resource' | 'action'>): WayBack | undefined =>
  waysBack.find(one => one.resource === row.resource && one.action === row.action);

/** Returns the requirements that reading back can show at an operation. */
export const storedRequirements = (row: Endpoint): readonly RequirementId[] => compact([wayBackOf(row)?.requirement]);

/** True if what a write stored can be read back without a further write. */
export const isReadFreely = (row: Endpoint): boolean => wayBackOf(row)?.isWrite !== true;

/** Returns the fields of a body that come back as they were sent, without the open parts of them. */
function comparable(row: Endpoint, sent: unknown): JsonObject {
  const { leaveOut, within } = kinds[row.resource];
  const fields = Object.entries(membersOf(sent)).filter(([name]) => !leaveOut.includes(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, within?.[name]?.(value) ?? value])) as JsonObject;
}

/** Returns the member, of an entity at `at`, in which a place of the answer lies. */
const fieldAt = (pointer: string, at: string): string => steps(pointer)[steps(at).length] ?? '';

/** A write, and how to repeat it. */
export interface Written {
  readonly parts: readonly Part[];
  /** The answer to the last request, if it carried exactly these parts. */
  readonly first?: Answer | undefined;
  send(parts: readonly Part[]): Promise<Shown>;
  about(parts: readonly Part[]): RequestDescription;
}

/** Maximum number of requests that look for the wrongly stored part of a write. */
const mostTraced = 1;

/** Reads back what a write stored and compares it with what was sent; covers nothing if it cannot be read back. */
export async function readBack(
  context: CheckContext,
  session: Session,
  care: Care,
  written: Written,
): Promise<CheckResult> {
  const { row } = context;
  const way = wayBackOf(row);
  if (way === undefined || written.parts.length === 0) return covering([], []);
  const { requirement } = way;

  let last: Answer | undefined;

  /** Writes some parts, unless already written, and returns which of them read differently afterwards. */
  async function sendAndRead(
    parts: readonly Part[],
    known?: Answer,
  ): Promise<Shown & { readonly read: Reading | null }> {
    const answer = known ?? (await written.send(parts)).answer;
    // A dry run has stored nothing.
    if (!answer.success || way === undefined || isDryRun(answer)) return { answer, wrong: [], read: null };
    last = answer;
    const wrongOf = ({ entity, answer: shown }: Reading): readonly Violation[] =>
      storedMismatches(comparable(row, answer.sent), entity ?? {}, row, way.at).map(({ pointer, sent, got }) =>
        violation(shown, requirement, pointer, ...saidApart(sent, got, ', when it is read afterwards')),
      );
    const placesOf = (after: Reading): string =>
      wrongOf(after)
        .map(({ pointer }) => pointer)
        .join();
    const isRight = (after: Reading): boolean => after.entity !== null && wrongOf(after).length === 0;
    const read = await care.eventually(() => way.read(context, session, answer), isRight, placesOf);
    return { answer, wrong: read.entity === null ? [] : wrongOf(read), read };
  }

  const result = await care.attribute(session, {
    async attempt(round) {
      const { answer, wrong, read } = await sendAndRead(written.parts, round === 0 ? written.first : undefined);
      if (!answer.success) return { because: 'it was refused when it was sent again', answer };
      if (read === null || read.entity === null) return { because: 'it could not be read back' };
      return {
        suspicions: wrong.map(one => ({ key: fieldAt(one.pointer, way.at), violation: one })),
        covers: [requirement],
      };
    },
    watch: async readings =>
      last === undefined ? [] : watchEntity(row, () => way.read(context, session, last as Answer), readings),
    // Each try sends everything again.
    putBack: async () => true,
  });
  if (result.violations.length === 0) return result;
  const { culprits } = await takeApart(written.parts, parts => sendAndRead(parts), mostTraced);
  const traced = result.violations.map(one => {
    const found = culprits.find(({ violation: seen }) => seen?.pointer === one.pointer);
    const about = written.about(found?.parts ?? written.parts);
    const { answer } = found?.violation ?? one;
    return { ...one, ...found?.violation, answer: { ...answer, request: { ...answer.request, about } } };
  });
  return covering(traced, []);
}
