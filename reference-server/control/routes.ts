import { record } from '../../contracts/object.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { text } from '../../contracts/scalars.ts';
import { ControlError } from '../tool/refusal.ts';
import { behaviourRoutes } from './behaviour-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { type ControlRoute, route } from './route.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { stateRoutes } from './state-routes.ts';

/** Routes for the page alone: the text of a requirement that a refusal cites, and the seed. */
const pageRoutes: readonly ControlRoute[] = [
  route('readRequirement', 'GET /requirements/{requirement}', 'What a requirement says, on which a refusal rests.', {
    answer: record({ id: text, section: text, level: { enum: ['MUST', 'SHOULD', 'OPEN'] }, statement: text }),
    run: ({ param }) => {
      const requirement = param('requirement');
      if (!isRequirementId(requirement)) throw new ControlError(404, 'There is no such requirement.');
      const { id, section, level, statement } = requirementById(requirement);
      return { id, section, level, statement };
    },
  }),
  route('readSeed', 'GET /seed', 'What the world held at first, and holds after a reset.', {
    answer: { type: 'object', description: 'Per collection the pairs of id and entity, in order.' },
    run: ({ world }) => world.seed(),
  }),
];

/** The prefix of the control paths, and their version. */
export const controlPrefix = '/_reference';
export const controlVersion = 'v1';

/** All control paths. */
export const controlRoutes: readonly ControlRoute[] = [
  ...behaviourRoutes,
  ...sandboxRoutes,
  ...stateRoutes,
  ...requestRoutes,
  ...pageRoutes,
];
