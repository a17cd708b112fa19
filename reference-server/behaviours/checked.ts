import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { specificationNaming } from '../../contracts/target.ts';
import { layerOf, type Variation } from '../decorators/layers.ts';
import { ControlError, type ControlProblem, refuseInvalid } from '../tool/refusal.ts';
import type { Catalogue, SwitchedDialect } from './catalogue.ts';
import { effects } from './effects.ts';
import { type BehaviourRequest, behaviourSchema } from './schema.ts';

const narrowing = ['operations', 'methods', 'entity', 'next', 'share'] as const satisfies (keyof BehaviourRequest)[];

/** Why a row cannot be switched while the server runs; undefined where it can. */
export const fixedAtStart = ({ naming, apiKey, holds }: SwitchedDialect): string | undefined => {
  if (naming !== undefined || apiKey !== undefined) return 'changes the names or the key of the server';
  return holds === undefined ? undefined : 'changes what the server holds at first';
};

/** Whether a row shows the store as a whole in another way, so that it holds for all requests or for none. */
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

/** What would never act: whoever asked for it would wait for it in vain. */
const idleProblems = (behaviour: BehaviourRequest, catalogue: Catalogue): ControlProblem[] => {
  const { methods, entity, error, connection, afterWork } = behaviour;
  const operations: readonly string[] = behaviour.operations ?? endpointIds;
  const changed: readonly EndpointId[] = rowOf(catalogue, behaviour)?.endpoints ?? endpointIds;
  const meant = changed.filter(id => operations.includes(id));
  const reached = meant.filter(id => methods?.some(method => method === endpoints[id].method) ?? true);
  const problems: ControlProblem[] = [];
  if (meant.length > 0 && reached.length === 0)
    problems.push({ pointer: '/methods', message: `are none of those of the operations: ${meant.join(', ')}` });
  if (reached.length > 0 && entity !== undefined && reached.every(id => endpoints[id].param === null))
    problems.push({ pointer: '/entity', message: `is in the path of none of the operations: ${reached.join(', ')}` });
  if (error !== undefined && connection !== undefined)
    problems.push({ pointer: '/error', message: 'is never seen where the connection is lost: leave one of them out' });
  if (afterWork === true && error === undefined && connection === undefined)
    problems.push({ pointer: '/afterWork', message: 'says when `error` or `connection` comes: give one of them' });
  return problems;
};

const namedProblems = (behaviour: BehaviourRequest, { faults, dialects }: Catalogue): ControlProblem[] => {
  const fault = faults.find(({ id }) => id === behaviour.fault);
  const dialect = dialects.find(({ id }) => id === behaviour.dialect);
  const unknown = (pointer: string, message: string): ControlProblem[] => [{ pointer, message }];
  const fixed = dialect && fixedAtStart(dialect);
  return [
    ...(behaviour.fault === undefined
      ? []
      : fault
        ? rowProblems(fault, '/fault', behaviour)
        : unknown('/fault', 'names no fault')),
    ...(behaviour.dialect === undefined
      ? []
      : dialect
        ? rowProblems(dialect, '/dialect', behaviour)
        : unknown('/dialect', 'names no dialect')),
    ...(fixed === undefined
      ? []
      : unknown('/dialect', `${fixed}: start the server with it (serve --dialect ${dialect?.id})`)),
  ];
};

const latencyProblems = ({ latency }: BehaviourRequest): ControlProblem[] => {
  if (latency === undefined || 'ms' in latency) return [];
  const [from, to, name] =
    'fromMs' in latency ? [latency.fromMs, latency.toMs, 'toMs'] : [latency.medianMs, latency.p95Ms, 'p95Ms'];
  return to < from ? [{ pointer: `/latency/${name}`, message: `must be at least ${from}` }] : [];
};

/** What node:http would not send. */
const headerProblems = ({ error }: BehaviourRequest): ControlProblem[] =>
  Object.entries(error?.headers ?? {}).flatMap(([name, value]) =>
    /^(?!(?:content-length|transfer-encoding)$)[\w!#$%&'*+.^`|~-]+$/i.test(name) &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value as string)
      ? []
      : [{ pointer: '/error/headers', message: `has a name or a value that HTTP cannot carry` }],
  );

/** A behaviour that was asked for. Throws a `ControlError` (400) with all that is wrong with it, if anything. */
export const checkedBehaviour = (value: unknown, catalogue: Catalogue): BehaviourRequest => {
  const message = 'This is no behaviour.';
  refuseInvalid(behaviourSchema, value, message);
  const behaviour = value as BehaviourRequest;
  const does = Object.keys(effects);
  const problems: ControlProblem[] = [
    ...(does.some(name => Object.hasOwn(behaviour, name))
      ? []
      : [{ pointer: '', message: `must do something: ${does.join(', ')}` }]),
    ...namedProblems(behaviour, catalogue),
    ...idleProblems(behaviour, catalogue),
    ...latencyProblems(behaviour),
    ...headerProblems(behaviour),
  ];
  if (problems.length > 0) throw new ControlError(400, message, problems);
  return behaviour;
};
