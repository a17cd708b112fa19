import type { BodyOf } from '../../contracts/endpoints.ts';
import { isKnown, type NameKind, type Names, noSuchName, unknownMembers, unknownMetrics } from '../api/names.ts';
import { ofEach } from '../api/references.ts';
import type { Handler } from '../api/request.ts';
import { type FieldError, refuseAny } from '../api/response.ts';
import { revision } from '../directory.ts';
import type { Gate } from '../entities.ts';
import { onEntity } from './on-entity.ts';

type Patch = BodyOf<'patch-gate'>;

// biome-ignore format: a table
const kinds: { readonly [M in keyof Patch]?: NameKind } = {
  idType:            'idType',
  team:              'team',
  teamID:            'team',
  creatorID:         'user',
  creatorEmail:      'email',
  releasePipelineID: 'pipeline',
  targetApps:        'app',
};

/** Reviewers are user ids, email addresses, or objects with such an `id`; anything else is taken as it is. */
const unknownReviewers = (names: Names, reviewers: readonly unknown[] | undefined): Promise<FieldError[]> =>
  ofEach(reviewers, async (reviewer, index) => {
    const name = typeof reviewer === 'string' ? reviewer : (reviewer as { id?: unknown } | null)?.id;
    return typeof name !== 'string' || (await isKnown(names, 'user', name)) || (await isKnown(names, 'email', name))
      ? []
      : [await noSuchName(names, `reviewSettings.allowedReviewers.${index}`, 'user')];
  });

const references = async (names: Names, sent: Patch): Promise<FieldError[]> => [
  ...(await unknownMembers(names, sent, kinds)),
  ...(await unknownReviewers(names, sent.reviewSettings?.allowedReviewers)),
  ...(await unknownMetrics(names, 'monitoringMetrics', sent.monitoringMetrics)),
];

const patched = (gate: Gate, { targetApps, ...sent }: Patch, now: number): Gate => ({
  ...gate,
  ...sent,
  // A response shows a list, whatever was sent (section 2.3).
  ...(targetApps !== undefined && { targetApps: typeof targetApps === 'string' ? [targetApps] : targetApps }),
  ...revision(gate, now),
});

/** The operations on gates. */
export const gateHandlers = {
  /** Section 4.6: only what is sent changes. A patch that sends nothing is no change. */
  'patch-gate': onEntity<'patch-gate', 'gates'>('gates', async (gate, { sent, names, now }) => {
    refuseAny(await references(names, sent));
    return { kept: Object.keys(sent).length === 0 ? gate : patched(gate, sent, now) };
  }),

  /** Section 4.7: `isEnabled` becomes false, all other settings stay. Disabling again is no change. */
  'disable-gate': onEntity('gates', (gate, { now }) => ({
    kept: gate.isEnabled ? { ...gate, ...revision(gate, now), isEnabled: false } : gate,
  })),
} satisfies Record<string, Handler>;
