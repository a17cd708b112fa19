import type { Endpoint } from '../../../contracts/endpoint.ts';
import { endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { liveness } from './scenario.ts';
import { type SequenceSubject, sequenceSubjects } from './sequence-subjects.ts';

/** The subject of the sequences of an endpoint; undefined where it has none. */
export const subjectFor = (row: Endpoint): SequenceSubject | undefined =>
  endpointIds.flatMap(id =>
    endpointRow(id).path === row.path && endpointRow(id).method === row.method ? [sequenceSubjects[id]] : [],
  )[0];

/** Where nothing is read, each sequence takes a creation. */
export const isTooMuch = ({ kind }: SequenceSubject, { amounts }: CheckContext): boolean =>
  kind === undefined && amounts.creations === 1;

/** What the sequences of a subject can show to be broken. */
export function requirementsOf({
  kind,
  sent,
  frame,
  dry,
  write,
  others,
  written,
  beside = 0,
}: SequenceSubject): readonly RequirementId[] {
  return [
    ...new Set<RequirementId>([
      ...[sent, frame, dry].flatMap(one => one ?? []),
      ...(others.includes('disable-gate') ? (['state.disable-gate-false', 'state.disable-gate-frame'] as const) : []),
      ...(kind !== undefined && write !== null && (written + beside > 1 || kind.readAll !== undefined)
        ? (['state.neighbours'] as const)
        : []),
      'reject.no-trace',
      'auth.no-effect',
      ...liveness,
    ]),
  ];
}
