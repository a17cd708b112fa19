import { type Endpoint, isOperation } from '../../../contracts/endpoint.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { membersOf, objectsIn } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { criteriaOf, defaultQualityChecks, mostScores } from '../../../contracts/resources/experiment.ts';
import { keepsSchema } from '../../judge/schema.ts';
import { inWords, said } from '../../judge/words.ts';
import { type Answer, isAccepted, isDryRun, itemsOf } from '../../protocol/answer.ts';
import { covering, notJudged, type PassiveCheck, type Violation, violation } from '../../protocol/check.ts';

/** A table's note about a value. `judge` returns null if the answer shows nothing about it. */
interface Note {
  readonly requirement: RequirementId;
  readonly appliesTo: (row: Endpoint) => boolean;
  readonly judge: (answer: Answer) => readonly Violation[] | null;
}

/** True of a link with a scheme (RFC 3986 section 3.1), or with an authority alone. */
const isAbsolute = (link: string): boolean => /^\s*([a-z][a-z\d+.-]*:|[/\\]{2})/i.test(link);

/** Matches what no link holds unless percent-encoded (RFC 3986 section 2), and no client lets pass. */
const unencoded = /[\s"<>]/;

/** Section 2.1: the link to the next page is relative. The section does not say so of the other links. */
function linkViolations(answer: Answer): readonly Violation[] | null {
  const { nextPage } = membersOf(membersOf(answer.value).pagination);
  if (typeof nextPage !== 'string' || nextPage === '') return null;
  if (!isAbsolute(nextPage) && !unencoded.test(nextPage)) return [];
  const expected = isAbsolute(nextPage)
    ? 'a link without scheme and authority'
    : 'a link without white space, quotes and angle brackets, unless percent-encoded';
  return [violation(answer, 'pagination.relative-link', '/pagination/nextPage', expected, said(nextPage))];
}

/** The most decimals of a weight that are no rounding error of the sum. */
const mostDecimals = 6;

/** Returns how far the sum of rounded weights may be off: each may be cut off where the one with fewest decimals is. */
function roundingOf(weights: readonly number[]): number {
  const decimals = Math.min(...weights.map(weight => String(weight).split('.')[1]?.length ?? 0));
  return weights.length * (decimals === 0 ? 0.5 : 10 ** -Math.min(decimals, mostDecimals));
}

/** Returns the criteria that a body adds: no default check (a change), and none without weight (a removal). */
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

/** Section 2.5: weights are renormalised to 100. Each may be rounded, to a whole number too. */
function weightViolations(answer: Answer): readonly Violation[] | null {
  const { breakdown } = membersOf(membersOf(answer.data).qualityScore);
  if (!Array.isArray(breakdown) || breakdown.length === 0) return null;
  const weights = breakdown.map((one: unknown) => membersOf(one).weight);
  // A missing or wrongly typed weight is the schema check's finding.
  if (!weights.every(one => typeof one === 'number')) return null;
  // If every weight is 0, there is nothing to scale, unless one of the criteria was just sent with a weight.
  const criteria = criteriaOf(breakdown, 'criterion');
  if (weights.every(one => one === 0) && !addedCriteria(answer).some(one => criteria.includes(one))) return null;
  const sum = weights.reduce((all, one) => all + one, 0);
  if (Math.abs(sum - 100) <= roundingOf(weights)) return [];
  const words = (total: number): string => `weights that add up to ${total}`;
  const pointer = '/data/qualityScore/breakdown';
  return [violation(answer, 'meaning.quality-weights', pointer, words(100), words(Number(sum.toFixed(6))))];
}

/**
 * Section 2.5: sent scores are added to the existing ones, of which any ten are kept. Their numbers are scaled, so they
 * are not compared. A breakdown that shows none of them may be computed later. One that shows only some by chance shows
 * all when the request is confirmed.
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
    // An item without a readable name is judged by its type.
    const isJudged = criteria.length === list.length && added.length - lost.length >= fewest && own.size < mostScores;
    return isJudged || lost.length === 0 ? [{ pointer, list, lost }] : [];
  });
  if (compared.length === 0) return null;
  return compared.flatMap(({ pointer, list, lost: [first] }) => {
    if (first === undefined) return [];
    return [violation(answer, 'meaning.quality-scores-added', pointer, `the criterion ${inWords(first)}`, said(list))];
  });
}

/** Section 2.8: only a segment of rules has rules. A list of ids may show them empty; other types are not stated. */
function segmentViolations(answer: Answer): readonly Violation[] | null {
  const items = Array.isArray(answer.data) ? answer.data.map(membersOf) : [];
  if (!items.some(({ type }) => type === 'id_list')) return null;
  return items.flatMap(({ type, rules }, index) => {
    const { conditions } = membersOf(rules);
    if (type !== 'id_list' || !Array.isArray(conditions) || conditions.length === 0) return [];
    const pointer = `/data/${index}/rules`;
    return [violation(answer, 'meaning.segment-rules', pointer, 'no rules: the segment is a list of ids', said(rules))];
  });
}

const itemsIn = (answer: Answer) => itemsOf(answer, endpointRow(answer.request.endpoint));

/**
 * Section 2.7: the lineage of a metric names the events that it is made of. One that names none of them may be filled
 * later, or by other names.
 */
function lineageViolations(answer: Answer): readonly Violation[] | null {
  const judged = itemsIn(answer).flatMap(({ item, pointer }) => {
    const { metricEvents, funnelEventList, lineage } = membersOf(item);
    const texts = (all: readonly unknown[]): readonly string[] => all.filter(one => typeof one === 'string');
    const own = texts([...objectsIn(metricEvents), ...objectsIn(funnelEventList)].map(({ name }) => name));
    const { events } = membersOf(lineage);
    const named = new Set(texts(Array.isArray(events) ? events : []).map(name => name.toLowerCase()));
    const lacking = own.filter(name => !named.has(name.toLowerCase()));
    return lacking.length === own.length ? [] : [{ pointer: `${pointer}/lineage/events`, events, lacking }];
  });
  if (judged.length === 0) return null;
  return judged.flatMap(({ pointer, events, lacking: [first] }) =>
    first === undefined
      ? []
      : [
          violation(
            answer,
            'meaning.lineage-events',
            pointer,
            `the event ${inWords(first)} of the metric`,
            said(events),
          ),
        ],
  );
}

/** Section 2.7: the metrics of a lineage are given by their ids, `<name>::<type>`. */
function lineageIdViolations(answer: Answer): readonly Violation[] | null {
  const named = itemsIn(answer).flatMap(({ item, pointer }) => {
    const { metrics } = membersOf(membersOf(item).lineage);
    const all: readonly unknown[] = Array.isArray(metrics) ? metrics : [];
    return all.map((id, index) => ({ id, pointer: `${pointer}/lineage/metrics/${index}` }));
  });
  // What is no text is judged by its type.
  const ids = named.filter(({ id }) => typeof id === 'string');
  if (ids.length === 0) return null;
  const [wrong] = ids.filter(({ id }) => !/^.+::.+$/s.test(String(id)));
  if (wrong === undefined) return [];
  const expected = 'the id of a metric, <name>::<type>';
  return [violation(answer, 'meaning.lineage-ids', wrong.pointer, expected, said(wrong.id))];
}

/**
 * Section 2.7: a metric whose `directionality` nobody sent has its default, in the answer to a dry run too. Of a
 * creation other answers tell more.
 */
function defaultViolations(answer: Answer): readonly Violation[] | null {
  const { directionality } = membersOf(answer.data);
  const isOpen = !isDryRun(answer) || membersOf(answer.sent).directionality !== undefined;
  if (isOpen || !keepsSchema(answer.sent, endpointRow(answer.request.endpoint))) return null;
  if (directionality !== 'decrease') return directionality === 'increase' ? [] : null;
  const expected = said('increase', ', the default');
  return [
    violation(answer, 'state.metric-default-directionality', '/data/directionality', expected, said(directionality)),
  ];
}

// biome-ignore format: a table
const notes: readonly Note[] = [
  { requirement: 'pagination.relative-link', appliesTo: ({ list }) => list,                          judge: linkViolations },
  { requirement: 'meaning.quality-weights',  appliesTo: ({ resource }) => resource === 'experiment', judge: weightViolations },
  { requirement: 'meaning.quality-scores-added', appliesTo: row => isOperation(row, 'experiment', 'update'), judge: addedViolations },
  { requirement: 'meaning.lineage-events',   appliesTo: ({ resource }) => resource === 'metric',     judge: lineageViolations },
  { requirement: 'meaning.lineage-ids',      appliesTo: ({ resource }) => resource === 'metric',     judge: lineageIdViolations },
  { requirement: 'meaning.segment-rules',    appliesTo: ({ resource }) => resource === 'segment',    judge: segmentViolations },
  { requirement: 'state.metric-default-directionality', appliesTo: row => isOperation(row, 'metric', 'create'), judge: defaultViolations },
];

const notesOf = (row: Endpoint): readonly Note[] => notes.filter(note => note.appliesTo(row));

/** Section 2: the values in answers obey the notes in the tables, beyond their types. */
export const tableNotes: PassiveCheck = {
  kind: 'passive',
  id: 'table-notes',
  level: 'SHOULD',
  title:
    'What the notes of a table say of a value holds: the link to the next page is relative, scores are added, their weights make 100, a list of ids has no rules, a lineage is whole and holds ids, a dry run shows the default',
  detects:
    'A link that names a host, which leads around a proxy; weights that were never scaled; a criterion that was sent and is not there; a list of ids with the rules of another segment; a lineage of names, by which no metric is found; a default that a dry run shows turned round.',
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
