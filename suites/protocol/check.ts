import type fc from 'fast-check';
import type { Endpoint } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json, JsonObject, Members } from '../../contracts/json.ts';
import type { Discrepancy } from '../../contracts/report/evidence.ts';
import type { Level, NotExercised } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Answer, ApiRequest } from './answer.ts';
import type { Bases } from './base.ts';
import { discrepancyOf, type Said, spelled } from './fault.ts';
import type { DiscoveredState, LearnedWord, MinimalRequest, Obstruction, Target } from './sut.ts';

/** A violated requirement, before grouping, confirmation and evidence. */
export interface Violation {
  readonly requirement: RequirementId;
  /** JSON Pointer into the answer, or `status`, `connection`, `header NAME`, `body` outside it. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** The discrepancy as data. */
  readonly fault?: Discrepancy;
  readonly answer: Answer;
  /** Why it is only a warning, whatever the level of the requirement: for example, it was seen only sometimes. */
  readonly doubt?: string;
  /** Number of sightings, if the check itself repeated the case; otherwise the engine confirms it. */
  readonly seen?: { readonly times: number; readonly of: number };
  /** The overlapping requests, their answers and the values read afterwards, a line each. */
  readonly timeline?: readonly string[];
  /** The requests of its case up to the accused answer, if there were several; the engine adds them. */
  readonly steps?: readonly NumberedAnswer[];
}

/** An answer with the number of its request in the case, from 1. */
export interface NumberedAnswer {
  readonly number: number;
  readonly answer: Answer;
}

/** Returns a violation at a place of an answer. Without values, it has only words. */
export function violation(
  answer: Answer,
  requirement: RequirementId,
  pointer: string,
  expected: string | Said,
  actual: string | Said,
): Violation {
  const [should, is] = [spelled(expected), spelled(actual)];
  const fault = discrepancyOf(answer, pointer, should, is);
  return { requirement, pointer, expected: should.words, actual: is.words, fault, answer };
}

/** Sends requests on behalf of one case; the passive checks observe every answer. */
export interface Session {
  send(request: ApiRequest): Promise<Answer>;
  /** Sends requests that are complete at the same moment, at most `atOnce`, and returns their answers in this order. */
  together?(requests: readonly ApiRequest[]): Promise<readonly Answer[]>;
  /** Maximum number of requests in flight; absent: unlimited. */
  readonly atOnce?: number;
  /** Returns the number of requests sent so far; absent: not counted. */
  answers?(): number;
  /** Returns a gate as the answer to the last write of this run showed it. */
  lastWritten(gate: string): Members | undefined;
  /** Returns the requirements that the answers could have shown an operation to violate. Absent: no model. */
  covered?(endpoint: EndpointId): readonly RequirementId[];
  /** True while an answer may have been late, and no later one showed the expected value. */
  mayBeBehind?(): boolean;
  /** True if an answer of the run was late, as a later one has shown, or one of the session may be. */
  wasBehind?(): boolean;
  /** The key as the target's owner gave it, for the authentication checks. */
  readonly apiKey: string;
  /** The changes demanded by operations that refuse their minimal request; absent: they are not searched. */
  readonly bases?: Bases;
  /** The same object in all sessions of a run, as a cache key for facts about the target; absent: the session. */
  readonly run?: object;
  /** True while a finding is confirmed: it may stand in the answer to a control, which is therefore sent again. */
  readonly isConfirming?: boolean;
  /** Resolves when no case of the same check has a request in flight, so that all can share one request. */
  quiet?(): Promise<void>;
}

/** A case in words, and the one field in which it differs from its control. */
export interface CaseDescription {
  readonly title: string;
  readonly pointer: string;
  readonly sent?: Json | undefined;
  readonly control?: Json | undefined;
  /** Another run may have more cases of this title, with other values: the id includes the value. */
  readonly isOneOfMany?: boolean | undefined;
  /** The rule that it tries at `pointer`: a keyword of the contract, or a substitute if nothing is stated. */
  readonly rule?: { readonly keyword: string; readonly level: Level };
  /** It covers several fields, so another case that shows the same says more. */
  readonly isPack?: true;
  /** The other cases vary this one, so every profile sends it. */
  readonly isBasic?: boolean;
}

/** The result of a case of an active check, or of an answer that a passive check observed. */
export interface CheckResult {
  readonly violations: readonly Violation[];
  /** False if nothing was shown: the case could not be completed, or the check does not judge such an answer. */
  readonly proved: boolean;
  /** Why nothing was shown; only for cases. */
  readonly because?: string;
  /**
   * The cited requirements that could have been seen to be violated: a value was compared, or a state read before and
   * after. Iterated once. Absent: all that the check cites, which suits a check that cites one.
   */
  readonly covers?: Iterable<RequirementId>;
  /**
   * For passive checks: fields that an answer does not show, dropped if another answer shows any. For cases: fields for
   * which the target accepts no value.
   */
  readonly notExercised?: readonly NotExercised[];
  /** The result holds only if the endpoint's minimal request was accepted in this run: known when the lane ends. */
  readonly onlyIfAccepted?: boolean;
  /** The learned name that the target refused: later plans of the lane do without it. */
  readonly refusedWord?: LearnedWord;
}

/** Returns the result of a judgement: a pass if there are no violations. */
export const judged = (violations: readonly Violation[]): CheckResult => ({ violations, proved: true });

/** Returns the result of a judgement that could have shown only these requirements to be violated. */
export const covering = (violations: readonly Violation[], covers: Iterable<RequirementId>): CheckResult => ({
  violations,
  proved: true,
  covers,
});

/** A result without violations. */
export const passed: CheckResult = judged([]);

/** Returns a result with one violation; takes the arguments of `violation`. */
export const violated = (...shown: Parameters<typeof violation>): CheckResult => judged([violation(...shown)]);

/** Returns the result of a case that could not be completed, with the reason: it proves nothing. */
export const unproved = (because: string): CheckResult => ({ violations: [], proved: false, because });

/** The result of an answer that a passive check does not judge. */
export const notJudged: CheckResult = { violations: [], proved: false };

/** The amounts that a profile sends. Profiles change amounts, never which checks. */
export interface Amounts {
  /** Random cases per fuzzing check and endpoint. */
  readonly fuzz: number;
  /** Number of page sizes used for walks. */
  readonly walks: number;
  /** Maximum number of permanent creations by a check for which fewer would show less. */
  readonly creations: number;
  /** Rounds of each kind of race; 1 when absent. */
  readonly races?: number;
  /** Send every near miss of a set or a pattern; absent: only those whose turn it is. */
  readonly everyNearMiss?: true;
}

/** The context in which a check is planned. */
export interface CheckContext {
  readonly endpoint: EndpointId;
  readonly row: Endpoint;
  readonly target: Target;
  readonly discovered: DiscoveredState;
  readonly minimal: MinimalRequest;
  readonly amounts: Amounts;
  /** The run's token, for ids that must name nothing. */
  readonly token: string;
  /** The operation works only once per entity, so its one accepted request comes last. */
  readonly oneShot: boolean;
  /** Selects this run's values among those that take turns. */
  readonly seed: number;
  /** Maximum wait, in milliseconds, until something becomes visible. */
  readonly settleMs: number;
  /** Only GET may be sent. */
  readonly readOnly: boolean;
  /** Why the subject must not be written: then only requests that write nothing are sent. Absent if it may. */
  readonly unwritable?: Obstruction;
  /** True for the cases beyond the profile, which may be very many: create nothing that a dry run can try. */
  readonly extended?: boolean;
}

/** The inputs of a check for one endpoint, and how to run them. */
export interface CheckPlan<I> {
  /** Enumerated inputs; `path` is the id that `caseIds` derives from `describe`. */
  readonly cases?: readonly I[];
  /** Generated inputs; `path` is fast-check's. */
  readonly arbitrary?: fc.Arbitrary<I>;
  /** Maximum number of generated inputs, if each leaves something behind; absent: the profile's. */
  readonly most?: number;
  readonly notExercised?: readonly NotExercised[];
  /** Remedy for the target's owner if nothing is proved. */
  readonly remedy?: string | undefined;
  /** True if cases do not disturb one another and may be in flight together. */
  readonly parallel: boolean;
  describe(input: I): CaseDescription;
  run(input: I, session: Session): Promise<CheckResult>;
  /** Called before the first case with the cases that the run sends; not called for a replay. */
  chosen?(cases: readonly I[]): void;
  /** Looks once more, after all checks of the collection, for an effect that one of the cases must not have. */
  readonly afterwards?: { readonly of: I; run(session: Session): Promise<CheckResult> };
  /** The case that is sent again then if none has proved anything: the others may have made what it looks at. */
  readonly retried?: I | undefined;
}

/** The plan of a check that has nothing to send, and why: it ends as untested. */
export interface NothingToDo extends Obstruction {
  readonly notExercised?: readonly NotExercised[];
}

/**
 * A role on which the rest of a run relies. `minimal-request`: sends the minimal requests; unless accepted, refusals
 * prove nothing. `acceptance`: sends more requests that must be accepted. `envelope`: judges the envelope, without
 * which no passive check can read an answer. `afterwards`: goes after the accepted request of a one-shot operation,
 * because it repeats it, or sends what may be accepted although it should not.
 */
export type CheckRole = 'minimal-request' | 'acceptance' | 'envelope' | 'afterwards';

/** The common parts of every check: identity, scope, and the texts for `explain`. */
interface CheckHead {
  readonly id: string;
  readonly role?: CheckRole;
  readonly level: Level;
  readonly title: string;
  /** One or two sentences: the wrong implementation that it detects. */
  readonly detects: string;
  /** Returns the requirements that it can verify at an endpoint. */
  readonly requirements: (row: Endpoint, endpoint: EndpointId) => readonly RequirementId[];
  readonly appliesTo: (row: Endpoint) => boolean;
}

/** A check that sends requests of its own. */
export interface ActiveCheck<I = never> extends CheckHead {
  readonly kind: 'active';
  /** It can send requests that write nothing, if the subject must not be written. */
  readonly readsUnwritable?: true;
  /** Maximum number of times a replay sends a case that shows nothing, because the defect depends on timing. */
  readonly tries?: number;
  /** The kind of its random cases, if any: a run with time to spare draws more, scenarios first. */
  readonly draws?: 'scenario' | 'fuzz';
  plan(context: CheckContext): CheckPlan<I> | NothingToDo;
}

/** A check that judges every answer of an endpoint, whichever check caused it. */
export interface PassiveCheck extends CheckHead {
  readonly kind: 'passive';
  observe(answer: Answer, row: Endpoint): CheckResult;
}

/** Any check. */
export type Check = ActiveCheck<never> | PassiveCheck;

/** True if `plan` returned only a reason. */
export const isNothingToDo = <I>(plan: CheckPlan<I> | NothingToDo): plan is NothingToDo => !('run' in plan);

/** Returns the minimal request of a context as an `ApiRequest`, optionally with another body. */
export function minimalApiRequest(
  context: CheckContext,
  body: JsonObject | undefined = context.minimal.body,
): ApiRequest {
  return { endpoint: context.endpoint, param: context.minimal.param, body };
}
