import type { Endpoint } from '../../../contracts/endpoint.ts';
import { isObject, type Members, membersOf } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { said } from '../../judge/words.ts';
import { type Answer, isAccepted } from '../../protocol/answer.ts';
import { covering, notJudged, type PassiveCheck, type Violation, violation } from '../../protocol/check.ts';

/** What a note says of a value that an answer shows; null where the answer shows nothing of it. */
interface Note {
  readonly requirement: RequirementId;
  readonly appliesTo: (row: Endpoint) => boolean;
  readonly judge: (answer: Answer) => readonly Violation[] | null;
}

/** A scheme (RFC 3986 section 3.1), or an authority without one. */
const isAbsolute = (link: string): boolean => /^\s*([a-z][a-z\d+.-]*:|[/\\]{2})/i.test(link);

/** Section 2.1: the link to the next page is relative. Of the others it says no such thing. */
function linkViolations(answer: Answer): readonly Violation[] | null {
  const { nextPage } = membersOf(membersOf(answer.value).pagination);
  if (typeof nextPage !== 'string' || nextPage === '') return null;
  if (!isAbsolute(nextPage)) return [];
  const expected = 'a link without scheme and authority';
  return [violation(answer, 'pagination.relative-link', '/pagination/nextPage', expected, said(nextPage))];
}

/** Section 2.5: weights are renormalised to 100. Each may be rounded to a whole number. */
function weightViolations(answer: Answer): readonly Violation[] | null {
  const { breakdown } = membersOf(membersOf(answer.data).qualityScore);
  if (!Array.isArray(breakdown) || breakdown.length === 0) return null;
  const weights = breakdown.map((one: unknown): unknown => (isObject(one) ? (one as Members).weight : undefined));
  // What has no weight, or one of another type, is judged by itself.
  if (!weights.every(one => typeof one === 'number')) return null;
  // Where nothing has a weight, there is nothing to be scaled.
  if (weights.every(one => one === 0)) return null;
  const sum = weights.reduce((all, one) => all + one, 0);
  if (Math.abs(sum - 100) <= weights.length / 2) return [];
  const pointer = '/data/qualityScore/breakdown';
  return [violation(answer, 'meaning.quality-weights', pointer, 'weights that add up to 100', `a sum of ${sum}`)];
}

// biome-ignore format: a table
const notes: readonly Note[] = [
  { requirement: 'pagination.relative-link', appliesTo: ({ list }) => list,                          judge: linkViolations },
  { requirement: 'meaning.quality-weights',  appliesTo: ({ resource }) => resource === 'experiment', judge: weightViolations },
];

const notesOf = (row: Endpoint): readonly Note[] => notes.filter(note => note.appliesTo(row));

/** Section 2: what the notes of a table say of a value beyond its type holds of the values that answers show. */
export const tableNotes: PassiveCheck = {
  kind: 'passive',
  id: 'table-notes',
  level: 'SHOULD',
  title: 'What the notes of a table say of a value holds: the link to the next page is relative, weights add up to 100',
  detects: 'A link that names a host, which leads around a proxy; weights that were never scaled.',
  requirements: row => notesOf(row).map(({ requirement }) => requirement),
  appliesTo: row => notesOf(row).length > 0,
  observe(answer, row) {
    if (!answer.success || !answer.own) return notJudged;
    const judged = notesOf(row).map(({ requirement, judge }) => ({ requirement, violations: judge(answer) }));
    const shown = judged.filter(({ violations }) => violations !== null);
    if (shown.length === 0) return notJudged;
    return covering(
      shown.flatMap(({ violations }) => violations ?? []),
      isAccepted(answer) ? shown.map(({ requirement }) => requirement) : [],
    );
  },
};
