import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import { compact } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { unlikeGroups } from '../../generators/index.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { experimentsBeside } from '../scenarios/beside.ts';
import { changeOfAll } from '../scenarios/changes.ts';
import { liveness, type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { namesakeLeftAlone, namesakeOf } from './namesake.ts';
import { contextFor } from './sequence-subjects.ts';
import { look, own, type Scene, type Step, stimulus, write } from './stimulus.ts';

/** Returns the endpoint's update with texts that no other experiment has. */
function marked({ context: { minimal, token } }: Scene): JsonObject {
  const texts = ['description', 'hypothesis'].filter(name => typeof minimal.body?.[name] === 'string');
  return { ...minimal.body, ...Object.fromEntries(texts.map(name => [name, `conform ${token} alone ${name}`])) };
}

/** Returns every separately changeable field, at a value that it does not have in `before`. */
const everyField = (context: CheckContext, before: Members): JsonObject =>
  isOperation(context.row, 'experiment', 'update') ? changeOfAll(context, before) : {};

/** Sets every field to the others' value, so that the write after it changes all of them, also when repeated. */
const likeOthers = (scene: Scene): JsonObject => ({ ...everyField(scene.context, {}), ...marked(scene) });

/** Sets every field to a value that the others do not have, so that a write that reaches them is seen. */
const unlikeOthers = (scene: Scene): JsonObject => ({
  ...everyField(scene.context, everyField(scene.context, {})),
  ...marked(scene),
});

const about: readonly RequirementId[] = ['state.neighbours'];

/** Returns settings that every service takes and that no other experiment has. */
const settings = ({ context: { token } }: Scene): JsonObject => ({
  hypothesis: `conform ${token} beside`,
  tags: ['conform'],
  duration: 21,
});

/** Returns an experiment's groups, each with details and a size of its own: the third is none of the first two. */
function groupsUnlike({ minimal, row, target }: CheckContext): JsonObject {
  const { groups } = minimal.body ?? {};
  const schema = row.body?.properties?.groups;
  if (schema === undefined || !Array.isArray(groups)) return {};
  return { groups: unlikeGroups(schema, { capabilities: target, root: minimal.body ?? {} }, groups) };
}

/**
 * Gives an experiment something to lose, as far as the target file and the service allow; a reading then shows what was
 * stored. It keeps the groups that the target file gives it.
 */
const prepared =
  (param: string): Step =>
  async scene => {
    const its = contextFor(scene.context, 'update-experiment', param);
    if (its === undefined) return;
    const update = (fields: JsonObject) =>
      scene.session.send(minimalApiRequest(its, { ...its.minimal.body, ...fields, ...settings(scene) }));
    const every = everyField(its, {});
    for (const fields of [{ ...every, ...groupsUnlike(its) }, every, {}]) if ((await update(fields)).success) return;
  };

/**
 * Sections 4.4 and 4.8: a write to one experiment leaves the others alone. It takes two experiments, and the others
 * cannot be restored. A SHOULD, because a target file with one experiment is complete: untested, the check keeps no
 * endpoint from conforming.
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
    const { experiments = [] } = context.target.fixtures;
    if (others.length === 0)
      return experiments.length < 2
        ? {
            because: 'the target file names one experiment, and this takes two',
            remedy: 'fixtures.experiments: [{ "id": "an_experiment", … }, { "id": "another", … }]',
          }
        : {
            because: 'this takes another experiment that is not disposable, and the target file names none',
            remedy: 'under fixtures.experiments one more that is not under disposable.experiments',
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
    const namesake = isOperation(context.row, 'experiment', 'enable') ? namesakeOf(context) : undefined;
    const named = namesake && { title: 'a group of the same name elsewhere', run: namesakeLeftAlone(namesake) };
    return planOf(context, ...compact([{ title: 'a write, and other experiments', run: writing }, named]));
  },
};
