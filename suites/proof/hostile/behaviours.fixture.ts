import { answerBehaviours, echoes, echoing, puttingOff } from './answers.fixture.ts';
import type { Behaviour } from './behaviour.fixture.ts';
import { comingBack, goingAway } from './part-way.fixture.ts';
import { wireBehaviours } from './wire.fixture.ts';

/**
 * Every way in which a target is known to misbehave: what the tests hold a run to, and what the measurements measure.
 */
export const behaviours: readonly Behaviour[] = [
  ...wireBehaviours,
  ...answerBehaviours,
  ...puttingOff,
  ...echoes.map(([how, echo]) => echoing(how, echo)),
  ...goingAway,
  comingBack,
];
