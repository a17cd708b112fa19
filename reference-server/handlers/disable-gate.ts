import { notFound } from '../api/answer.ts';
import type { Handler } from '../api/request.ts';
import { stamp } from '../api/stamp.ts';
import { success } from '../api/success.ts';

/** Disable Gate (section 4.7): `isEnabled` becomes false, all other settings stay. Disabling again is no change. */
export const disableGate: Handler = (request, store, { now }) =>
  store.transaction(async transaction => {
    const gate = await transaction.get('gates', request.param);
    if (gate === undefined) throw notFound('Gate');
    if (!gate.isEnabled) return success('disable-gate', gate);
    const disabled = { ...gate, ...stamp(now()), isEnabled: false, version: (gate.version ?? 0) + 1 };
    await transaction.put('gates', request.param, disabled);
    return success('disable-gate', disabled);
  });
