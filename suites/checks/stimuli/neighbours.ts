import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { answerOrNull } from '../../protocol/stop.ts';
import type { Untried } from '../../state/attribution.ts';
import { mostTogether } from '../../state/crowd.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';
import { prepare } from '../active/controls.ts';
import { changeOfAll, nextMark } from '../scenarios/changes.ts';
import { writableMembers } from '../scenarios/parts.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';
import { look, own, patchOf, type Scene, type Step, stimulus, together, write } from './stimulus.ts';

const about: readonly RequirementId[] = ['state.neighbours'];

/** Number of writes in a row, so that an occasional fault is caught. */
const writesInARow = 3;

/**
 * Gives the other gates something to lose, and reads them one after another: the wiping of a bare disabled gate would
 * go unnoticed.
 */
const prepared =
  (others: readonly string[]): Step =>
  async scene => {
    const { context, session } = scene;
    let last: Untried | undefined;
    let shown = 0;
    const rich = { isEnabled: true, tags: ['conform'], description: `conform ${context.token} neighbour` };
    for (const gate of others) {
      const send = (body: JsonObject) => answerOrNull(session, patchOf(gate, body));
      if ((await send(writableMembers(rich, context, gate)))?.success !== true) await send({ isEnabled: true });
      last = await look(entityKinds.gate, () => [gate])(scene);
      if (last === undefined) shown += 1;
    }
    return shown === 0 ? last : undefined;
  };

/** Returns a change of the endpoint's gate with texts that nobody else writes, and the fields of `more`. */
const marked =
  (number: number, more: (scene: Scene) => JsonObject = () => ({})) =>
  (scene: Scene): JsonObject | undefined => {
    const { context } = scene;
    const { row, token, minimal } = context;
    const mark = `conform-${token}-neighbours-${number}`;
    // A list that grows may overflow into another entity's.
    const texts = { description: mark, tags: [mark, `${mark}-more`] };
    const body = writableMembers({ ...more(scene), ...texts }, context, minimal.param ?? '');
    return row.body === null || Object.keys(body).length === 0 ? undefined : body;
  };

/** Sets every field to a value that `other` does not have, so that a write that reaches it is seen. */
const unlike =
  (other: string) =>
  ({ context, seen }: Scene): JsonObject =>
    changeOfAll(context, seen.get(other) ?? {});

/** Sets every field to another value than these, so that the next write changes it again. */
const otherThan =
  (fields: (scene: Scene) => JsonObject) =>
  (scene: Scene): JsonObject =>
    changeOfAll(scene.context, fields(scene));

/**
 * Writes to the endpoint's gate, the last times to all fields of its body, and reads other gates before and after. The
 * values differ from those of one other gate, a different one each turn.
 */
function writeBeside({ row }: CheckContext, others: readonly string[], turn: number): Scenario {
  const last = unlike(others[Math.min(turn, others.length - 1)] ?? '');
  const fields = [undefined, otherThan(last), last];
  const writing = Array.from({ length: writesInARow }, (_, index): readonly Step[] => {
    const number = turn * writesInARow + index;
    const texts = own(marked(number));
    const more = row.body === null ? undefined : fields[index];
    return [
      async ({ context, session }) => void (await prepare(context, session)),
      // A refusal of other fields says nothing of the texts, so send those alone.
      write(more === undefined ? texts : { ...own(marked(number, more)), less: texts.request }),
    ];
  });
  return stimulus(
    about,
    prepared(others),
    ...writing.flat(),
    look(entityKinds.gate, () => others),
  );
}

/** Returns two gates of which one id begins with the other; undefined if there are none. */
function alikeOf(gates: readonly string[]): { readonly start: string; readonly longer: string } | undefined {
  for (const start of gates) {
    const longer = gates.find(one => one !== start && one.startsWith(start));
    if (longer !== undefined) return { start, longer };
  }
  return undefined;
}

/** Disables the gate whose id another one begins with: a careless lookup would find both. */
const disableAlike = ({ start, longer }: NonNullable<ReturnType<typeof alikeOf>>): Scenario =>
  stimulus(
    about,
    prepared([longer]),
    write({ what: 'enabling the gate first', request: () => patchOf(start, { isEnabled: true }) }),
    write({ what: 'disabling', request: ({ context: { endpoint } }) => ({ endpoint, param: start }) }),
    look(entityKinds.gate, () => [longer]),
  );

/** Writes to several gates concurrently: patches, or disables between patches. Each must be stored in its own gate. */
function writeAtOnce(gates: readonly string[]): Scenario {
  const writing = together(({ context, session }) => {
    const { endpoint, row } = context;
    const description = (): string => `${nextMark(context, session)} at once`;
    const patches = gates
      .map(gate => patchOf(gate, writableMembers({ description: description() }, context, gate)))
      .filter(({ body }) => Object.keys(body).length > 0);
    return patches.map((patch, index) =>
      row.body === null && index % 2 === 1 ? { endpoint, param: patch.param } : patch,
    );
  }, 'no two of the gates show their description');
  return stimulus(
    ['state.concurrent-answers'],
    writing,
    look(entityKinds.gate, () => gates),
  );
}

/** Section 4: a write to one entity leaves the others alone, and concurrent writes are neither lost nor mixed up. */
export const neighbours: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'neighbours',
  level: 'MUST',
  title:
    'A write to one entity leaves the others alone, and writes at once to several gates are neither lost nor mixed up',
  detects:
    'A write without its condition, a request context shared between requests, an update lost between reading and writing.',
  requirements: () => ['state.neighbours', 'state.concurrent-answers', ...liveness],
  appliesTo: row => row.resource === 'gate' && row.effect === 'restorable',
  plan(context) {
    const gates = fixtureNames(context.target, 'gates');
    // The gate listed after it is the first that a stray write could reach.
    const at = gates.indexOf(context.minimal.param ?? '');
    const others = [...gates.slice(at + 1), ...gates.slice(0, Math.max(at, 0))].slice(0, mostTogether);
    if (others.length === 0) {
      return {
        because: 'the target file names one gate, and this takes two',
        remedy: 'fixtures.gates: ["a_gate", "another_gate"]',
      };
    }
    const several = gates.slice(0, mostTogether);
    const alike = context.row.body === null ? alikeOf(gates) : undefined;
    return planOf(
      context,
      { title: 'writes to another gate', run: writeBeside(context, others.slice(0, 1), 0) },
      { title: 'further writes, and all other gates', run: writeBeside(context, others, 1) },
      ...(alike === undefined
        ? []
        : [{ title: 'disabling a gate whose id another one begins with', run: disableAlike(alike) }]),
      { title: `${several.length} writes at once, each to a gate of its own`, run: writeAtOnce(several) },
    );
  },
};
