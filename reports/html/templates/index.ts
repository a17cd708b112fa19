import { causes } from './causes.ts';
import { finding, lines, marked, message } from './finding.ts';
import { gaps } from './gaps.ts';
import { matrix } from './matrix.ts';
import { page } from './page.ts';
import { requirements } from './requirements.ts';
import { residue, rest } from './rest.ts';
import { proseText, sign, signRead, summary } from './summary.ts';

/** The templates of the page by the names under which they include one another. */
export const templates = {
  '@page': page,
  '@summary': summary,
  '@sign': sign,
  '@sign-read': signRead,
  '@prose': proseText,
  '@matrix': matrix,
  '@causes': causes,
  '@finding': finding,
  '@marked': marked,
  '@message': message,
  '@lines': lines,
  '@gaps': gaps,
  '@requirements': requirements,
  '@rest': rest,
  '@residue': residue,
} as const;
