import type { Behaviour } from '../../behaviours/schema.ts';
import { counted, shortened } from './text.ts';

const latencyText = (latency: NonNullable<Behaviour['latency']>): string => {
  if ('ms' in latency) return `holds back for ${latency.ms} ms`;
  if ('fromMs' in latency) return `holds back for ${latency.fromMs} to ${latency.toMs} ms`;
  return `holds back for ${latency.medianMs} ms mostly, ${latency.p95Ms} ms or more in one of twenty`;
};

const connections = { drop: 'drops the connection', stall: 'never answers' } as const;

/** In words, what a behaviour does to the requests that it meets. */
export const doesText = (behaviour: Behaviour): string => {
  const { fault, dialect, latency, error, connection, rateLimit, afterWork } = behaviour;
  const parts = [
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

/** In words, which requests a behaviour meets. */
export const meetsText = ({ operations, methods, entity, next, left, share }: Behaviour): string => {
  const whom = operations?.join(', ') ?? (methods === undefined ? 'every request' : `every ${methods.join(' and ')}`);
  return [
    whom,
    entity === undefined ? '' : `for ${shortened(entity)}`,
    share === undefined ? '' : `${Math.round(share * 10_000) / 100} % of them`,
    next === undefined
      ? ''
      : (left ?? next) === 0
        ? `the ${counted(next, 'request')} it was for are over`
        : `the next ${left ?? next}`,
  ]
    .filter(part => part !== '')
    .join(', ');
};
