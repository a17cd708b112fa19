import { readPage } from '../../judge/page.ts';
import { pagesRequirements } from '../../judge/page-covers.ts';
import { judgeByQuery } from '../../judge/queried-page.ts';
import { type Answer, isAccepted } from '../../protocol/answer.ts';
import { covering, notJudged, type PassiveCheck } from '../../protocol/check.ts';
import { mostOfOneList } from '../../sut/clipped.ts';

/** Returns what a parameter asks for; null for a value that no page can have, since any answer to it is open. */
function numberIn(value: string | number | undefined): number | undefined | null {
  if (value === undefined) return undefined;
  return /^[1-9]\d{0,5}$/.test(String(value)) ? Number(value) : null;
}

/** True if the answer may lack items of its page because it is judged in part. */
const isPart = ({ data, reply: { body } }: Answer): boolean =>
  body.kind === 'json' && Array.isArray(data) && data.length >= mostOfOneList;

/** Sections 2.1, 4.11, 4.12 and 8: each page of a list, whichever check reads it. */
export const pages: PassiveCheck = {
  kind: 'passive',
  id: 'pages',
  level: 'MUST',
  title: 'Each page of a list has the size, the number and the links that it should have',
  detects:
    'A page size that is left over from another request, links of a page that only some requests are answered with, a page of another event or config that is counted wrongly.',
  requirements: pagesRequirements,
  appliesTo: row => row.list,
  observe(answer, row) {
    const { query = {}, asks } = answer.request;
    const [page, limit] = [numberIn(query.page), numberIn(query.limit)];
    if (!answer.own || asks !== undefined || page === null || limit === null) return notJudged;
    const read = isPart(answer) ? null : readPage(answer);
    if (read === null) return notJudged;
    const { violations, covers } = judgeByQuery(read, { page, limit }, row);
    return covering(violations, isAccepted(answer) ? covers : []);
  },
};
