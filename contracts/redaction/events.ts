import { type RunEvent, runEvent } from '../report/journal.ts';
import { redactorOf } from './values.ts';

/** What may be shown of an event: every text of it that is not our own without secrets. */
export const redactedEvent = redactorOf<RunEvent>(runEvent);
