import { membersOf } from '../../../contracts/json.ts';
import { refusal } from '../../api/response.ts';
import { worksBeforeRefusing } from '../../decorators/keys.ts';
import type { Decorator } from '../../decorators/layers.ts';
import { around, sentBy } from '../../decorators/operations.ts';
import type { FaultTable } from '../fault.ts';

const source = ['sql', 'timestampColumn', 'idTypeMapping'] as const;

/** Turns `isEnabled` of a gate round where its request cannot be read. */
const turnsOnUnreadable: Decorator = around(handler => async (request, store, settings) => {
  const answer = await handler(request, store, settings);
  const gate = await store.get('gates', request.param);
  if (request.unreadable !== undefined && answer.status === 400 && gate !== undefined)
    await store.put('gates', request.param, { ...gate, isEnabled: !gate.isEnabled });
  return answer;
});

/** Refuses a creation under a name that another request has had, which created nothing. */
const reserves = (when: (status: number, body: Readonly<Record<string, unknown>>) => boolean): Decorator =>
  around(handler => {
    const taken = new Set<unknown>();
    return async (request, store, settings) => {
      const body = membersOf(sentBy(request));
      if (body.dryRun !== true && taken.has(body.name)) return refusal(409, 'There is a metric of this name.');
      const answer = await handler(request, store, settings);
      if (when(answer.status, body)) taken.add(body.name);
      return answer;
    };
  });

/** What is refused, for want of a key or for a fault, and done all the same (sections 4 and 5). */
// biome-ignore format: a table
export const effectFaults: FaultTable = [
  { id: 'gate-switched-without-key',      requirement: 'auth.no-effect',    endpoints: ['patch-gate'],              title: 'A gate is switched before the key is looked at.',           decorator: worksBeforeRefusing(401, 'isEnabled') },
  { id: 'gate-tagged-without-key',        requirement: 'auth.no-effect',    endpoints: ['patch-gate'],              title: 'The tags of a gate are stored before the key is looked at.', decorator: worksBeforeRefusing(401, 'tags') },
  { id: 'gate-retyped-without-key',       requirement: 'auth.no-effect',    endpoints: ['patch-gate'],              title: 'The type of a gate is stored before the key is looked at.', decorator: worksBeforeRefusing(401, 'type') },
  { id: 'gate-disabled-without-key',      requirement: 'auth.no-effect',    endpoints: ['disable-gate'],            title: 'A gate is disabled before the key is looked at.',           decorator: worksBeforeRefusing(401) },
  { id: 'source-tagged-without-key',      requirement: 'auth.no-effect',    endpoints: ['update-qualifying-event'], title: 'The tags of a source are stored before the key is looked at.', decorator: worksBeforeRefusing(401, ...source, 'tags') },
  { id: 'source-day-without-key',         requirement: 'auth.no-effect',    endpoints: ['update-qualifying-event'], title: 'The granularity of a source is stored before the key is looked at.', decorator: worksBeforeRefusing(401, ...source, 'timestampAsDay') },
  { id: 'gate-refusal-switches',          requirement: 'reject.no-trace',   endpoints: ['patch-gate'],              title: 'A refused patch switches the gate.',                        decorator: worksBeforeRefusing(400, 'isEnabled') },
  { id: 'gate-refusal-retypes',           requirement: 'reject.no-trace',   endpoints: ['patch-gate'],              title: 'A refused patch stores the type of the gate.',              decorator: worksBeforeRefusing(400, 'type') },
  { id: 'gate-refusal-tags',              requirement: 'reject.no-trace',   endpoints: ['patch-gate'],              title: 'A refused patch stores the tags of the gate.',              decorator: worksBeforeRefusing(400, 'tags') },
  { id: 'gate-refusal-measures',          requirement: 'reject.no-trace',   endpoints: ['patch-gate'],              title: 'A refused patch stores `measureMetricLifts`.',              decorator: worksBeforeRefusing(400, 'measureMetricLifts') },
  { id: 'gate-cut-body-switches',         requirement: 'reject.no-trace',   endpoints: ['patch-gate'],              title: 'A body that cannot be read switches the gate.',             decorator: turnsOnUnreadable },
  { id: 'source-refusal-tags',            requirement: 'reject.no-trace',   endpoints: ['update-qualifying-event'], title: 'A refused update stores the tags of the source.',           decorator: worksBeforeRefusing(400, ...source, 'tags') },
  { id: 'source-refusal-day',             requirement: 'reject.no-trace',   endpoints: ['update-qualifying-event'], title: 'A refused update stores the granularity of the source.',    decorator: worksBeforeRefusing(400, ...source, 'timestampAsDay') },
  { id: 'metric-refusal-reserves-name',   requirement: 'reject.no-trace',   endpoints: ['create-metric'],           title: 'The name of a refused creation is taken.',                  decorator: reserves(status => status === 400), profile: 'standard' },
  { id: 'metric-dry-run-reserves-name',   requirement: 'state.dry-run-metric', endpoints: ['create-metric'],        title: 'The name of a dry run is taken.',                           decorator: reserves((status, { dryRun }) => status === 200 && dryRun === true), profile: 'standard' },
];
