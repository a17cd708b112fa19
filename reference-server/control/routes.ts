import { behaviourRoutes } from './behaviour-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { requestRoutes } from './request-routes.ts';
import type { ControlRoute } from './route.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { stateRoutes } from './state-routes.ts';

/** Where the control paths stand, and the version of them. */
export const controlPrefix = '/_reference';
export const controlVersion = 'v1';

/** Every control path. */
export const controlRoutes: readonly ControlRoute[] = [
  ...behaviourRoutes,
  ...sandboxRoutes,
  ...stateRoutes,
  ...requestRoutes,
  ...pageRoutes,
];
