import type { Endpoint } from '../../../contracts/endpoint.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { same, steps as stepsOf } from '../../../contracts/pointer.ts';
import { type AcceptCase, type ListStep, listSteps, wideBodies } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type ActiveCheck, covering, minimalApiRequest } from '../../protocol/check.ts';
import { untried } from '../../state/attribution.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { schemaOf, templateOf } from '../active/body.ts';
import { isLost } from '../active/dry-run.ts';
import { storedRequirements } from '../active/stored-values.ts';
import { echo } from '../passive/echo.ts';
import { createParts } from '../scenarios/parts.ts';
import { liveness, type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { look, type Scene, type Step, takeSteps } from './stimulus.ts';

const about = (row: Endpoint, endpoint: Parameters<typeof echo.requirements>[1]) => [
  ...echo.requirements(row, endpoint),
  ...storedRequirements(row),
];

/** Returns the steps that read what was written. Only a write shows an experiment, so it is read after the last form. */
const shownBy = ({ resource }: Endpoint, isLast: boolean): readonly Step[] =>
  resource === 'gate' || resource === 'qualifying-event' || (resource === 'experiment' && isLast)
    ? [look(entityKinds[resource])]
    : [];

/** Returns the lists of a step, by field name. */
const listed = (cases: readonly AcceptCase[]): readonly (readonly [string, Json])[] =>
  cases.map(({ pointer, value }) => [stepsOf(pointer)[0] ?? '', value]);

/** Sections 4.3, 4.4 and 4.6: a sent list replaces the stored one, whatever that was. */
export const lists: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'lists',
  level: 'SHOULD',
  title:
    'A list that is sent reordered, shortened, with one item changed, an item twice or two alike is stored as it was sent',
  detects:
    'A list that is compared as a set before it is written, that is only added to, of which the end stays, of which the last item is not looked at, or in which items that share a member become one.',
  requirements: (row, endpoint) => [...about(row, endpoint), ...liveness],
  appliesTo: ({ body, action, resource }) =>
    body !== null && (action === 'patch' || action === 'update') && resource !== 'environment',
  plan(context) {
    const { row, endpoint, target } = context;
    const template = templateOf(context);
    const [wide] = wideBodies(schemaOf(context), template, target, field => isLost(field, context));
    const steps = wide === undefined ? [] : listSteps(wide);
    if (steps.length === 0) return { because: 'no list of several items can be sent' };
    /** The last accepted body, from which the next step starts. */
    let last: JsonObject | undefined;
    const sent =
      (body: JsonObject, onRefused: () => void): Step =>
      async ({ session, covers }) => {
        if (last !== undefined && same(last, body)) return undefined;
        const answer = await session.send(minimalApiRequest(context, body));
        last = answer.success ? body : undefined;
        if (isClientError(answer)) onRefused();
        if (!answer.success) return { because: `the lists were refused (${refusalInWords(answer)})`, answer };
        covers.push(...(echo.observe(answer, row).covers ?? []));
        return undefined;
      };
    const before = (body: JsonObject, { from }: ListStep): JsonObject => ({
      ...body,
      ...Object.fromEntries(listed(from).filter(([name]) => Object.hasOwn(body, name))),
    });
    let step: ListStep | undefined;
    const inParts = createParts(context, template, (body, onRefused) => async (_context, session, care) => {
      const scene: Scene = { ...care, context, session, violations: [], covers: [] };
      const from = step === undefined ? body : before(body, step);
      const ended = await takeSteps(scene, [
        sent(from, onRefused),
        sent(body, onRefused),
        ...shownBy(row, step === steps.at(-1)),
      ]);
      if (ended !== undefined) return untried(ended);
      const covered = session.covered?.(endpoint) ?? [];
      return covering([], new Set([...scene.covers, ...about(row, endpoint).filter(id => covered.includes(id))]));
    });
    return planOf(
      context,
      ...steps.map((one): NamedScenario => {
        const { title, to: cases } = one;
        const run = inParts({ cases });
        return {
          title,
          sent: Object.fromEntries(listed(cases)),
          run(...scene) {
            step = one;
            return run(...scene);
          },
        };
      }),
    );
  },
};
