import { type Endpoint, isOperation } from '../../../contracts/endpoint.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Members, membersOf } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { defaultQualityChecks } from '../../../contracts/resources/experiment.ts';
import { keepsSchema } from '../../judge/schema.ts';
import { inWords, said } from '../../judge/words.ts';
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
  return [
    violation(
      answer,
      'meaning.quality-weights',
      pointer,
      'weights that add up to 100',
      `weights that add up to ${Number(sum.toFixed(6))}`,
    ),
  ];
}

/** Section 2.5: an experiment keeps no more scores that were written by hand. */
const mostScores = 10;

/** The criteria of a list of scores, by the member that names them, without what may be lost at their ends. */
const criteriaOf = (list: unknown, name: string): readonly string[] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const criterion = membersOf(one)[name];
    return typeof criterion === 'string' ? [criterion.trim()] : [];
  });

/** The criteria of a body that are to be added: those of a default check, and those without a weight, change or remove. */
function addedCriteria({ request, sent }: Answer): readonly string[] {
  const row = endpointRow(request.endpoint);
  const scores = membersOf(sent).manualQualityScores;
  const isOpen = request.raw !== undefined || request.contested?.includes('manualQualityScores') === true;
  if (isOpen || row.action !== 'update' || !Array.isArray(scores) || !keepsSchema(sent, row)) return [];
  const isWeighed = (one: unknown): boolean => Number(membersOf(one).weight) > 0;
  const removed = criteriaOf(
    scores.filter(one => !isWeighed(one)),
    'criteriaDescription',
  );
  const named = new Set(criteriaOf(scores.filter(isWeighed), 'criteriaDescription'));
  return [...named].filter(one => !removed.includes(one) && !defaultQualityChecks.includes(one));
}

/**
 * Section 2.5: scores that are sent are added to those there are, of which ten at most are kept, whichever. Their numbers
 * are scaled, and not compared. A breakdown that shows none of them may be computed later; one that shows some by chance
 * shows all when the same is sent again.
 */
function addedViolations(answer: Answer): readonly Violation[] | null {
  const added = addedCriteria(answer);
  if (added.length === 0) return null;
  const { manualQualityScores, qualityScore } = membersOf(answer.data);
  const { breakdown } = membersOf(qualityScore);
  const shown = [
    ['/data/manualQualityScores', manualQualityScores, 'criteriaDescription', 0],
    ['/data/qualityScore/breakdown', breakdown, 'criterion', 1],
  ] as const;
  const compared = shown.flatMap(([pointer, list, name, fewest]) => {
    if (!Array.isArray(list)) return [];
    const criteria = criteriaOf(list, name);
    const lost = added.filter(one => !criteria.includes(one));
    const own = new Set(criteria.filter(one => !defaultQualityChecks.includes(one)));
    // What has no name that can be read is judged by its type.
    const isJudged = criteria.length === list.length && added.length - lost.length >= fewest && own.size < mostScores;
    return isJudged || lost.length === 0 ? [{ pointer, list, lost }] : [];
  });
  if (compared.length === 0) return null;
  return compared.flatMap(({ pointer, list, lost: [first] }) => {
    if (first === undefined) return [];
    return [violation(answer, 'meaning.quality-scores-added', pointer, `the criterion ${inWords(first)}`, said(list))];
  });
}

// biome-ignore format: a table
const notes: readonly Note[] = [
  { requirement: 'pagination.relative-link', appliesTo: ({ list }) => list,                          judge: linkViolations },
  { requirement: 'meaning.quality-weights',  appliesTo: ({ resource }) => resource === 'experiment', judge: weightViolations },
  { requirement: 'meaning.quality-scores-added', appliesTo: row => isOperation(row, 'experiment', 'update'), judge: addedViolations },
];

const notesOf = (row: Endpoint): readonly Note[] => notes.filter(note => note.appliesTo(row));

/** Section 2: what the notes of a table say of a value beyond its type holds of the values that answers show. */
export const tableNotes: PassiveCheck = {
  kind: 'passive',
  id: 'table-notes',
  level: 'SHOULD',
  title:
    'What the notes of a table say of a value holds: the link to the next page is relative, scores are added, their weights make 100',
  detects:
    'A link that names a host, which leads around a proxy; weights that were never scaled; a criterion that was sent and is not there.',
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
