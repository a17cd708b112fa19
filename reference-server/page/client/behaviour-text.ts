import type { Matcher, ScriptedAnswer } from '../../../contracts/behaviour.ts';
import type { Behaviour } from '../../behaviours/schema.ts';
import { counted, shortened } from './text.ts';

const latencyText = (latency: NonNullable<Behaviour['latency']>): string => {
  if ('ms' in latency) return `holds back for ${latency.ms} ms`;
  if ('fromMs' in latency) return `holds back for ${latency.fromMs} to ${latency.toMs} ms`;
  return `holds back for ${latency.medianMs} ms mostly, ${latency.p95Ms} ms or more in one of twenty`;
};

const connections = { drop: 'drops the connection', stall: 'never answers' } as const;

/** A step of a script, in words. */
const stepText = (step: ScriptedAnswer | 'real'): string => {
  if (step === 'real') return step;
  const { status, wire, delay, bytesPerSecond, effect } = step;
  const parts = [status ?? 'real', wire, delay && 'later', bytesPerSecond && `${bytesPerSecond} bytes/s`, effect];
  return parts.filter(Boolean).join(' ');
};

const afterTexts = { end: '', repeat: ', then the last again', restart: ', then from the first' } as const;

/** In words, what a behaviour does to the requests that it meets. */
export const doesText = (behaviour: Behaviour): string => {
  const { fault, dialect, latency, error, connection, rateLimit, afterWork, then, after = 'end' } = behaviour;
  const parts = [
    then === undefined ? '' : `answers in turn ${shortened(then.map(stepText).join(', '))}${afterTexts[after]}`,
    fault === undefined ? '' : `fault ${fault}`,
    dialect === undefined ? '' : `dialect ${dialect}`,
    latency === undefined ? '' : latencyText(latency),
    error === undefined
      ? ''
      : `answers ${error.status}${error.message === undefined ? '' : `: ${shortened(error.message)}`}`,
    connection === undefined ? '' : connections[connection],
    rateLimit === undefined
      ? ''
      : `refuses more than ${counted(rateLimit.requests, 'request')} in ${rateLimit.seconds} s`,
  ].filter(part => part !== '');
  return `${parts.join(', ')}${afterWork === true ? ', when the work is done' : ''}`;
};

const matchText = (match: Readonly<Record<string, Matcher | Readonly<Record<string, Matcher>>>>): string =>
  JSON.stringify(match).slice(1, -1);

/** In words, which requests a behaviour meets. */
export const meetsText = (behaviour: Behaviour): string => {
  const { match = {}, methods = match.method, entity, times, next = times, left, share, skip, until } = behaviour;
  const operations = behaviour.operations ?? match.operation;
  const whom = operations === undefined ? undefined : [operations].flat().join(', ');
  const { operation: _operation, method: _method, ...others } = match;
  return [
    whom ?? (methods === undefined ? 'every request' : `every ${[methods].flat().join(' and ')}`),
    Object.keys(others).length === 0 ? '' : `where ${shortened(matchText(others))}`,
    skip === undefined ? '' : `after the first ${skip}`,
    until === undefined ? '' : `until ${until}`,
    entity === undefined ? '' : `for ${shortened(entity)}`,
    share === undefined ? '' : `${Math.round(share * 10_000) / 100} % of them`,
    next === undefined
      ? left === undefined
        ? ''
        : `${left} left`
      : (left ?? next) === 0
        ? `the ${counted(next, 'request')} it was for are over`
        : `the next ${left ?? next}`,
  ]
    .filter(part => part !== '')
    .join(', ');
};
