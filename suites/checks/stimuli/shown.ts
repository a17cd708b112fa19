import { type Endpoint, isOperation, type Resource } from '../../../contracts/endpoint.ts';
import { minimalApiRequest } from '../../protocol/check.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';
import { prepare } from '../active/controls.ts';
import { changeOfAll } from '../scenarios/changes.ts';
import { listed } from './lineage.ts';
import { look, own, type Step, write } from './stimulus.ts';

/** How each kind of entity is read back after a write. */
const showing: Partial<Record<Resource, Step>> = {
  gate: look(entityKinds.gate),
  'qualifying-event': look(entityKinds['qualifying-event']),
  experiment: look(entityKinds.experiment),
  config: look(entityKinds.config),
  metric: scene => listed(fixtureNames(scene.context.target, 'events')[0] ?? '')(scene),
};

/** Returns the step that reads the entity an operation writes to; undefined if nothing shows the effect. */
export const shownBy = (row: Pick<Endpoint, 'resource' | 'action' | 'effect'>): Step | undefined =>
  row.effect === 'read' || isOperation(row, 'experiment', 'enable') ? undefined : showing[row.resource];

/** An update with every field, so that each has a known value even if an update replaces the whole entity. */
const whole: Step = write({
  ...own(({ context, seen }) => ({
    ...changeOfAll(context, seen.get(context.minimal.param ?? '') ?? {}, Object.keys(context.minimal.body ?? {})),
    ...context.minimal.body,
  })),
  what: 'the update',
  less: ({ context }) => minimalApiRequest(context),
});

/**
 * Brings the endpoint's entity into a state that a request would change, and reads it. The requests after it must not
 * change it.
 */
export function shownBefore(row: Parameters<typeof shownBy>[0]): readonly Step[] {
  const shown = shownBy(row);
  if (shown === undefined) return [];
  const prepared: Step = async ({ context, session }) => void (await prepare(context, session));
  return row.action === 'update' ? [whole, shown] : [prepared, shown];
}
