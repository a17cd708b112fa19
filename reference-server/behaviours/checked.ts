import {
  type BehaviourRequest,
  behaviourSchema,
  type Matcher,
  type ScriptedAnswer,
} from '../../contracts/behaviour.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { isObject } from '../../contracts/json.ts';
import { join } from '../../contracts/pointer.ts';
import { specificationNaming } from '../../contracts/target.ts';
import { layerOf, type Variation } from '../decorators/layers.ts';
import { ControlError, type ControlProblem, refuseInvalid } from '../tool/refusal.ts';
import type { Catalogue, SwitchedDialect } from './catalogue.ts';
import { effectOf, unanswered, withoutBody } from './effects.ts';
import { scriptOf } from './turns.ts';

// biome-ignore format: a table
const narrowing = ['match', 'skip', 'times', 'share', 'until', 'operations', 'methods', 'entity', 'next'] as const satisfies (keyof BehaviourRequest)[];

/** Members that have an effect; a behaviour needs at least one. */
const doing = ['then', 'latency', 'rateLimit', 'fault', 'dialect', 'error', 'connection'] as const;

/** Says why a dialect cannot be switched while the server runs; undefined if it can. */
export const fixedAtStart = ({ naming, apiKey, holds }: SwitchedDialect): string | undefined => {
  if (naming !== undefined || apiKey !== undefined) return 'changes the names or the key of the server';
  return holds === undefined ? undefined : 'changes what the server holds at first';
};

/** True if a row changes the whole store, so that it holds for all requests or none. */
export const meansWholeStore = (row: Variation): boolean =>
  layerOf(row, { apiKey: '', naming: specificationNaming }).decorateStore !== undefined;

const rowProblems = (row: Variation, pointer: string, behaviour: BehaviourRequest): ControlProblem[] => {
  const { operations } = behaviour;
  const narrowed = narrowing.filter(name => behaviour[name] !== undefined);
  if (narrowed.length > 0 && meansWholeStore(row))
    return [{ pointer, message: `changes the store as a whole: it cannot be narrowed by ${narrowed.join(', ')}` }];
  const own = row.endpoints ?? endpointIds;
  if (operations?.every(id => !own.some(one => one === id)) === true)
    return [{ pointer: '/operations', message: `are none of those that it changes: ${own.join(', ')}` }];
  return [];
};

const rowOf = ({ faults, dialects }: Catalogue, { fault, dialect }: BehaviourRequest): Variation | undefined =>
  faults.find(({ id }) => id === fault) ?? dialects.find(({ id }) => id === dialect);

/** A rule: whether it is broken, where, and the message. */
type Rule = readonly [isBroken: boolean, pointer: string, message: string];

const broken = (rules: readonly Rule[]): ControlProblem[] =>
  rules.flatMap(([isBroken, pointer, message]) => (isBroken ? [{ pointer, message }] : []));

/** Returns the problems that would keep a behaviour from ever acting: a client would wait in vain. */
const idleProblems = (behaviour: BehaviourRequest, catalogue: Catalogue): ControlProblem[] => {
  const { match = {}, operations, methods, entity, error, connection, afterWork, then, next, after } = behaviour;
  const changed: readonly EndpointId[] = rowOf(catalogue, behaviour)?.endpoints ?? endpointIds;
  const wanted = [match.operation ?? endpointIds].flat();
  const meant = changed.filter(id => wanted.includes(id) && (operations ?? endpointIds).some(one => one === id));
  const hasMethod = (id: EndpointId, all: readonly string[] | undefined): boolean =>
    all?.includes(endpoints[id].method) ?? true;
  const ofMatch = match.method && [match.method].flat();
  const reached = meant.filter(id => hasMethod(id, methods) && hasMethod(id, ofMatch));
  const isReached = reached.length > 0;
  const hasNoEntity = isReached && reached.every(id => endpoints[id].param === null);
  const hasNoBody = isReached && reached.every(id => endpoints[id].body === null);
  const none = (what: string, ids: readonly EndpointId[]): string => `${what} of the operations: ${ids.join(', ')}`;
  const isAnswered = error !== undefined || connection !== undefined;
  // biome-ignore format: a table
  return broken([
    [meant.length === 0 && match.operation !== undefined, '/match/operation', 'is none that the rest of the behaviour means'],
    [meant.length > 0 && !isReached,               methods === undefined ? '/match/method' : '/methods', none('are none of those', meant)],
    [hasNoEntity && entity !== undefined,          '/entity',      none('is in the path of none', reached)],
    [hasNoEntity && match.param !== undefined,     '/match/param', none('is in the path of none', reached)],
    [hasNoBody && match.body !== undefined,        '/match/body',  none('is read of none', reached)],
    [then !== undefined && isAnswered,             '/then',        'says what is answered: leave `error` and `connection` out'],
    [then !== undefined && next !== undefined,     '/next',        'is the older form of `times`: give that'],
    [then === undefined && after !== undefined,    '/after',       'says what comes after `then`: give that'],
    [error !== undefined && connection !== undefined, '/error',    'is never seen where the connection is lost: leave one of them out'],
    [afterWork === true && !isAnswered,            '/afterWork',   'says when `error` or `connection` comes: give one of them'],
  ]);
};

const namedProblems = (behaviour: BehaviourRequest, { faults, dialects }: Catalogue): ControlProblem[] => {
  const rows = { fault: faults, dialect: dialects };
  return (['fault', 'dialect'] as const).flatMap(kind => {
    const id = behaviour[kind];
    if (id === undefined) return [];
    const pointer = `/${kind}`;
    const row: Variation | undefined = rows[kind].find(one => one.id === id);
    if (row === undefined) return [{ pointer, message: `names no ${kind}` }];
    const fixed = fixedAtStart(row as SwitchedDialect);
    const message = `${fixed}: start the server with it (serve --dialect ${id})`;
    return [...rowProblems(row, pointer, behaviour), ...(fixed === undefined ? [] : [{ pointer, message }])];
  });
};

const latencyProblems = (pointer: string, latency: BehaviourRequest['latency']): ControlProblem[] => {
  if (latency === undefined || 'ms' in latency) return [];
  const [from, to, name] =
    'fromMs' in latency ? [latency.fromMs, latency.toMs, 'toMs'] : [latency.medianMs, latency.p95Ms, 'p95Ms'];
  return to < from ? [{ pointer: `${pointer}/${name}`, message: `must be at least ${from}` }] : [];
};

/** Returns problems of headers that node:http would refuse to send. */
const headerProblems = (pointer: string, headers: ScriptedAnswer['headers'] = {}): ControlProblem[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    /^(?!(?:content-length|transfer-encoding)$)[\w!#$%&'*+.^`|~-]+$/i.test(name) &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value as string)
      ? []
      : [{ pointer: `${pointer}/headers`, message: 'has a name or a value that HTTP cannot carry' }],
  );

const bodyMembers = ['body', 'text', 'bytes'] as const;

/** Returns the contradictions within one step of a script. */
const stepProblems = (pointer: string, step: ScriptedAnswer, looksAtBody: boolean): ControlProblem[] => {
  const { status, wire, bytesPerSecond } = step;
  const bodies = bodyMembers.filter(name => Object.hasOwn(step, name));
  const [first = '', second] = bodies;
  const isOwn = status !== undefined;
  const isEarly = wire === 'early-answer';
  const ofAnswer = [...bodies, 'headers', 'message'].filter(name => Object.hasOwn(step, name));
  // biome-ignore format: a table
  const rules: readonly Rule[] = [
    [second !== undefined,             second ?? '',     `is a second body beside \`${first}\`: leave one of them out`],
    ...ofAnswer.map((name): Rule => [!isOwn, name,       'is of an answer of its own: give its `status`']),
    [isOwn && withoutBody.includes(status) && first !== '', first, `cannot stand at a ${status}`],
    [wire !== undefined && bytesPerSecond !== undefined, 'bytesPerSecond', 'is of an answer that comes whole'],
    [!isOwn && !unanswered.includes(wire) && effectOf(step) !== 'before', 'effect', 'leaves no answer: give a `status`, or carry the operation out before'],
    [isEarly && !isOwn,                'wire',           'is an answer that knows nothing of the request: give its `status`'],
    [isEarly && effectOf(step) !== 'none', 'effect',     'cannot be: the body was not read'],
    [looksAtBody && (isEarly || wire === 'no-continue'), 'wire', 'comes before the body is read, on which `match` depends'],
  ];
  return [
    ...broken(rules.map(([is, member, message]) => [is, `${pointer}/${member}`, message])),
    ...latencyProblems(`${pointer}/delay`, step.delay),
    ...headerProblems(pointer, step.headers),
  ];
};

/** Returns the problems of matchers, the id and `until`. */
const matchProblems = ({ id = '', match = {}, until }: BehaviourRequest): ControlProblem[] => {
  const problems: ControlProblem[] = [];
  const check = (pointer: string, matcher: Matcher | undefined): void => {
    try {
      if (isObject(matcher) && matcher.matches !== undefined) new RegExp(String(matcher.matches), 'u');
    } catch (error) {
      const message = `is no regular expression: ${(error as Error).message}`;
      problems.push({ pointer: `${pointer}/matches`, message });
    }
  };
  check('/match/param', match.param);
  for (const part of ['query', 'headers', 'body'] as const)
    for (const [name, matcher] of Object.entries(match[part] ?? {})) {
      const pointer = join(`/match/${part}`, name);
      check(pointer, matcher);
      if (part === 'body' && !/^(\/.*)?$/s.test(name)) problems.push({ pointer, message: 'is no JSON Pointer' });
    }
  const isNoTime = typeof until === 'string' && !Number.isFinite(Date.parse(until));
  return [
    ...problems,
    ...broken([
      // URLs cannot carry these names as path segments.
      [/^\.{1,2}$/.test(id), '/id', 'is no name that a URL can carry'],
      [isNoTime, '/until', 'is no date and time, such as 2026-01-31T12:00:00Z'],
    ]),
  ];
};

/** Validates a behaviour. Throws a `ControlError` (400) with all its problems. */
export const checkedBehaviour = (value: unknown, catalogue: Catalogue): BehaviourRequest => {
  const message = 'This is no behaviour.';
  refuseInvalid(behaviourSchema, value, message);
  const behaviour = value as BehaviourRequest;
  const given = behaviour.then === undefined ? undefined : scriptOf(behaviour)?.steps;
  const problems: ControlProblem[] = [
    ...broken([[!doing.some(name => Object.hasOwn(behaviour, name)), '', `must do something: ${doing.join(', ')}`]]),
    ...namedProblems(behaviour, catalogue),
    ...idleProblems(behaviour, catalogue),
    ...matchProblems(behaviour),
    ...latencyProblems('/latency', behaviour.latency),
    ...headerProblems('/error', behaviour.error?.headers),
    ...(given ?? []).flatMap((step, index) =>
      stepProblems(`/then/${index}`, step, behaviour.match?.body !== undefined),
    ),
  ];
  if (problems.length > 0) throw new ControlError(400, message, problems);
  return behaviour;
};
