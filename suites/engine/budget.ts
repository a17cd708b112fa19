import type { Resource } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { Notice, Profile } from '../../contracts/report/journal.ts';
import type { Limits } from '../../contracts/target.ts';
import { type ApiRequest, isDryRun } from '../protocol/answer.ts';
import { Withheld } from '../protocol/stop.ts';
import type { Observer } from '../sut/observer.ts';
import type { RunConfig } from './config.ts';
import { creationOf } from './residue.ts';

/** A limit of the target file on what is created. */
type BudgetName = Exclude<keyof Limits, 'requests'>;

/** The limit that holds for what an additive operation creates, and what the things are called. */
// biome-ignore format: a table
const budgets: Readonly<Partial<Record<Resource, { readonly name: BudgetName; readonly things: string }>>> = {
  metric:           { name: 'metrics',        things: 'metrics' },
  'prompt-version': { name: 'promptVersions', things: 'prompt versions' },
};

/** How much a run of each profile creates at most, where the target file says nothing else. */
// biome-ignore format: a table
const defaults: Readonly<Record<Profile, Readonly<Record<BudgetName, number>>>> = {
  quick:    { metrics: 10,  promptVersions: 10 },
  standard: { metrics: 40,  promptVersions: 30 },
  thorough: { metrics: 200, promptVersions: 150 },
};

/** So much of what a run may create is kept for what verdicts hang on. */
const kept = 2;

/** How many things of an operation's resource a run creates at most; undefined where it creates none. */
export function mostCreated(endpoint: EndpointId, { target, profile }: RunConfig): number | undefined {
  const budget = budgets[endpointRow(endpoint).resource];
  if (budget === undefined || endpointRow(endpoint).effect !== 'additive') return undefined;
  return target.limits?.[budget.name] ?? defaults[profile][budget.name];
}

/** Holds back what would create more than the run may. */
export interface CreationBudget extends Observer {
  /** Resolves when the request may be sent. Throws `Withheld` where it could create more than is left. */
  admit(request: ApiRequest): Promise<void> | void;
  /** The request was admitted and is not sent after all. */
  release(request: ApiRequest): void;
}

interface Account {
  created: number;
  inFlight: number;
  withheld: number;
  readonly waiting: (() => void)[];
}

/** True of a request that creates something if it is accepted, whether it should be or not. */
const mayCreate = (request: ApiRequest): boolean =>
  endpointRow(request.endpoint).effect === 'additive' &&
  request.method === undefined &&
  !isDryRun({ sent: request.body, request });

/**
 * The budget of a run that has created nothing yet. What is in flight may be refused, so near the limit a request waits
 * for the answers to the others instead of being held back: how fast a target answers decides nothing.
 */
export function createBudget(config: RunConfig): CreationBudget {
  const accounts = new Map<EndpointId, Account>();
  const accountOf = (endpoint: EndpointId): Account => {
    const known = accounts.get(endpoint) ?? { created: 0, inFlight: 0, withheld: 0, waiting: [] };
    accounts.set(endpoint, known);
    return known;
  };
  const remedyFor = (endpoint: EndpointId, most: number): string =>
    `limits.${budgets[endpointRow(endpoint).resource]?.name}: ${Math.max(2 * most, 10)}`;
  const settle = (account: Account): void => {
    account.inFlight -= 1;
    for (const wake of account.waiting.splice(0)) wake();
  };

  async function admitted(endpoint: EndpointId, most: number, account: Account): Promise<void> {
    while (account.created < most && account.created + account.inFlight >= most)
      await new Promise<void>(wake => account.waiting.push(wake));
    take(endpoint, most, account);
  }

  function take(endpoint: EndpointId, most: number, account: Account): void {
    if (account.created >= most) {
      account.withheld += 1;
      const things = budgets[endpointRow(endpoint).resource]?.things;
      throw new Withheld(`the run creates ${most} ${things} at most, and has`, remedyFor(endpoint, most));
    }
    account.inFlight += 1;
  }

  return {
    admit(request) {
      const { endpoint } = request;
      const most = mayCreate(request) ? mostCreated(endpoint, config) : undefined;
      if (most === undefined) return;
      const account = accountOf(endpoint);
      if (request.spare === true && account.created + account.inFlight >= most - kept)
        throw new Withheld(`what else the run may create is kept for others (${most} at most)`);
      if (account.created < most && account.created + account.inFlight >= most)
        return admitted(endpoint, most, account);
      take(endpoint, most, account);
    },
    release(request) {
      if (mayCreate(request) && accounts.has(request.endpoint)) settle(accountOf(request.endpoint));
    },
    note(answer) {
      const { endpoint } = answer.request;
      const { created, perhaps } = creationOf(answer);
      if (created + perhaps > 0) accountOf(endpoint).created += created + perhaps;
      if (mayCreate(answer.request) && accounts.has(endpoint)) settle(accountOf(endpoint));
    },
    all: () =>
      [...accounts].flatMap(([endpoint, { withheld }]): Notice[] => {
        const most = mostCreated(endpoint, config);
        if (withheld === 0 || most === undefined) return [];
        const { things } = budgets[endpointRow(endpoint).resource] ?? {};
        const text = `${withheld} requests to ${endpoint} were not sent: the run creates ${most} ${things} at most.`;
        return [{ event: 'notice', severity: 'info', text, remedy: remedyFor(endpoint, most) }];
      }),
  };
}
