import { acceptanceRequirements } from './acceptance.ts';
import { answerRequirements } from './answers.ts';
import { authenticationRequirements } from './authentication.ts';
import { envelopeRequirements } from './envelope.ts';
import { semanticsRequirements } from './field-semantics.ts';
import { messageRequirements } from './messages.ts';
import { openEntityRequirements } from './open-entities.ts';
import { openServiceRequirements } from './open-service.ts';
import { paginationRequirements } from './paging.ts';
import { rejectionRequirements } from './rejection.ts';
import { robustnessRequirements } from './robustness.ts';
import { stateRequirements } from './state.ts';

/** The hand-written rows of the ledger: every statement of the specification but those about single fields. */
export const proseRequirements = [
  ...envelopeRequirements,
  ...messageRequirements,
  ...answerRequirements,
  ...acceptanceRequirements,
  ...rejectionRequirements,
  ...paginationRequirements,
  ...authenticationRequirements,
  ...robustnessRequirements,
  ...stateRequirements,
  ...semanticsRequirements,
  ...openServiceRequirements,
  ...openEntityRequirements,
] as const;

/** The id of a hand-written row. */
export type ProseRequirementId = (typeof proseRequirements)[number]['id'];
