import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { acceptCases } from '../generators/index.ts';
import type { DiscoveredState, LearnedWord, Obstruction, Target } from '../protocol/sut.ts';
import { targetWith } from './learning/words.ts';
import { isBlockedRequest, minimalRequest } from './minimal-request.ts';

/**
 * A line that a target file lacks, with an example (`fixtures.prompts: ["a_prompt"]`), and what stays untested without it.
 */
export interface Gap extends Required<Obstruction> {
  readonly endpoints: readonly EndpointId[];
}

/** Returns the endpoints that this target file leaves untested, one gap per missing line. */
export function missingLines(
  target: Target,
  discovered: DiscoveredState,
  learned: readonly LearnedWord[] = [],
): readonly Gap[] {
  const gaps = new Map<string, Gap>();
  for (const endpoint of endpointIds) {
    const minimal = minimalRequest(targetWith(target, learned, endpoint), discovered, endpoint);
    if (!isBlockedRequest(minimal)) continue;
    const before = gaps.get(minimal.remedy)?.endpoints ?? [];
    gaps.set(minimal.remedy, { ...minimal, endpoints: [...before, endpoint] });
  }
  return [...gaps.values()];
}

/** Fields that a run does not send for lack of a word, fixture or capability, by the line to add. */
export interface LeftOut {
  readonly remedy: string;
  /** False if no line of the target file can name what the fields refer to. */
  readonly line: boolean;
  /** `endpoint field`, the field dotted from the body's root. */
  readonly fields: readonly string[];
}

/** True if a remedy is a line of the target file. */
const isLine = (remedy: string): boolean => /^(fixtures|vocabulary|capabilities|naming|limits)\b/.test(remedy);

/** Returns the fields that a run does not send, of testable endpoints, by the line to add. */
export function leftOutFields(
  target: Target,
  discovered: DiscoveredState,
  learned: readonly LearnedWord[] = [],
): readonly LeftOut[] {
  const fields = new Map<string, string[]>();
  for (const endpoint of endpointIds) {
    const { body } = endpoints[endpoint];
    const seen = targetWith(target, learned, endpoint);
    const minimal = minimalRequest(seen, discovered, endpoint);
    if (body === null || isBlockedRequest(minimal)) continue;
    for (const { field, remedy } of acceptCases(body, minimal.body ?? {}, seen).notExercised) {
      if (remedy !== undefined) fields.set(remedy, [...(fields.get(remedy) ?? []), `${endpoint} ${field}`]);
    }
  }
  return [...fields].map(([remedy, names]) => ({ remedy, line: isLine(remedy), fields: names }));
}
