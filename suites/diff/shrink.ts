import type { DifferencePlace } from '../../contracts/report/difference.ts';
import type { RunState } from '../engine/run-state.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import type { FoundPlace } from './compare.ts';

/** A side whose run is under way: what its requests were, and how to send them again. */
export interface LiveSide {
  readonly run: RunState;
  readonly snapshot: Snapshot;
  readonly asked: ReadonlyMap<string, ApiRequest>;
}

/** Examples that were made smaller, by the place. */
export type Shrunk = ReadonlyMap<string, DifferencePlace['example']>;

/** What names a place among those of a comparison. */
export const placeKey = ({ label, endpoint, pointer, aspect, requirement }: DifferencePlace): string =>
  [label, endpoint, pointer, aspect, requirement ?? ''].join(' ');

/** */
export async function shrinkExamples(_found: readonly FoundPlace[], _a: LiveSide, _b: LiveSide): Promise<Shrunk> {
  return new Map();
}
