import { readPage } from '../../judge/page.ts';
import { pagesRequirements } from '../../judge/page-covers.ts';
import { askedNumber, judgeByQuery } from '../../judge/queried-page.ts';
import { isAccepted } from '../../protocol/answer.ts';
import { covering, notJudged, type PassiveCheck } from '../../protocol/check.ts';

/** Sections 2.1, 4.11, 4.12 and 8: each page of a list, whichever check reads it. */
export const pages: PassiveCheck = {
  kind: 'passive',
  id: 'pages',
  level: 'MUST',
  title: 'Each page of a list has the size, the number and the links that it should have',
  detects:
    'A page size that is left over from another request, links of a page that only some requests are answered with, a page of another event or config that is counted wrongly, an update that adds a copy to the list.',
  requirements: pagesRequirements,
  appliesTo: row => row.list,
  observe(answer, row) {
    const { query = {}, asks } = answer.request;
    const [page, limit] = [askedNumber(query.page), askedNumber(query.limit)];
    if (!answer.own || asks !== undefined || page === null || limit === null) return notJudged;
    const read = answer.isCut ? null : readPage(answer);
    if (read === null) return notJudged;
    const { violations, covers } = judgeByQuery(read, { page, limit }, row);
    return covering(violations, isAccepted(answer) ? covers : []);
  },
};
