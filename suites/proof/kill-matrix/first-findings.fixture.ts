import { expect } from 'vitest';

/** The first finding that a report must show for a fault. */
export interface FirstFinding {
  /** Every unit with a finding, the one of the first finding first. */
  readonly by: readonly [string, ...string[]];
  /** The place in the answer. */
  readonly pointer: string;
  /** The field of the request to which the counterexample was shrunk; empty for the whole request. */
  readonly field: string;
  /** The value that was sent there. */
  readonly sent?: unknown;
}

const characters = (count: number): unknown => expect.stringMatching(new RegExp(`^.{${count}}$`, 's'));

/** The first finding for one fault of each mechanism, by fault id. It must be confirmed three times out of three. */
// biome-ignore format: a table
export const firstFindings: Readonly<Record<string, FirstFinding>> = {
  'gate-enabled-as-number':                  { by: ['patch-gate/schema'],                            pointer: '/data/isEnabled', field: '' },
  'gate-description-accepts-1001-characters': { by: ['patch-gate/rejects'],                         pointer: 'status',          field: '/description', sent: characters(1001) },
  'config-versions-overlap':                 { by: ['list-config-versions/pagination'],              pointer: '/data',           field: '' },
  'metric-id-one-colon':                     { by: ['create-metric/identity'],                         pointer: '/data/id',        field: '' },
  'gate-boundary-500':                       { by: ['patch-gate/accepts', 'patch-gate/courses'], pointer: 'status',          field: '/description', sent: characters(1000) },
  'gate-empty-tags-hang':                    { by: ['patch-gate/accepts', 'patch-gate/combinations', 'patch-gate/frame'],                          pointer: 'connection',      field: '/tags', sent: [] },
  'message-segments-trailing-blank':         { by: ['list-segments/message'],                        pointer: '/message',        field: '' },
  'key-may-go-on':                           { by: ['list-segments/authentication'],                 pointer: 'status',          field: '' },
  'key-in-query-lists-segments':             { by: ['list-segments/authentication'],                 pointer: 'status',          field: '' },
  'source-tags-sorted':                      { by: ['update-qualifying-event/echo'],                 pointer: '/data/tags',      field: '/tags' },
  'gate-null-team-as-none':                  { by: ['patch-gate/echo'],                              pointer: '/data/team',      field: '/team', sent: null },
  'experiment-group-highlight-lost':         { by: ['update-experiment/echo'],                       pointer: '/data/groups/0/highlighted', field: '/groups' },
  'allocation-refuses-100':                  { by: ['update-experiment/accepts', 'update-experiment/values'], pointer: 'status',          field: '/allocation', sent: 100 },
  'disable-gate-204':                        { by: ['disable-gate/envelope'],                        pointer: 'body',            field: '' },
  'unauthorised-in-text':                    { by: ['list-segments/refusals'],                       pointer: 'body',            field: '' },
};
