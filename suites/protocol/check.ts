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

/** A broken requirement, before it is grouped, confirmed and given its evidence. */
export interface Violation {
  readonly requirement: RequirementId;
  /** JSON Pointer into the answer, or `status`, `connection`, `header NAME`, `body` outside it. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** What is wrong, as data. */
  readonly fault?: Discrepancy;
  readonly answer: Answer;
  /** Why it is no more than a warning, whatever the level of the requirement: it was seen only sometimes, say. */
  readonly doubt?: string;
  /** How often it was seen, where the check itself tried it again; what has none is confirmed by the engine. */
  readonly seen?: { readonly times: number; readonly of: number };
  /** What was sent at once, what came back and what was read afterwards, a line each. */
  readonly timeline?: readonly string[];
  /** The requests of its case until the accused answer, if there were several; the engine adds them. */
  readonly steps?: readonly NumberedAnswer[];
}

/** An answer, and which of the requests of its case it answers, from 1. */
export interface NumberedAnswer {
  readonly number: number;
  readonly answer: Answer;
}

/** Makes the violation of a requirement that an answer shows at a place; what has no data is told in words alone. */
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
  /** Sends requests that are complete at the same moment, at most `atOnce`, and gives their answers in this order. */
  together?(requests: readonly ApiRequest[]): Promise<readonly Answer[]>;
  /** So many requests may be under way at the same time; absent: any number. */
  readonly atOnce?: number;
  /** How many requests were sent so far; absent: nobody counts. */
  answers?(): number;
  /** A gate as the answer to the last write of this run showed it. */
  lastWritten(gate: string): Members | undefined;
  /** The requirements that the answers could have shown an operation to break. Absent: nothing is known of the service. */
  covered?(endpoint: EndpointId): readonly RequirementId[];
  /** True while an answer showed what may be no more than late, and no later one showed what is due. */
  mayBeBehind?(): boolean;
  /** True where an answer of the run was late, as a later one has shown, or one of the session may be. */
  wasBehind?(): boolean;
  /** The key as the target's owner gave it, for the authentication checks. */
  readonly apiKey: string;
  /** What the run has found out of operations whose smallest request is refused; absent: nothing is to be found out. */
  readonly bases?: Bases;
  /** The same object in all sessions of a run, for what is learned of the target once; absent: the session itself. */
  readonly run?: object;
  /** Resolves when no case of the same check has a request under way: what they wait for can be asked for once. */
  quiet?(): Promise<void>;
}

/** A case in words, and the one field in which it differs from an accepted request. */
export interface CaseDescription {
  readonly title: string;
  readonly pointer: string;
  readonly sent?: Json | undefined;
  readonly control?: Json | undefined;
  /** Another run may have more cases of this title, which differ in the value alone: the id names the value too. */
  readonly isOneOfMany?: boolean | undefined;
  /** The rule that it tries at `pointer`: a keyword of the contract, or what takes its place where nothing is stated. */
  readonly rule?: { readonly keyword: string; readonly level: Level };
  /** It is about several fields at once, so that another case which shows the same says more. */
  readonly isPack?: true;
  /** It says what the other cases vary: every profile sends it. */
  readonly isBasic?: boolean;
}

/** What a case of an active check, or an answer that a passive check observed, showed. */
export interface CheckResult {
  readonly violations: readonly Violation[];
  /** False where nothing was shown: the case could not be carried out, or the check does not judge such an answer. */
  readonly proved: boolean;
  /** Why nothing was shown; of cases only. */
  readonly because?: string;
  /**
   * The cited requirements that this could have shown to be broken: there was a value to be compared, a state that was
   * read before and after. Iterated once. Absent: all that the check cites, which holds of a check that cites one.
   */
  readonly covers?: Iterable<RequirementId>;
  /**
   * Of passive checks: what an answer leaves unshown, dropped where another answer shows any of it. Of cases: the fields
   * that the target takes no value of.
   */
  readonly notExercised?: readonly NotExercised[];
  /** The result holds only if the endpoint's minimal request was accepted in this run: known when the lane ends. */
  readonly onlyIfAccepted?: boolean;
  /** The learned name that the target refused: what is planned later in the lane does without it. */
  readonly refusedWord?: LearnedWord;
}

/** Makes the result of a judgement: a pass where there are no violations. */
export const judged = (violations: readonly Violation[]): CheckResult => ({ violations, proved: true });

/** Makes the result of a judgement that could have shown these requirements, and no others, to be broken. */
export const covering = (violations: readonly Violation[], covers: Iterable<RequirementId>): CheckResult => ({
  violations,
  proved: true,
  covers,
});

/** Nothing was found wrong. */
export const passed: CheckResult = judged([]);

/** Makes the result of a judgement that found one violation; takes what `violation` takes. */
export const violated = (...shown: Parameters<typeof violation>): CheckResult => judged([violation(...shown)]);

/** Makes the result of a case that could not be carried out to its end, and says why: it proves nothing. */
export const unproved = (because: string): CheckResult => ({ violations: [], proved: false, because });

/** The result of an answer that a passive check does not judge. */
export const notJudged: CheckResult = { violations: [], proved: false };

/** How much a profile sends. Profiles change amounts, never which checks. */
export interface Amounts {
  /** Random cases per fuzzing check and endpoint. */
  readonly fuzz: number;
  /** Page sizes a walk is made with. */
  readonly walks: number;
  /** So many requests of a check may create something that stays, where fewer would show less. */
  readonly creations: number;
  /** Rounds of each kind of race; 1 when absent. */
  readonly races?: number;
  /** Sends every near miss of a set or a pattern; absent: those whose turn it is. */
  readonly everyNearMiss?: true;
}

/** What a check is planned with. */
export interface CheckContext {
  readonly endpoint: EndpointId;
  readonly row: Endpoint;
  readonly target: Target;
  readonly discovered: DiscoveredState;
  readonly minimal: MinimalRequest;
  readonly amounts: Amounts;
  /** The run's token, for ids that must name nothing. */
  readonly token: string;
  /** The endpoint's operation cannot be repeated on the same entity: its one accepted request comes last. */
  readonly oneShot: boolean;
  /** Of the values that take turns it chooses those of this run. */
  readonly seed: number;
  /** How long to wait, in milliseconds, for what should become visible. */
  readonly settleMs: number;
  /** Only GET may be sent. */
  readonly readOnly: boolean;
  /** Why nothing of the subject may be written: only what writes nothing is sent. Absent where it may. */
  readonly unwritable?: Obstruction;
  /** True of cases beyond the profile's, of which there may be very many: create nothing that a dry run can try. */
  readonly extended?: boolean;
}

/** The inputs of a check for one endpoint and what to do with each. */
export interface CheckPlan<I> {
  /** Enumerated inputs; `path` is the id that `caseIds` makes of what `describe` says. */
  readonly cases?: readonly I[];
  /** Generated inputs; `path` is fast-check's. */
  readonly arbitrary?: fc.Arbitrary<I>;
  /** So many generated inputs at most, where each leaves something behind; absent: as many as the profile has. */
  readonly most?: number;
  readonly notExercised?: readonly NotExercised[];
  /** What the target's owner can do where nothing is proved. */
  readonly remedy?: string | undefined;
  /** True when cases do not disturb one another: they may be in flight together. */
  readonly parallel: boolean;
  describe(input: I): CaseDescription;
  run(input: I, session: Session): Promise<CheckResult>;
  /** Told, before the first of them is run, which of its cases a run sends that does not send them all. */
  chosen?(cases: readonly I[]): void;
  /** Looks once more, when all checks of the collection have run, for what one of the cases must not have caused. */
  readonly afterwards?: { readonly of: I; run(session: Session): Promise<CheckResult> };
}

/** The plan of a check that has nothing to send, and why: it ends as untested. */
export interface NothingToDo extends Obstruction {
  readonly notExercised?: readonly NotExercised[];
}

/**
 * What the rest of a run relies on a check for. `minimal-request`: it sends the minimal request of every endpoint,
 * without whose acceptance refusals prove nothing. `acceptance`: it sends more that must be accepted. `envelope`: it
 * judges the envelope, without which no passive check can read an answer. `afterwards`: it sends what an operation that
 * works only once is sent after its one accepted request.
 */
export type CheckRole = 'minimal-request' | 'acceptance' | 'envelope' | 'afterwards';

/** What every check has: what it is, whom it binds, and the words in which `explain` tells it. */
interface CheckHead {
  readonly id: string;
  readonly role?: CheckRole;
  readonly level: Level;
  readonly title: string;
  /** One or two sentences: the wrong implementation that it detects. */
  readonly detects: string;
  /** The requirements that it can verify at an endpoint. */
  readonly requirements: (row: Endpoint, endpoint: EndpointId) => readonly RequirementId[];
  readonly appliesTo: (row: Endpoint) => boolean;
}

/** A check that sends requests of its own. */
export interface ActiveCheck<I = never> extends CheckHead {
  readonly kind: 'active';
  /** True of a check that has something to send that writes nothing where the subject may not be written. */
  readonly readsUnwritable?: true;
  /** So often at most a replay sends a case that shows nothing: what it looks for depends on what meets what. */
  readonly tries?: number;
  /** What its random cases are, if they are: a run with time to spare draws more of them, of scenarios first. */
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

/** Tells the two results of `plan` apart. */
export function isNothingToDo<I>(plan: CheckPlan<I> | NothingToDo): plan is NothingToDo {
  return !('run' in plan);
}

/** The minimal request of a context as an `ApiRequest`, with another body where one is given. */
export function minimalApiRequest(
  context: CheckContext,
  body: JsonObject | undefined = context.minimal.body,
): ApiRequest {
  return { endpoint: context.endpoint, param: context.minimal.param, body };
}
