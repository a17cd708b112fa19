import fc from 'fast-check';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import { createModel as createKnowledge } from '../../model/interpret.ts';
import { isFirm, type Suspicion } from '../../model/suspicion.ts';
import type { Answer, ApiRequest } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  isNothingToDo,
  type Session,
} from '../../protocol/check.ts';
import { withNewNames } from '../../protocol/created-names.ts';
import type { MinimalRequest } from '../../protocol/sut.ts';
import { createHeld } from '../../sut/held.ts';
import { minimalRequest } from '../../sut/minimal-request.ts';
import { targetOf } from '../../sut/target.ts';
import { givenAnswer } from './answers.ts';
import { createModel, fixtures, type Model, right, type Wrong } from './model.ts';

const file = {
  fixtures,
  vocabulary: {
    idTypes: ['userID'],
    models: ['gpt-4o'],
    providers: ['openai'],
    teams: ['growth'],
    users: [{ id: 'user-1', email: 'ada@example.com' }],
  },
};

/** Returns the context of a check at an endpoint, against the model of the tests. */
export function contextOf(endpoint: EndpointId, more: Partial<CheckContext> = {}): CheckContext {
  const target = targetOf(file, new URL('http://model.invalid'), 'Model-Key');
  const discovered = { qualifyingEvents: new Map() };
  const row = endpointRow(endpoint);
  return {
    endpoint,
    row,
    target,
    discovered,
    minimal: minimalRequest(target, discovered, endpoint) as MinimalRequest,
    amounts: { fuzz: 25, walks: 4, creations: 13 },
    token: 'test',
    oneShot: row.oneShot === true,
    seed: 1,
    settleMs: 0,
    readOnly: false,
    ...more,
  };
}

/** A session answered by a model, without a target. `sent` keeps the requests. */
interface ModelSession extends Session {
  readonly sent: readonly ApiRequest[];
  readonly suspicions: readonly Suspicion[];
}

/** Opens such a session. It compares its answers with each other, and expects no other writers. */
export function modelSession(model: Model): ModelSession {
  const sent: ApiRequest[] = [];
  const known = createKnowledge({ settleMs: 0, token: 'test', isSoleWriter: true });
  const suspicions: Suspicion[] = [];
  const held = createHeld();
  let events = 0;
  const gates = new Map<string, Readonly<Record<string, unknown>>>();
  const stamped = ({ body, raw }: ApiRequest): Json | undefined => {
    if (typeof raw === 'string' || raw instanceof Buffer) {
      try {
        return JSON.parse(raw.toString()) as Json;
      } catch {
        return null;
      }
    }
    return withNewNames(body, 'test', () => sent.length);
  };
  /** Records a request as sent; the returned function answers it. */
  function begin(request: ApiRequest): () => Answer {
    sent.push(request);
    const body = stamped(request);
    events += 1;
    const number = events;
    known.interpret({ kind: 'begun', number, atMs: number, request, sent: body });
    return () => {
      const answer = givenAnswer({
        endpoint: request.endpoint,
        request,
        ...(body === undefined ? {} : { sent: body }),
        ...model(request, body),
      });
      events += 1;
      const told = known.interpret({ kind: 'answered', number, lost: [], atMs: events, answer });
      held.note(told);
      suspicions.push(...told.suspicions);
      const isRead = gates.has(request.param ?? '') && JSON.stringify(body) === '{}';
      if (answer.success && endpointRow(request.endpoint).resource === 'gate' && !isRead)
        gates.set(request.param ?? '', answer.data as Readonly<Record<string, unknown>>);
      return answer;
    };
  }
  return {
    sent,
    suspicions,
    ...held.told,
    apiKey: 'Model-Key',
    lastWritten: gate => gates.get(gate),
    send: async request => begin(request)(),
    together: async requests => requests.map(begin).map(answered => answered()),
  };
}

/** The results of a check over all its cases. */
export interface Judgement {
  /** `requirement pointer` of each violation, each once, in order. */
  readonly found: readonly string[];
  /** The same for its suspicions. */
  readonly suspected: readonly string[];
  /** The requirements of `found`, each once, sorted. */
  readonly cited: readonly string[];
  /** The requirements of `found` and `suspected` together. */
  readonly told: readonly string[];
  /** Every requirement that the causes of suspicions may break; an investigation finds out which. */
  readonly mayBeBroken: readonly string[];
  /** The reasons why cases proved nothing, each once. */
  readonly because: readonly string[];
  readonly results: readonly (CheckResult & { readonly title: string })[];
  readonly sent: readonly ApiRequest[];
}

const once = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Runs the cases of a check, or only those with these titles, in turn against a wrong model. */
export async function judgedBy<I>(
  check: ActiveCheck<I>,
  endpoint: EndpointId,
  wrong: Wrong = right,
  more: Partial<CheckContext> = {},
  titles?: readonly string[],
): Promise<Judgement> {
  const context = contextOf(endpoint, more);
  const session = modelSession(wrong(createModel()));
  const plan = check.plan(context);
  if (isNothingToDo(plan))
    return {
      found: [],
      suspected: [],
      cited: [],
      told: [],
      mayBeBroken: [],
      because: [plan.because],
      results: [],
      sent: [],
    };
  const drawn =
    plan.arbitrary === undefined
      ? []
      : fc.sample(plan.arbitrary, {
          seed: 1,
          numRuns: Math.min(context.amounts.fuzz, plan.most ?? context.amounts.fuzz),
        });
  const results: (CheckResult & { title: string })[] = [];
  for (const input of [...(plan.cases ?? []), ...drawn]) {
    const { title } = plan.describe(input);
    if (titles?.includes(title) ?? true) results.push({ ...(await plan.run(input, session)), title });
  }
  const violations = results.flatMap(one => one.violations);
  const suspicions = session.suspicions.filter(isFirm);
  const cited = once(violations.map(({ requirement }) => requirement)).sort();
  return {
    found: once(violations.map(({ requirement, pointer }) => `${requirement} ${pointer}`)),
    suspected: once(suspicions.map(({ requirements, pointer }) => `${requirements[0]} ${pointer}`)),
    cited,
    told: once([...cited, ...suspicions.flatMap(({ requirements: [first] }) => first ?? [])]).sort(),
    because: once(results.flatMap(({ because }) => because ?? [])),
    mayBeBroken: once([...cited, ...suspicions.flatMap(({ requirements }) => requirements)]),
    results,
    sent: session.sent,
  };
}
