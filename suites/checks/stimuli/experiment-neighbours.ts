import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { experimentsBeside } from '../scenarios/beside.ts';
import { changeOfAll } from '../scenarios/changes.ts';
import { liveness, type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { look, own, type Scene, type Step, stimulus, write } from './stimulus.ts';

/** The update of the endpoint, with texts that no other experiment has. */
function marked({ context: { minimal, token } }: Scene): JsonObject {
  const texts = ['description', 'hypothesis'].filter(name => typeof minimal.body?.[name] === 'string');
  return { ...minimal.body, ...Object.fromEntries(texts.map(name => [name, `conform ${token} alone ${name}`])) };
}

/** Every field that an update can change by itself, at a value that it does not have in `before`. */
const everyField = (context: CheckContext, before: Members): JsonObject =>
  isOperation(context.row, 'experiment', 'update') ? changeOfAll(context, before) : {};

/** Every field as the others have it: what is sent after it changes all of them, each time that it is sent. */
const likeOthers = (scene: Scene): JsonObject => ({ ...everyField(scene.context, {}), ...marked(scene) });

/** Every field at a value that the others do not have: whichever of them reaches one of these is seen. */
const unlikeOthers = (scene: Scene): JsonObject => ({
  ...everyField(scene.context, everyField(scene.context, {})),
  ...marked(scene),
});

const about: readonly RequirementId[] = ['state.neighbours'];

/** An experiment is updated, with these fields beside those that the target file gives it. */
async function update({ context: { target, discovered }, session }: Scene, param: string, fields: JsonObject) {
  const minimal = minimalRequest(target, discovered, 'update-experiment', param);
  if (isBlockedRequest(minimal)) return true;
  const { success } = await session.send({
    endpoint: 'update-experiment',
    param,
    body: { ...minimal.body, ...fields },
  });
  return success;
}

/** Some settings of an experiment that every service takes, and that no other one has. */
const settings = ({ context: { token } }: Scene): JsonObject => ({
  hypothesis: `conform ${token} beside`,
  tags: ['conform'],
  duration: 21,
});

/** An experiment has something to lose, as far as the target file says what it may be; whether it took it is seen next. */
const prepared =
  (param: string): Step =>
  async scene => {
    const all = { ...everyField(scene.context, {}), ...settings(scene) };
    if (!(await update(scene, param, all))) await update(scene, param, settings(scene));
  };

/**
 * Sections 4.4 and 4.8: a write to one experiment leaves the others alone. It takes two, and what is written beside the
 * one cannot be put back, so that a target file with one experiment misses nothing that it must have: untested, the
 * check keeps no endpoint from conforming.
 */
export const experimentNeighbours: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'experiment-neighbours',
  level: 'SHOULD',
  title: 'A write to one experiment leaves the others alone',
  detects:
    'An update without its condition, a group that is looked up in every experiment, an id that is known by its beginning.',
  requirements: () => [...about, ...liveness],
  appliesTo: row => row.resource === 'experiment',
  plan(context) {
    const others = experimentsBeside(context).slice(0, context.amounts.walks - 1);
    if (others.length === 0)
      return {
        because: 'the target file names one experiment, and this takes two',
        remedy: 'fixtures.experiments: [{ "id": "an_experiment", … }, { "id": "another", … }]',
      };
    const shown = (...ids: readonly string[]): Step => look(entityKinds.experiment, () => ids);
    const before = others.flatMap(id => [prepared(id), shown(id)]);
    const writes = isOperation(context.row, 'experiment', 'update') ? [likeOthers, unlikeOthers] : [marked];
    const writing = stimulus(
      about,
      ...before,
      ...writes.map(body => write({ ...own(body), less: own(marked).request })),
      shown(...others),
    );
    return planOf([{ title: 'a write, and other experiments', run: writing }])(context);
  },
};
