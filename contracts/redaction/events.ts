import { type RunEvent, runEvent } from '../report/journal.ts';
import { redactorOf } from './values.ts';

/** Redacts an event for display: every text in it that is not the suite's own. */
export const redactedEvent = redactorOf<RunEvent>(runEvent);
