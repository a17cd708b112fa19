import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import type { Untried } from '../../state/attribution.ts';
import { writableMembers } from '../../state/control.ts';
import { mostTogether } from '../../state/crowd.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';
import { prepare } from '../active/prepare.ts';
import { changeOfAll, nextMark } from '../scenarios/changes.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';
import { look, own, patchOf, type Scene, type Step, stimulus, write } from './stimulus.ts';
import { together } from './together.ts';

const about: readonly RequirementId[] = ['state.neighbours'];

/** So many writes are sent in a row: what goes wrong now and then does so after one of them. */
const writesInARow = 3;

/**
 * The others have something to lose, and show it, one after another: one that is disabled and bare would show nothing of
 * being wiped.
 */
const prepared =
  (others: readonly string[]): Step =>
  async scene => {
    const { context, session } = scene;
    let last: Untried | undefined;
    let shown = 0;
    const rich = { isEnabled: true, tags: ['conform'], description: `conform ${context.token} neighbour` };
    for (const gate of others) {
      const send = (body: JsonObject) => unlessGivenUp(session.send(patchOf(gate, body)), null);
      if ((await send(writableMembers(rich, context, gate)))?.success !== true) await send({ isEnabled: true });
      last = await look(entityKinds.gate, () => [gate])(scene);
      if (last === undefined) shown += 1;
    }
    return shown === 0 ? last : undefined;
  };

/** A change of the gate of the endpoint, with texts that nobody else writes; `more` is what it carries beside these. */
const marked =
  (number: number, more: (scene: Scene) => JsonObject = () => ({})) =>
  (scene: Scene): JsonObject | undefined => {
    const { context } = scene;
    const { row, token, minimal } = context;
    const mark = `conform-${token}-neighbours-${number}`;
    // A list that is longer than it was may run over into that of another.
    const texts = { description: mark, tags: [mark, `${mark}-more`] };
    const body = writableMembers({ ...more(scene), ...texts }, context, minimal.param ?? '');
    return row.body === null || Object.keys(body).length === 0 ? undefined : body;
  };

/** Every field at a value that another gate does not have: whichever of them reaches it is seen. */
const unlike =
  (other: string) =>
  ({ context, seen }: Scene): JsonObject =>
    changeOfAll(context, seen.get(other) ?? {});

/** Every field at another value than these, which the next write changes again. */
const otherThan =
  (fields: (scene: Scene) => JsonObject) =>
  (scene: Scene): JsonObject =>
    changeOfAll(scene.context, fields(scene));

/**
 * Writes to the gate of the endpoint, the last times to all fields that its body has, and has others shown, before and
 * after: the first of them in the first turn, and further ones later.
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
      // What a target refuses of some field says nothing of the texts.
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

/** A gate whose id another one begins with, and that other one; undefined where there are no two such gates. */
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

/** Of writes at once to several gates each is stored in its own: patches, or disables between patches. */
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

/** Section 4: a write to one entity leaves the others alone, and of writes at once none is lost or mixed up. */
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
    // The one that stands after it is the first that a write could reach by mistake.
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
    return planOf([
      { title: 'writes to another gate', run: writeBeside(context, others.slice(0, 1), 0) },
      { title: 'further writes, and all other gates', run: writeBeside(context, others, 1) },
      ...(alike === undefined
        ? []
        : [{ title: 'disabling a gate whose id another one begins with', run: disableAlike(alike) }]),
      { title: `${several.length} writes at once, each to a gate of its own`, run: writeAtOnce(several) },
    ])(context);
  },
};
