import { type Json, type JsonObject, membersOf, objectsIn } from '../../contracts/json.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type Answer, dataObject } from '../protocol/answer.ts';
import { answerOrNull } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import type { RecordedSession } from '../sut/session.ts';

/** The flags of an environment (section 2.2). A key may be allowed to set a flag but not to reset it. */
export const environmentFlags = ['isProduction', 'requiresReview', 'requiresReleasePipeline'] as const;

/** The results of trying the flags. */
export interface TriedFlags {
  /** The flags that must not be sent with another value, and why. */
  readonly refused: ReadonlyMap<string, string>;
  /** Flags that could not be reset, in words. */
  readonly stuck: readonly string[];
  /** Why the set is not sent any more: the service has refused it since a flag was changed. */
  readonly blocked?: string;
}

/** Returns the environment that an answer shows, by its id or else its name. */
export function environmentIn(answer: Answer, { id, name }: JsonObject): JsonObject | undefined {
  const { environments } = dataObject(answer);
  const shown = objectsIn(environments);
  return shown.find(one => (id === undefined ? one.name === name : one.id === id));
}

/**
 * Tries whether the flags of an environment can be reset, before anything else is written. Uses an environment that is
 * not production: sends the present values, then flips each flag and resets it at once. A flag that cannot be reset is
 * never sent with another value again.
 */
export async function tryFlags(target: Target, session: RecordedSession): Promise<TriedFlags> {
  const set = (target.fixtures.environments ?? []) as readonly JsonObject[];
  const refused = new Map<string, string>();
  const stuck: string[] = [];
  const refuseAll = (because: string): TriedFlags => ({
    refused: new Map(environmentFlags.map(flag => [flag, because])),
    stuck,
  });
  const subject = set.find(({ isProduction }) => isProduction === false);
  if (subject === undefined)
    return refuseAll('the target file names no environment that is not production, at which the flags could be tried');
  const send = (member?: string, value?: Json): Promise<Answer | null> => {
    const environments = set.map(one =>
      one === subject && member !== undefined ? { ...one, [member]: value ?? null } : { ...one },
    );
    return answerOrNull(session, { endpoint: 'update-environments', body: { environments } });
  };
  const present = await send();
  if (present?.success !== true)
    return refuseAll(
      `the set of environments was refused as it is (${present === null ? 'no answer' : refusalInWords(present)})`,
    );
  for (const flag of environmentFlags) {
    const value = subject[flag];
    if (typeof value !== 'boolean') continue;
    const turned = await send(flag, !value);
    // A refusal changed nothing; a check judges whether it was right.
    if (turned?.success !== true) continue;
    const back = await send();
    const shown = back === null ? undefined : membersOf(environmentIn(back, subject))[flag];
    if (back?.success === true && shown !== !value) continue;
    const why =
      back === null ? 'no answer' : back.success ? 'the answer shows it as it was turned' : refusalInWords(back);
    const because = `${flag} of the environment ${subject.name} was turned to ${!value} and could not be turned back (${why})`;
    refused.set(flag, because);
    stuck.push(because);
    if (back?.success !== true) return { refused, stuck, blocked: because };
  }
  return { refused, stuck };
}
