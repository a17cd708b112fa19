import type { Report } from '../../contracts/report/report.ts';
import {
  exchangesText,
  fieldsText,
  operationsText,
  reasonTexts,
  stateTexts,
  statusesText,
} from '../text/traffic-text.ts';
import type { Cause } from './causes.ts';
import { wholeMark } from './marks.ts';

/**
 * Returns what a page shows of judged traffic: two columns, the server's and the client's, with the causes of each, how
 * the exchanges add up, and what was used. Undefined for a run that sent its own requests.
 */
export function trafficOf({ traffic, endpoints }: Report, causes: readonly Cause[]) {
  if (traffic === undefined) return undefined;
  const columns = (['server', 'client'] as const).map(side => ({
    title: side === 'server' ? 'The server' : 'The client',
    mark: wholeMark(traffic.sides[side]),
    causes: causes
      .filter(cause => (cause.side ?? 'server') === side)
      .map(({ id, anchor, title }) => ({ id, anchor, title })),
  }));
  return {
    columns,
    facts: [
      { name: 'Exchanges', value: exchangesText(traffic) },
      ...reasonTexts(traffic.notJudged).map(value => ({ name: 'Not judged', value })),
      ...reasonTexts(traffic.outside).map(value => ({ name: 'Outside the API', value })),
      ...stateTexts(traffic).map(value => ({ name: 'State not judged', value })),
      {
        name: 'Operations',
        value: operationsText(
          traffic,
          endpoints.map(({ id }) => id),
        ),
      },
      { name: 'Fields', value: fieldsText(traffic) },
    ],
    operations: traffic.operations.map(one => ({
      id: one.endpoint,
      requests: one.requests.toLocaleString('en'),
      statuses: statusesText(one),
      never: one.neverSent.join(', '),
    })),
  };
}
