import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import type { AcceptCase } from '../../generators/index.ts';
import { readPage } from '../../judge/page.ts';
import { said } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  covering,
  isNothingToDo,
  minimalApiRequest,
  type Session,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { putBackQualifyingEvent, watchEntity } from '../../state/control.ts';
import { type Difference, differencesOf, volatile } from '../../state/difference.ts';
import { type Reading, readQualifyingEvent } from '../../state/reading.ts';
import { acceptance } from '../active/acceptance.ts';
import { changeOfAll } from './changes.ts';
import { eventNeighbours, marked, refused, suspicionsOf } from './event-neighbours.ts';
import { notListed, notShown, updatesInCompany } from './event-visible.ts';
import { describePack } from './parts.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** An update that carries another name changes no name. */
const renamed: Scenario = async (context, session) => {
  const requirement = 'state.qualifying-event-name-fixed';
  const name = context.minimal.param ?? '';
  const other = `conform-${context.token}-renamed`;
  const answer = await session.send(minimalApiRequest(context, { ...context.minimal.body, name: other }));
  const wrong: Violation[] = [];
  const shown = dataObject(answer).name;
  if (answer.success && typeof shown === 'string' && shown !== name)
    wrong.push(violation(answer, requirement, '/data/name', said(name), said(shown)));
  const moved = await readQualifyingEvent(session, other);
  if (moved.entity !== null) {
    const expected = `no qualifying event called ${JSON.stringify(other)}`;
    wrong.push(violation(moved.answer, requirement, '/data/*/name', expected, 'one of that name stands in the list'));
  }
  const isShown = shown === name || (readPage(moved.answer)?.items.length ?? 0) > 0;
  if (wrong.length === 0 && !isShown) return unproved(notListed.because);
  return covering(wrong, [requirement]);
};

/**
 * What the dry runs carry that are sent in a row, each in another shape that a real update has: what stores one of them,
 * by its shape or now and then, is met. The last one breaks a rule.
 */
function dryShapes(context: CheckContext, before: Members): readonly JsonObject[] {
  const everything = changeOfAll(context, before, ['description']);
  const columns = { skip_validation: true, all_columns: ['user_id', 'ts'], column_types: ['string', 'timestamp'] };
  const unvalidated = context.target.has('skip-validation') ? columns : {};
  return [{}, { ...everything, ...unvalidated }, { ...everything, sql: 1 }];
}

/** Dry runs change nothing. */
const dryRun: Scenario = (context, session, { eventually, attribute }) => {
  const name = context.minimal.param ?? '';
  const read = () => readQualifyingEvent(session, name);
  let before: Members = {};
  return attribute(session, {
    async attempt(round) {
      const { entity } = await read();
      if (entity === null) return notListed;
      before = entity;
      const marks: unknown[] = [];
      for (const [number, shape] of dryShapes(context, before).entries()) {
        const body = marked(context, `dry run ${round} ${number}`, { ...shape, dryRun: true });
        const answer = await unlessWithheld(session.send(minimalApiRequest(context, body)));
        // Further ones have no effect either where they are refused.
        if (answer?.success === false && number === 0) return refused(answer);
        marks.push(body.description);
      }
      const differences = (after: Reading) =>
        after.entity === null ? [] : differencesOf(context.row, before, after.entity, volatile);
      const after = await eventually(
        read,
        reading => reading.entity !== null && differences(reading).length === 0,
        reading =>
          differences(reading)
            .map(({ field }) => field)
            .join(),
      );
      if (after.entity === null) return notListed;
      const requirement = 'state.dry-run-qualifying-event';
      const expected = ({ field }: Difference) => `${field} as it was, for it was a dry run`;
      const suspicions = suspicionsOf(differences(after), after.answer, requirement, expected, marks);
      if (suspicions.length === 0 && before.description === undefined) return notShown;
      return { suspicions, covers: [requirement] };
    },
    watch: readings => watchEntity(context.row, read, readings),
    putBack: () => putBackQualifyingEvent(session, name, before, eventually),
  });
};

/** Section 2.6: the two placeholders are legal in the query. */
const placeholders: Scenario = async (context, session) => {
  const { sql, timestampColumn } = context.minimal.body ?? {};
  if (typeof sql !== 'string') return unproved('there is no query to put placeholders into');
  const bounded = /\bwhere\b/i.test(sql)
    ? sql
    : `${sql} WHERE ${timestampColumn} BETWEEN '{service_start_date}' AND '{service_end_date}'`;
  const value = bounded.includes('{service_start_date}')
    ? bounded
    : `${bounded} AND '{service_start_date}' < '{service_end_date}'`;
  const body = { ...context.minimal.body, sql: value };
  const title = 'a query with both placeholders';
  const input: AcceptCase = { title, pointer: '/sql', value, body, level: 'MUST', keyword: 'example' };
  return acceptance(context, () => 'accept.sql-placeholders').run(input, session);
};

// biome-ignore format: a table
const scenarios: readonly NamedScenario[] = [
  { title: 'an update that carries another name',            run: renamed },
  { title: 'dry runs, then the list',                        run: dryRun },
  { title: 'a query with both date placeholders',            run: placeholders },
  { title: 'an update, then the other qualifying events',    run: eventNeighbours },
  { title: 'a further update, then the others',              run: eventNeighbours },
];

/** Sections 2.6, 4.3 and 4.11: an update is listed; it changes no name and no neighbour; a dry run changes nothing. */
export const eventStored: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'event-stored',
  level: 'MUST',
  title: 'An update is seen in the list, changes no name and no neighbour, and a dry run changes nothing',
  detects:
    'An update that is answered but not stored, a dry run that stores, a rename by the back door, a write that hits every row.',
  requirements: () => [
    'state.qualifying-event-visible',
    'state.qualifying-event-name-fixed',
    'state.dry-run-qualifying-event',
    'accept.sql-placeholders',
    'state.neighbours',
    ...liveness,
  ],
  appliesTo: row => isOperation(row, 'qualifying-event', 'update'),
  plan(context) {
    const plan = planOf(scenarios)(context);
    if (isNothingToDo(plan)) return plan;
    const { cases, run } = updatesInCompany(context);
    const updates = cases.map(pack => ({
      title: `${describePack(pack).title}, then the list`,
      run: (_context: CheckContext, session: Session) => run(pack, session),
    }));
    return { ...plan, cases: [...updates, ...scenarios] };
  },
};
