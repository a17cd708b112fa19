import { resourceNames } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { redactedValue } from '../../contracts/redaction/values.ts';
import type { LearnableKind } from '../../contracts/target.ts';
import { dataObject } from '../protocol/answer.ts';
import { answerOrNull } from '../protocol/stop.ts';
import type { LearnedWord, Target } from '../protocol/sut.ts';
import { kindsFor, mayLearn, namesFor } from '../sut/learning/lessons.ts';
import { kindsToLearn, type Learner, learnByReading, teaches, wordsOf } from '../sut/learning/reading.ts';
import { chosenWords, holderOf, keyOf, type ShownWord, targetWith } from '../sut/learning/words.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import { openSession } from '../sut/session.ts';
import { subjectOf } from '../sut/target.ts';
import { operationsOf } from './plan.ts';
import type { RunState } from './run-state.ts';
import type { Snapshot } from './snapshot.ts';

/** Marks a word that was refused before any check was planned. */
const refusedWhileLearning = 'learning';

/** Maximum number of unit types tried before the minimal request of an experiment is given up. */
const mostTries = 4;

/** Kinds that a gate may name and any other entity may use, because they belong to the whole project. */
const sharedKinds: ReadonlySet<LearnableKind> = new Set(['idTypes', 'apps', 'metrics']);

/**
 * Returns the entities' words of shared kinds that neither the target file nor a list names: any entity may use them.
 */
function sharedWords(own: readonly ShownWord[], read: readonly LearnedWord[], { vocabulary }: Target): ShownWord[] {
  const isNamed = (kind: LearnableKind): boolean =>
    read.some(word => word.kind === kind) || membersOf(vocabulary)[kind] !== undefined;
  return own.filter(({ kind }) => sharedKinds.has(kind) && !isNamed(kind)).map(({ heldBy: _holder, ...word }) => word);
}

/** Returns the words of the entities read before the first write: each applies to its own entity. */
function snapshotWords({ entities }: Snapshot, learner: Learner): readonly ShownWord[] {
  return (['gate', 'qualifying-event'] as const).flatMap(resource =>
    [...(entities.get(resource) ?? [])].flatMap(([name, entity]) => {
      const heldBy = `${resourceNames[resource]} ${name}`;
      return wordsOf(learner, resource, entity, heldBy, { heldBy });
    }),
  );
}

/** Returns an endpoint's minimal request with the words read, and its view of the target; null if it lacks some. */
function minimalWith(
  { target: own }: Learner,
  snapshot: Snapshot,
  endpoint: EndpointId,
  words: readonly LearnedWord[],
) {
  const target = targetWith(own, words, endpoint);
  const minimal = minimalRequest(target, snapshot, endpoint);
  return isBlockedRequest(minimal) ? null : { target, minimal, heldBy: holderOf(endpoint, subjectOf(own, endpoint)) };
}

/** Returns the unit types of a metric if no list shows any, from a creation as a dry run (section 4.9). */
async function dryRunWords(
  snapshot: Snapshot,
  learner: Learner,
  words: readonly LearnedWord[],
): Promise<readonly ShownWord[]> {
  const endpoint = 'create-metric';
  const asked = minimalWith(learner, snapshot, endpoint, words);
  if (!learner.kinds.has('idTypes') || asked === null || asked.target.references('idType').length > 0) return [];
  const { minimal, heldBy } = asked;
  const request = { endpoint, param: minimal.param, body: { ...minimal.body, dryRun: true } } as const;
  const answer = await answerOrNull(learner.session, request);
  if (answer?.success !== true) return [];
  const { isName } = learner;
  const kinds = new Set(['idTypes'] as const);
  return wordsOf({ isName, kinds }, 'metric', dataObject(answer), 'create-metric, a dry run', { heldBy });
}

/**
 * Returns the words in the answer to an experiment's minimal request (section 4.4), which the run sends anyway. If it
 * is refused with a learned unit type, tries the next.
 */
async function experimentWords(
  snapshot: Snapshot,
  learner: Learner,
  words: readonly LearnedWord[],
): Promise<readonly ShownWord[]> {
  const endpoint = 'update-experiment';
  const refused: LearnedWord[] = [];
  for (let tries = 0; tries < mostTries; tries += 1) {
    const left = words.filter(word => !refused.includes(word));
    const asked = minimalWith(learner, snapshot, endpoint, left);
    if (asked === null) return [];
    const { target, minimal, heldBy } = asked;
    const answer = await answerOrNull(learner.session, { endpoint, ...minimal });
    if (answer === null) return [];
    if (answer.success) {
      const from = `${endpoint} ${minimal.param}`;
      const held = refused.map(word => ({ ...word, heldBy, refusedBy: [refusedWhileLearning], place: 0 }));
      return [...held, ...wordsOf(learner, 'experiment', dataObject(answer), from, { heldBy })];
    }
    const idType = minimal.body?.idType;
    const word = target.learned?.('idType').find(({ value }) => same(value, idType))?.word;
    if (word === undefined || answer.status < 400 || answer.status >= 500) return [];
    refused.push(word);
  }
  return [];
}

/** Returns words of the selected lanes' entities that `GET` does not show. They apply to that entity alone. */
async function learnByWriting(
  { units }: RunState,
  snapshot: Snapshot,
  learner: Learner,
  read: readonly LearnedWord[],
): Promise<readonly ShownWord[]> {
  const selected = operationsOf(units);
  const own = snapshotWords(snapshot, learner);
  const words = [...own, ...sharedWords(own, read, learner.target)];
  if (selected.has('create-metric')) words.push(...(await dryRunWords(snapshot, learner, read)));
  if (selected.has('update-experiment') && teaches('experiment', learner.kinds))
    words.push(...(await experimentWords(snapshot, learner, read)));
  return words;
}

/**
 * Returns the words that some request of the selected checks can carry. An entity's own word is left out if any entity
 * may use it.
 */
function useful(words: readonly LearnedWord[], { config: { target }, units }: RunState): readonly LearnedWord[] {
  const takers = [...operationsOf(units)].map(endpoint => ({
    holder: holderOf(endpoint, subjectOf(target, endpoint)),
    kinds: kindsFor(target, endpoint),
  }));
  const free = new Set(words.flatMap(word => (word.heldBy === undefined ? [keyOf(word)] : [])));
  return words.filter(word => {
    const { heldBy, kind, value, refusedBy } = word;
    if (!takers.some(({ holder, kinds }) => kinds.has(kind) && (heldBy === undefined || heldBy === holder)))
      return false;
    return heldBy === undefined || refusedBy !== undefined || !free.has(keyOf({ kind, value, origin: '' }));
  });
}

/**
 * Learns the names that the target's answers show and the selected checks need, and emits each with its origin. With
 * `learned` in the configuration it uses those and asks nothing. Throws `RunStopped`.
 */
export async function learn(run: RunState, snapshot: Snapshot): Promise<readonly LearnedWord[]> {
  const { target, learned } = run.config;
  const words = learned?.filter(({ kind }) => mayLearn(target, kind)) ?? useful(await askTarget(run, snapshot), run);
  for (const word of words) run.emit({ event: 'learned', ...word });
  return words;
}

async function askTarget(run: RunState, snapshot: Snapshot): Promise<readonly LearnedWord[]> {
  const { config, wire, units } = run;
  const { target } = config;
  const kinds = kindsToLearn(target, operationsOf(units));
  if (kinds.size === 0) return [];
  const isName = namesFor(target.apiKey, text => redactedValue(text, wire.secrets));
  const learner: Learner = { target, session: openSession(wire, 'learning'), isName, kinds };
  const read = await learnByReading(learner);
  return config.readOnly ? read : [...read, ...chosenWords(await learnByWriting(run, snapshot, learner, read))];
}
