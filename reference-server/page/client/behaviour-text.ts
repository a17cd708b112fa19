import type { Matcher, ScriptedAnswer } from '../../../contracts/behaviour.ts';
import type { Behaviour } from '../../behaviours/schema.ts';
import { counted, shortened } from './text.ts';

const latencyText = (latency: NonNullable<Behaviour['latency']>): string => {
  if ('ms' in latency) return `holds back for ${latency.ms} ms`;
  if ('fromMs' in latency) return `holds back for ${latency.fromMs} to ${latency.toMs} ms`;
  return `holds back for ${latency.medianMs} ms mostly, ${latency.p95Ms} ms or more in one of twenty`;
};

const connections = { drop: 'drops the connection', stall: 'never answers' } as const;

/** Joins the parts that are not empty. */
const joined = (parts: readonly unknown[], between = ', '): string => parts.filter(Boolean).join(between);

/** Describes a step of a script. */
const stepText = (step: ScriptedAnswer | 'real'): string => {
  if (step === 'real') return step;
  const { status, wire, delay, bytesPerSecond, effect } = step;
  return joined([status ?? 'real', wire, delay && 'later', bytesPerSecond && `${bytesPerSecond} bytes/s`, effect], ' ');
};

const afterTexts = { end: '', repeat: ', then the last again', restart: ', then from the first' } as const;

/** Describes what a behaviour does to the requests that it meets. */
export const doesText = (behaviour: Behaviour): string => {
  const { fault, dialect, latency, error, connection, rateLimit, afterWork, then, after = 'end' } = behaviour;
  return joined([
    then && `answers in turn ${shortened(then.map(stepText).join(', '))}${afterTexts[after]}`,
    fault && `fault ${fault}`,
    dialect && `dialect ${dialect}`,
    latency && latencyText(latency),
    error && joined([`answers ${error.status}`, error.message && shortened(error.message)], ': '),
    connection && connections[connection],
    rateLimit && `refuses more than ${counted(rateLimit.requests, 'request')} in ${rateLimit.seconds} s`,
    afterWork && 'when the work is done',
  ]);
};

const matchText = (match: Readonly<Record<string, Matcher | Readonly<Record<string, Matcher>>>>): string =>
  JSON.stringify(match).slice(1, -1);

/** Describes how many requests a behaviour still meets, if there is a limit. */
const leftText = ({ times, next = times, left = next }: Behaviour): string | undefined => {
  if (next === undefined) return left === undefined ? undefined : `${left} left`;
  return left === 0 ? `the ${counted(next, 'request')} it was for are over` : `the next ${left}`;
};

/** Describes which requests a behaviour meets. */
export const meetsText = (behaviour: Behaviour): string => {
  const { match = {}, methods = match.method, entity, share, skip, until } = behaviour;
  const { operations = match.operation } = behaviour;
  const { operation: _operation, method: _method, ...others } = match;
  return joined([
    operations === undefined
      ? `every ${methods === undefined ? 'request' : [methods].flat().join(' and ')}`
      : [operations].flat().join(', '),
    Object.keys(others).length > 0 && `where ${shortened(matchText(others))}`,
    skip !== undefined && `after the first ${skip}`,
    until !== undefined && `until ${until}`,
    entity && `for ${shortened(entity)}`,
    share !== undefined && `${Math.round(share * 10_000) / 100} % of them`,
    leftText(behaviour),
  ]);
};
