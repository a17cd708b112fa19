import { answerBehaviours, echoes, echoing, puttingOff } from './answers.fixture.ts';
import type { Behaviour } from './behaviour.fixture.ts';
import { comingBack, goingAway } from './part-way.fixture.ts';
import { wireBehaviours } from './wire.fixture.ts';

/** Every known kind of misbehaviour, for tests and measurements. */
export const behaviours: readonly Behaviour[] = [
  ...wireBehaviours,
  ...answerBehaviours,
  ...puttingOff,
  ...echoes.map(([how, echo]) => echoing(how, echo)),
  ...goingAway,
  comingBack,
];
