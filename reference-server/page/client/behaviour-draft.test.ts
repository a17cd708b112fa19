import { describe, expect, it } from 'vitest';
import type { BehaviourRequest } from '../../../contracts/behaviour.ts';
import { checkedBehaviour } from '../../behaviours/checked.ts';
import { dialects, faults } from '../../index.ts';
import { behaviourOf, type Draft, emptyDraft } from './behaviour-draft.ts';
import { doesText, meetsText } from './behaviour-text.ts';

const narrow: Partial<Draft> = { operation: 'patch-gate', entity: 'a', next: '2', share: '25' };

describe('a behaviour as it is typed', () => {
  // biome-ignore format: a table
  it.each<[Partial<Draft>, boolean, BehaviourRequest, string, string]>([
    [{},                                          true,  { error: { status: 500 } },                                         'answers 500', 'every request'],
    [{ status: '409', message: 'Taken.', afterWork: true, ...narrow }, true, { error: { status: 409, message: 'Taken.' }, afterWork: true, operations: ['patch-gate'], entity: 'a', next: 2, share: 0.25 }, 'answers 409: Taken., when the work is done', 'patch-gate, for a, 25 % of them, the next 2'],
    [{ kind: 'latency' },                         true,  { latency: { ms: 500 } },                                           'holds back for 500 ms', 'every request'],
    [{ kind: 'latency', latency: 'even' },        true,  { latency: { fromMs: 500, toMs: 2000 } },                           'holds back for 500 to 2000 ms', 'every request'],
    [{ kind: 'latency', latency: 'real' },        true,  { latency: { medianMs: 500, p95Ms: 2000 } },                        'holds back for 500 ms mostly, 2000 ms or more in one of twenty', 'every request'],
    [{ kind: 'connection', connection: 'stall' }, true,  { connection: 'stall' },                                            'never answers', 'every request'],
    [{ kind: 'rateLimit' },                       true,  { rateLimit: { requests: 10, seconds: 60 } },                       'refuses more than 10 requests in 60 s', 'every request'],
    [{ kind: 'dialect', row: 'codes-422', ...narrow }, false, { dialect: 'codes-422' },                                      'dialect codes-422', 'every request'],
  ])('%j is what it says, and the server takes it', (draft, narrows, behaviour, does, meets) => {
    const made = behaviourOf({ ...emptyDraft, ...draft }, narrows);
    expect(made).toEqual(behaviour);
    if (made.dialect === undefined) expect(checkedBehaviour(made, { faults, dialects })).toEqual(behaviour);
    const shown = { id: 'b1', on: true, made: 1, met: 0, ...made };
    expect([doesText(shown), meetsText(shown)]).toEqual([does, meets]);
  });
});
