import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, type ApiRequest, isDryRun, isSilence } from '../../protocol/answer.ts';
import {
  type CheckContext,
  covering,
  minimalApiRequest,
  type Session,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import { type Untried, untried } from '../../state/attribution.ts';
import { canMeet, mostTogether, sendTogether } from '../../state/crowd.ts';
import type { EntityKind } from '../../state/entity-kinds.ts';
import type { Care, Scenario } from '../scenarios/scenario.ts';

/** The context of a stimulus under way. */
export interface Scene extends Pick<Care, 'eventually' | 'seen'> {
  readonly context: CheckContext;
  readonly session: Session;
  /** Violations that a status alone shows; everything else is judged by what the run knows of the service. */
  readonly violations: Violation[];
  readonly covers: RequirementId[];
}

/** Sends something; returns why the steps after it would show nothing, if so. */
export type Step = (scene: Scene) => Promise<Untried | undefined>;

/** Takes steps in turn; returns why those after one would show nothing, if so. */
export async function takeSteps(scene: Scene, steps: readonly Step[]): Promise<Untried | undefined> {
  for (const step of steps) {
    const ended = await step(scene);
    if (ended !== undefined) return ended;
  }
  return undefined;
}

/**
 * Makes a scenario that only sends. Its answers are judged like all others, by what is known of the service. It covers
 * those of its requirements that its answers could have shown to be broken.
 */
export const stimulus =
  (about: readonly RequirementId[], ...steps: readonly Step[]): Scenario =>
  async (context, session, { eventually, seen }) => {
    const scene: Scene = { context, session, eventually, seen, violations: [], covers: [] };
    const ended = await takeSteps(scene, steps);
    if (ended !== undefined) return untried(ended);
    const covered = session.covered?.(context.endpoint) ?? [];
    const shown = about.filter(id => covered.includes(id) || (covered.length > 0 && scene.covers.includes(id)));
    return covering(scene.violations, shown);
  };

/** A request, and the consequences of a refusal. */
interface Sending {
  /** The effect of the request, in words. */
  readonly what: string;
  request(scene: Scene): ApiRequest;
  /** Sent if the request is refused: only its essential part. */
  less?(scene: Scene): ApiRequest;
  /** The requirement that a refusal breaks; absent: the acceptance checks report it. */
  readonly refusalBreaks?: RequirementId;
  onRefused?(): void;
}

/** Sends a request that should be accepted; a refusal ends the stimulus, unless it breaks a requirement. */
export const write =
  ({ what, request, less, refusalBreaks, onRefused }: Sending): Step =>
  async scene => {
    const { session, violations, covers } = scene;
    const first = await session.send(request(scene));
    const answer = first.success || less === undefined ? first : await session.send(less(scene));
    if (isClientError(answer)) onRefused?.();
    const because = `${what} was refused (${refusalInWords(answer)})`;
    if (refusalBreaks === undefined) return answer.success ? undefined : { because, answer };
    if (answer.success) covers.push(refusalBreaks);
    else if (isClientError(answer))
      violations.push(violation(answer, refusalBreaks, 'status', 'a success', refusalInWords(answer)));
    return answer.success || isClientError(answer) ? undefined : { because, answer };
  };

/** Returns the endpoint's own request, with another body if given. */
export const own = (body?: (scene: Scene) => JsonObject | undefined): Pick<Sending, 'what' | 'request'> => ({
  what: 'the write',
  request: scene => minimalApiRequest(scene.context, body?.(scene) ?? scene.context.minimal.body),
});

/** Returns a patch of a gate. */
export const patchOf = (param: string, body: JsonObject) =>
  ({ endpoint: 'patch-gate' satisfies EndpointId, param, body }) as const;

/** Returns the entity that the endpoint writes to. */
export const subject = ({ minimal: { param = '' } }: CheckContext): readonly string[] => [param];

/** Reads entities, `times` in a row; while one may merely be late, again until the settling time is over. */
export const look =
  (kind: EntityKind, which: (context: CheckContext) => readonly string[] = subject, times = 1): Step =>
  async ({ context, session, eventually, seen }) => {
    let shown = 0;
    let isBehind = false;
    let last: Answer | undefined;
    const isOne = which(context).length === 1;
    const showAll = async (): Promise<void> => {
      for (const id of which(context)) {
        const reading = kind.read(context, session, id);
        const { entity, answer } = (await (isOne ? reading : unlessGivenUp(reading, null))) ?? { entity: null };
        if (entity !== null) seen.set(id, entity);
        if (entity !== null) shown += 1;
        last = answer ?? last;
      }
    };
    await eventually(
      async () => {
        [shown, isBehind] = [0, false];
        for (let time = 0; time < times; time += 1) {
          await showAll();
          isBehind ||= session.mayBeBehind?.() === true;
          if (shown === 0) break;
        }
      },
      () => shown === 0 || !isBehind,
    );
    if (shown > 0) return undefined;
    const told = last === undefined ? '' : ` (${refusalInWords(last)})`;
    return { because: `what was written could not be read back${told}`, answer: last };
  };

/**
 * Sends requests that are complete at the same moment. One acceptance is enough to go on: it also shows what refused
 * ones have left. `after` sends what the answers call for.
 */
export const together =
  (
    requests: (scene: Scene) => readonly ApiRequest[],
    tooFew: string,
    after?: (answers: readonly Answer[], scene: Scene) => Promise<void>,
  ): Step =>
  async scene => {
    const sent = requests(scene).slice(0, mostTogether);
    if (sent.length < 2) return { because: tooFew };
    const first = await sendTogether(scene.session, sent);
    // What a target puts off comes alone in the end, so all are sent once more, as far as the budget goes.
    const again = first.some(({ success, reply }) => success && reply.deferrals !== undefined)
      ? await unlessGivenUp(sendTogether(scene.session, requests(scene).slice(0, mostTogether)), [])
      : [];
    const answers = [...first, ...again];
    const broken = answers.find(answer => isSilence(answer) || answer.status >= 500);
    if (broken !== undefined) return { because: 'a request brought no answer', answer: broken };
    const refused = answers.find(({ success }) => !success);
    // A dry run shows nothing.
    if (refused !== undefined && answers.every(answer => !answer.success || isDryRun(answer)))
      return { because: `of ${answers.length} requests at once all were refused (${refusalInWords(refused)})` };
    // A request that met no other shows nothing of races, only that it was answered.
    const met = canMeet(scene.session) ? answers.filter(({ success }) => success).length : 1;
    if (met < 2) scene.covers.push('robust.never-5xx');
    await after?.(answers, scene);
    return undefined;
  };
