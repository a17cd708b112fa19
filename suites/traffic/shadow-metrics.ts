import { endpoints } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject, type Members } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { storedMismatches } from '../judge/echo.ts';
import { lastPage, type Page, readPage } from '../judge/page.ts';
import { inWords } from '../judge/words.ts';
import { dataObject, isDryRun } from '../protocol/answer.ts';
import { type NumberedAnswer, violation } from '../protocol/check.ts';
import { lineageOf } from '../state/reading.ts';
import { boundedMap } from './bounded.ts';
import { askedIn, otherParameters } from './server-pages.ts';
import type { ShadowOptions } from './shadow.ts';
import { idleRequirement, type Moment, stateBreach, stepOf, type Tracker, tooSoon, weightOf } from './shadow-moment.ts';

/** A metric that was created, and its answer. */
interface Created {
  readonly body: JsonObject;
  readonly events: readonly string[];
  readonly shown: NumberedAnswer;
}

/** A creation that must have left nothing, and the events whose lists did not have the metric before it. */
interface Absent {
  readonly requirement: RequirementId;
  readonly events: ReadonlySet<string>;
  readonly shown: NumberedAnswer;
}

const mostMetrics = 1_000;
const mostEvents = 200;
const mostListed = 2_000;
const row = endpoints['create-metric'];

/** Longer ids are told apart by their beginning: a name has no more than 200 characters. */
const idText = (id: unknown): string => String(id).slice(0, 300);

/** The id of a metric by what a body says of it (section 2.7). */
const idOf = ({ name, type }: Members): string => idText(`${name}::${type}`);

/** Follows metrics (sections 4.9 and 4.14): a created one is listed as it was created, a dry run creates none. */
export function metricTracker({ tell, cover, notJudged }: ShadowOptions): Tracker {
  const created = boundedMap<string, Created>(mostMetrics);
  const absent = boundedMap<string, Absent>(mostMetrics);
  /** The ids that the whole list of an event had when it was last read. */
  const lists = boundedMap<string, ReadonlySet<string>>(mostEvents);

  /** The pages of the lists of events that were read since the last creation, by number. */
  const partial = boundedMap<string, { readonly total: number; readonly pages: Map<number, readonly string[]> }>(
    mostEvents,
  );

  /** The ids of the whole list of an event, where its pages were all read since anything was created. */
  function wholeList(event: string, page: Page, ids: readonly string[]): ReadonlySet<string> | undefined {
    const key = `${event} ${page.itemsPerPage}`;
    const known = partial.get(key);
    const own = known?.total === page.totalItems ? known : { total: page.totalItems, pages: new Map() };
    if (own.pages.size * page.itemsPerPage > mostListed) own.pages.clear();
    own.pages.set(page.pageNumber, ids);
    partial.set(key, own);
    const all = Array.from({ length: lastPage(page) }, (_, index) => own.pages.get(index + 1));
    return all.includes(undefined) ? undefined : new Set(all.flatMap(one => one ?? []));
  }

  function creation({ seen, effect }: Moment): void {
    const body: JsonObject = isObject(seen.answer.sent) ? seen.answer.sent : {};
    const id = idOf(body);
    const isIdle = effect === 'refused' || effect === 'unauthorised';
    if (isIdle || (effect === 'accepted' && isDryRun(seen.answer))) {
      const requirement = isIdle ? idleRequirement(effect) : 'state.dry-run-metric';
      const events = [...lists.keys()].filter(event => lists.get(event)?.has(id) === false);
      if (events.length > 0 && created.get(id) === undefined)
        absent.set(id, { requirement, events: new Set(events), shown: stepOf(seen) }, weightOf(seen));
      return;
    }
    // It may stand there now, whoever asked for it before.
    absent.delete(id);
    if (effect !== 'accepted') return;
    const metric = dataObject(seen.answer);
    const { directionality } = metric;
    if (body.directionality === undefined && directionality !== undefined) {
      cover(seen, ['state.metric-default-directionality']);
      const pointer = '/data/directionality';
      if (directionality !== 'increase')
        tell(
          stateBreach(
            violation(
              seen.answer,
              'state.metric-default-directionality',
              pointer,
              '"increase", the default',
              inWords(directionality),
            ),
            [],
          ),
          seen,
        );
    }
    const own = typeof metric.id === 'string' ? idText(metric.id) : id;
    created.set(own, { body, events: lineageOf(metric).events.map(String), shown: stepOf(seen) }, weightOf(seen));
  }

  function listing({ seen, isUnsettled }: Moment): void {
    if (isUnsettled) {
      notJudged.add(tooSoon);
      return;
    }
    const { answer, operation } = seen;
    const event = operation?.param ?? '';
    const items = (Array.isArray(answer.data) ? answer.data : []).filter(isObject);
    const page = readPage(answer);
    const last = stepOf(seen);
    for (const [index, item] of items.entries()) {
      const id = idText(item.id);
      const at = `/data/${index}`;
      const { events, metrics } = lineageOf(item);
      if (isObject(item.lineage)) cover(seen, ['state.lineage-truth']);
      if (isObject(item.lineage) && !events.includes(event) && metrics.length === 0)
        tell(
          stateBreach(
            violation(
              answer,
              'state.lineage-truth',
              `${at}/lineage`,
              `the event ${inWords(event)} in the lineage of ${inWords(id)}`,
              inWords(item.lineage),
            ),
            [],
          ),
          seen,
        );
      const known = created.get(id);
      if (known !== undefined) {
        cover(seen, ['state.metric-as-created', 'state.metric-listed']);
        for (const { pointer, sent, got } of storedMismatches(known.body, item, row, at))
          tell(
            stateBreach(
              violation(answer, 'state.metric-as-created', pointer, `${inWords(sent)}, as created`, inWords(got)),
              [known.shown, last],
            ),
            seen,
          );
      }
      const gone = absent.get(id);
      if (gone?.events.has(event) === true) {
        const expected = `no metric ${inWords(id)}, for none was created`;
        tell(stateBreach(violation(answer, gone.requirement, at, expected, 'it is listed'), [gone.shown, last]), seen);
        absent.delete(id);
      }
    }
    const isOfList =
      otherParameters(seen) === '' && page !== null && page.itemsPerPage > 0 && askedIn(seen)?.page === page.pageNumber;
    const listed = items.map(({ id }) => idText(id));
    const ids = isOfList ? wholeList(event, page, listed) : undefined;
    if (ids === undefined) return;
    for (const id of [...created.keys()]) {
      const known = created.get(id);
      if (known?.events.includes(event) !== true) continue;
      cover(seen, ['state.metric-listed']);
      if (ids.has(id)) continue;
      const expected = `the created metric ${inWords(id)} under the event ${event} of its lineage`;
      tell(
        stateBreach(
          violation(answer, 'state.metric-listed', '/data', expected, `${ids.size} metrics, and not this one`),
          [known.shown, last],
        ),
        seen,
      );
      created.delete(id);
    }
    for (const id of absent.keys())
      if (absent.get(id)?.events.has(event)) cover(seen, [absent.get(id)?.requirement ?? 'state.dry-run-metric']);
    if (ids.size <= mostListed) lists.set(event, ids);
  }

  return {
    resources: new Set(['metric']),
    forget() {
      created.clear();
      absent.clear();
      lists.clear();
      partial.clear();
    },
    size: () => created.size + absent.size + lists.size + partial.size,
    note(moment) {
      if (!moment.seen.row.list) {
        creation(moment);
        partial.clear();
      } else if (moment.effect === 'accepted') listing(moment);
    },
  };
}
