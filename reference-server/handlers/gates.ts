import type { BodyOf } from '../../contracts/endpoints.ts';
import { entityNamed, noSuch, unknownMembers, unknownMetrics } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { type FieldError, refuseAny } from '../api/response.ts';
import { success } from '../api/success.ts';
import { directory, type NameKind, revision } from '../directory.ts';
import type { Gate } from '../entities.ts';
import type { Reader } from '../store/store.ts';

type Patch = BodyOf<'patch-gate'>;

// biome-ignore format: a table
const names: { readonly [M in keyof Patch]?: NameKind } = {
  idType:            'idType',
  team:              'team',
  teamID:            'team',
  creatorID:         'user',
  creatorEmail:      'email',
  releasePipelineID: 'pipeline',
  targetApps:        'app',
};

/** Reviewers are user ids, email addresses, or objects with such an `id`; anything else is taken as it is. */
const unknownReviewers = (reviewers: readonly unknown[] = []): FieldError[] =>
  reviewers.flatMap((reviewer, index) => {
    const name = typeof reviewer === 'string' ? reviewer : (reviewer as { id?: unknown } | null)?.id;
    return typeof name === 'string' && !directory.user.has(name) && !directory.email.has(name)
      ? [noSuch(`reviewSettings.allowedReviewers.${index}`, 'user')]
      : [];
  });

const references = async (store: Reader, sent: Patch): Promise<FieldError[]> => [
  ...unknownMembers(sent, names),
  ...unknownReviewers(sent.reviewSettings?.allowedReviewers),
  ...(await unknownMetrics(store, 'monitoringMetrics', sent.monitoringMetrics)),
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
  'patch-gate': (request, store, { now }) =>
    store.transaction(async transaction => {
      const gate = await entityNamed(transaction, 'gates', request);
      const sent = bodyOf<'patch-gate'>(request);
      refuseAny(await references(transaction, sent));
      if (Object.keys(sent).length === 0) return success(request, gate);
      const changed = patched(gate, sent, now());
      await transaction.put('gates', request.param, changed);
      return success(request, changed);
    }),

  /** Section 4.7: `isEnabled` becomes false, all other settings stay. Disabling again is no change. */
  'disable-gate': (request, store, { now }) =>
    store.transaction(async transaction => {
      const gate = await entityNamed(transaction, 'gates', request);
      if (!gate.isEnabled) return success(request, gate);
      const disabled = { ...gate, ...revision(gate, now()), isEnabled: false };
      await transaction.put('gates', request.param, disabled);
      return success(request, disabled);
    }),
} satisfies Record<string, Handler>;
