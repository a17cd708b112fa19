import type { BodyOf } from '../../contracts/endpoints.ts';
import {
  isKnown,
  type NameKind,
  type Names,
  namesOf,
  noSuchName,
  unknownMembers,
  unknownMetrics,
} from '../api/names.ts';
import { entityNamed, ofEach } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { type FieldError, refuseAny } from '../api/response.ts';
import { success } from '../api/success.ts';
import { revision } from '../directory.ts';
import type { Gate } from '../entities.ts';

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
  'patch-gate': (request, store, settings) =>
    store.transaction(async transaction => {
      const gate = await entityNamed(transaction, 'gates', request);
      const sent = bodyOf<'patch-gate'>(request);
      refuseAny(await references(namesOf(transaction, settings), sent));
      if (Object.keys(sent).length === 0) return success(request, gate);
      const changed = patched(gate, sent, settings.now());
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
