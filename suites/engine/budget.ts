import type { Resource } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { Notice, Profile } from '../../contracts/report/journal.ts';
import type { Limits } from '../../contracts/target.ts';
import { type Answer, type ApiRequest, isDryRun } from '../protocol/answer.ts';
import { entryOf } from '../protocol/entries.ts';
import { Withheld } from '../protocol/stop.ts';
import type { RunConfig } from './config.ts';
import { notice } from './notice.ts';
import { creationOf } from './residue.ts';

/** A limit of the target file on created entities. */
type BudgetName = Exclude<keyof Limits, 'requests'>;

/** The limit that applies to an additive operation, and the noun for messages. */
// biome-ignore format: a table
const budgets: Readonly<Partial<Record<Resource, { readonly name: BudgetName; readonly things: string }>>> = {
  metric:           { name: 'metrics',        things: 'metrics' },
  'prompt-version': { name: 'promptVersions', things: 'prompt versions' },
};

/** Default limits of each profile, if the target file sets none. */
// biome-ignore format: a table
const defaults: Readonly<Record<Profile, Readonly<Record<BudgetName, number>>>> = {
  quick:    { metrics: 12,  promptVersions: 16 },
  standard: { metrics: 40,  promptVersions: 40 },
  thorough: { metrics: 200, promptVersions: 150 },
};

/**
 * Number of creations that are reserved for requests that decide verdicts: the controls of two checks, and one for each
 * request that should be refused but may not be.
 */
const kept = 3;

/** Share of a budget that a request which only examines a finding leaves to what is not sent yet. */
const shareKept = 0.5;

/** Returns how many creations are reserved for others than this request. */
const keptFrom = ({ spare }: ApiRequest, most: number): number =>
  spare === 'examining' ? Math.max(kept, Math.ceil(most * shareKept)) : spare === true ? kept : 0;

/**
 * Returns how much an operation may create, and the line of the target file that allows more; undefined if it creates
 * nothing.
 */
function allowanceOf(endpoint: EndpointId, { target, profile }: RunConfig) {
  const { resource, effect } = endpointRow(endpoint);
  const budget = budgets[resource];
  if (budget === undefined || effect !== 'additive') return undefined;
  const { name, things } = budget;
  const most = target.limits?.[name] ?? defaults[profile][name];
  return { most, things, remedy: `limits.${name}: ${Math.max(2 * most, 10)}` };
}

/** Returns how many entities an operation may create in a run; undefined if it creates none. */
export const mostCreated = (endpoint: EndpointId, config: RunConfig): number | undefined =>
  allowanceOf(endpoint, config)?.most;

/** Holds back requests that would create more than the run may. */
export type CreationBudget = ReturnType<typeof createBudget>;

interface Account {
  created: number;
  inFlight: number;
  withheld: number;
  readonly waiting: (() => void)[];
}

/** True if a request creates something when it is accepted, whether or not it should be. */
const mayCreate = (request: ApiRequest): boolean =>
  endpointRow(request.endpoint).effect === 'additive' &&
  request.method === undefined &&
  !isDryRun({ sent: request.body, request });

/**
 * Returns the budget of a run that has created nothing yet. Requests in flight may still be refused, so near the limit
 * a request waits for their answers. Otherwise the target's speed would decide which requests are sent.
 */
export function createBudget(config: RunConfig) {
  const accounts = new Map<EndpointId, Account>();
  const accountOf = (endpoint: EndpointId): Account =>
    entryOf(accounts, endpoint, () => ({ created: 0, inFlight: 0, withheld: 0, waiting: [] }));
  function release(request: ApiRequest): void {
    const account = mayCreate(request) ? accounts.get(request.endpoint) : undefined;
    if (account === undefined) return;
    account.inFlight -= 1;
    for (const wake of account.waiting.splice(0)) wake();
  }

  return {
    /** Releases a request that was admitted but is not sent after all. */
    release,
    /** Resolves when the request may be sent. Throws `Withheld` if it could create more than is left. */
    admit(request: ApiRequest): Promise<void> | void {
      const allowance = mayCreate(request) ? allowanceOf(request.endpoint, config) : undefined;
      if (allowance === undefined) return;
      const { most, things, remedy } = allowance;
      const account = accountOf(request.endpoint);
      const begun = (): number => account.created + account.inFlight;
      const reserved = keptFrom(request, most);
      if (reserved > 0 && begun() >= most - reserved)
        throw new Withheld(`what else the run may create is kept for others (${most} at most)`, remedy);
      const isUndecided = (): boolean => account.created < most && begun() >= most;
      const take = (): void => {
        if (account.created < most) account.inFlight += 1;
        else {
          account.withheld += 1;
          throw new Withheld(`the run creates ${most} ${things} at most, and has`, remedy);
        }
      };
      const wait = async (): Promise<void> => {
        while (isUndecided()) await new Promise<void>(wake => account.waiting.push(wake));
        take();
      };
      return isUndecided() ? wait() : take();
    },
    note(answer: Answer): void {
      const { created, perhaps } = creationOf(answer);
      // An attempt that was put off until later has created nothing, or the target contradicts itself.
      const made = created + Math.max(0, perhaps - (answer.reply.deferrals ?? 0));
      if (made > 0) accountOf(answer.request.endpoint).created += made;
      release(answer.request);
    },
    all: (): readonly Notice[] =>
      [...accounts].flatMap(([endpoint, { withheld }]) => {
        const allowance = allowanceOf(endpoint, config);
        if (withheld === 0 || allowance === undefined) return [];
        const { most, things, remedy } = allowance;
        const withheldText =
          withheld === 1 ? `A request to ${endpoint} was` : `${withheld} requests to ${endpoint} were`;
        const text = `${withheldText} not sent: the run creates ${most} ${things} at most.`;
        return [notice('info', text, remedy)];
      }),
  };
}
