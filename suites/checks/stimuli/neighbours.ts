import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import type { Untried } from '../../state/attribution.ts';
import { writableMembers } from '../../state/control.ts';
import { mostTogether } from '../../state/crowd.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';
import { prepare } from '../active/prepare.ts';
import { nextMark } from '../scenarios/changes.ts';
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

/** A change of the gate of the endpoint, with texts that nobody else writes. */
const marked =
  (number: number) =>
  ({ context }: Scene): JsonObject | undefined => {
    const { row, token, minimal } = context;
    const mark = `conform-${token}-neighbours-${number}`;
    const body = writableMembers({ description: mark, tags: [mark] }, context, minimal.param ?? '');
    return row.body === null || Object.keys(body).length === 0 ? undefined : body;
  };

/** Writes to the gate of the endpoint, and has others shown, before and after. */
function writeBeside(others: readonly string[], turn: number): Scenario {
  const writing = Array.from({ length: writesInARow }, (_, number): readonly Step[] => [
    async ({ context, session }) => void (await prepare(context, session)),
    write(own(marked(turn * writesInARow + number))),
  ]);
  return stimulus(
    about,
    prepared(others),
    ...writing.flat(),
    look(entityKinds.gate, () => others),
  );
}

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
    const others = gates.filter(gate => gate !== context.minimal.param).slice(0, mostTogether);
    if (others.length === 0) {
      return {
        because: 'the target file names one gate, and this takes two',
        remedy: 'fixtures.gates: ["a_gate", "another_gate"]',
      };
    }
    const several = gates.slice(0, mostTogether);
    return planOf([
      { title: 'writes to another gate', run: writeBeside(others.slice(0, 1), 0) },
      { title: 'further writes, and all other gates', run: writeBeside(others, 1) },
      { title: `${several.length} writes at once, each to a gate of its own`, run: writeAtOnce(several) },
    ])(context);
  },
};
