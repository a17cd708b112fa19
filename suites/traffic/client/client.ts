import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { Breach, Note } from '../exchange/breach.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import type { SeenExchange } from '../exchange/seen.ts';
import { type BodyJudgement, judgeBody } from './body.ts';
import type { Links } from './links.ts';
import type { Pace } from './pace.ts';
import { contentTypeBreaches, keyBreaches, queryJudgement, routeBreaches } from './request.ts';

/** What a request showed of its client. */
export interface ClientJudgement {
  readonly breaches: readonly Breach[];
  readonly notes: readonly Note[];
  readonly covers: readonly RequirementId[];
  readonly body: BodyJudgement;
  /** It asks for a page that no link offered, where the links alone say which there are. */
  readonly isOpenPage: boolean;
}

const followed: Note = { requirement: 'client.followed-link', subject: 'the path of a link', value: 'followed' };

/** The requirements of a client that a request could have broken, beside those of its body. */
function coveredBy({ body, query, headers }: SeenExchange, { isKnown }: KeyUse): RequirementId[] {
  const hasBody = body !== undefined && body.kind !== 'empty';
  return [
    'client.path',
    'client.method',
    'client.key-not-in-query',
    ...(isKnown ? (['client.key-header'] as const) : []),
    ...(hasBody ? (['client.key-not-in-body'] as const) : []),
    ...(query.size > 0 ? (['client.query-type'] as const) : []),
    ...(hasBody && headers !== undefined ? (['client.content-type'] as const) : []),
  ];
}

/** What a client was told before: how long to wait, and which links there are. */
export interface ClientMemory {
  readonly pace: Pace;
  readonly links: Links;
}

/** Judges the request of an exchange, whatever the server made of it. */
export function judgeClient(
  seen: SeenExchange,
  use: KeyUse,
  header: string,
  { pace, links }: ClientMemory,
): ClientJudgement {
  const isUnknown = seen.operation === undefined;
  const isFollowed = isUnknown && links.wasOffered(seen);
  const body = judgeBody(isUnknown ? { ...seen, body: undefined } : seen);
  const query = queryJudgement(seen);
  const waited = pace.judge(seen, use.key);
  const linked = links.note(seen);
  return {
    body,
    isOpenPage: linked.length > 0,
    breaches: [
      ...(isFollowed ? [] : routeBreaches(seen)),
      ...keyBreaches(seen, use, header),
      ...contentTypeBreaches(seen),
      ...query.breaches,
      ...body.breaches,
      ...waited.breaches,
    ],
    notes: [...(isFollowed ? [followed] : []), ...query.notes, ...body.notes, ...linked],
    covers: [...coveredBy(seen, use), ...(waited.covers ? (['client.retry-after'] as const) : []), ...body.covers],
  };
}
