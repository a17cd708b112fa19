import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { type Circumstances, histories, type Mutation, played, store } from './simulated.fixture.ts';
import { isFirm } from './suspicion.ts';

/** `HISTORIES=600 HISTORIES_SEED=7` plays more histories, and other ones. */
const seed = Number(process.env.HISTORIES_SEED ?? 1);
const numRuns = Number(process.env.HISTORIES ?? 20);

/** Number of histories for each service that is wrong in one way. */
const samplesEach = 8;

// biome-ignore format: a table
const circumstances: Readonly<Record<string, Circumstances>> = {
  'nothing':                            { lagMs: 0,   others: false, overlap: false },
  'writes that overlap':                { lagMs: 0,   others: false, overlap: true },
  'others who write the same fields':   { lagMs: 0,   others: true,  overlap: true },
  'readings that are behind':           { lagMs: 100, others: false, overlap: true },
  'readings that are behind, and others': { lagMs: 100, others: true, overlap: true },
};

describe('a service that is right is not firmly suspected, with', () => {
  test.each(Object.entries(circumstances))('%s', (_name, given) => {
    fc.assert(
      fc.property(histories(60, given), steps => {
        const firm = played(steps, given)
          .said()
          .filter(one => one.startsWith('firm'));
        expect(firm).toEqual([]);
      }),
      { seed, numRuns },
    );
  });

  test('nobody else writing, not suspected at all', () => {
    const given = circumstances['writes that overlap'] as Circumstances;
    fc.assert(
      fc.property(histories(60, given), steps => {
        expect(played(steps, given, {}, { isSoleWriter: true }).said()).toEqual([]);
      }),
      { seed, numRuns },
    );
  });
});

const isGatePatch = ({ request, outcome }: { request: { endpoint: string }; outcome: string }): boolean =>
  request.endpoint === 'patch-gate' && outcome === 'accepted';

/** Returns the id after a given one. */
const beside = (ids: Iterable<string>, id: string): string => {
  const all = [...ids];
  return all[(all.indexOf(id) + 1) % all.length] as string;
};

interface Planted extends Mutation {
  readonly requirements: readonly RequirementId[];
}

const stored = 'state.patch-every-sent';
// biome-ignore format: a table
const planted: Readonly<Record<string, Planted>> = {
  'a field is stored as another': { requirements: [stored, 'state.patch-only-sent'], stores(work, own) {
    const { description, ...rest } = (work.request.body ?? {}) as Record<string, never>;
    if (isGatePatch(work) && description !== undefined) store(work.state, { ...work.request, body: { ...rest, name: description } });
    else own();
  } },
  'a neighbour changes too': { requirements: ['state.neighbours'], stores(work, own) {
    own();
    const other = beside(work.state.gates.keys(), work.request.param ?? '');
    if (isGatePatch(work)) store(work.state, { ...work.request, param: other });
  } },
  'a write is lost': { requirements: [stored], stores(work, own) { if (!isGatePatch(work) || work.count % 3 !== 0) own(); } },
  'a reading is constant': { requirements: [stored], shows: (entity, { request }) => request.endpoint === 'patch-gate' ? entity : { ...entity, description: 'always this', tags: ['always this'] } },
  'readings are stale by one write': { requirements: [stored], shows: (entity, { previous, request }) => previous.get(request.param ?? '') ?? entity },
  'two entities are swapped': { requirements: ['state.concurrent-answers'], shows: (entity, { state, request }) => {
    const other = state.gates.get(beside(state.gates.keys(), request.param ?? ''));
    return request.endpoint === 'patch-gate' || other === undefined ? entity : { ...other, id: entity.id ?? null };
  } },
  'a refused write has an effect': { requirements: ['reject.no-trace'], stores(work, own) {
    own();
    const { type: _, ...body } = (work.request.body ?? {}) as Record<string, never>;
    if (work.outcome === 'refused') store(work.state, { ...work.request, body });
  } },
  'a write without the key has an effect': { requirements: ['auth.no-effect'], stores(work, own) { own(); if (work.outcome === 'keyless') store(work.state, work.request); } },
  'a dry run of an update persists': { requirements: ['state.dry-run-qualifying-event'], stores(work, own) { own(); if (work.outcome === 'dry' && work.request.param !== undefined) store(work.state, work.request); } },
  'a dry run of a creation persists': { requirements: ['state.dry-run-metric'], stores(work, own) { own(); if (work.outcome === 'dry' && work.request.param === undefined) store(work.state, work.request); } },
  'an answer echoes what is stored otherwise': { requirements: [stored], stores(work, own) {
    const { description, ...rest } = (work.request.body ?? {}) as Record<string, string>;
    if (isGatePatch(work) && description !== undefined) store(work.state, { ...work.request, body: { ...rest, description: description.slice(0, 8) } });
    else own();
  } },
  'a list leaves out what was created': { requirements: ['state.metric-listed'], lists: (ids, { request }) => request.endpoint === 'list-event-metrics' ? ids.slice(1) : ids },
};

describe('a service that is wrong is suspected, with the right cause:', () => {
  const given: Circumstances = { lagMs: 0, others: false, overlap: true };
  const calm: Circumstances = { ...given, overlap: false };
  test.each(Object.entries(planted))('%s', (_name, { requirements, ...mutation }) => {
    // A whole list is known only if nothing is in flight meanwhile.
    const samples = fc.sample(histories(200, mutation.lists === undefined ? given : calm), {
      seed,
      numRuns: samplesEach,
    });
    const right = samples.filter(steps =>
      played(steps, given, mutation, { isSoleWriter: true }).suspicions.some(
        one => isFirm(one) && one.requirements.some(requirement => requirements.includes(requirement)),
      ),
    );
    expect(right.length).toBe(samplesEach);
  });
});
