import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { acceptanceViolations } from '../../judge/outcome.ts';
import { readPage } from '../../judge/page.ts';
import { inWords } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  covering,
  minimalApiRequest,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { type Difference, differencesOf, differenceViolations, volatile } from '../../state/difference.ts';
import { readList, readQualifyingEvent } from '../../state/reading.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

const refused = (status: number) => unproved(`the update was refused (status ${status})`);
const notShown = unproved('the list does not show the description, so that nothing tells what was stored');
const notListed = unproved('the qualifying event does not stand in the list');

const marked = (context: CheckContext, text: string, more: JsonObject = {}): JsonObject => ({
  ...context.minimal.body,
  description: `conform ${context.token} ${text}`,
  ...more,
});

/** The list shows what an update stored. */
const visible: Scenario = async (context, session, eventually) => {
  const body = marked(context, 'visible', { timestampAsDay: true });
  const answer = await session.send(minimalApiRequest(context, body));
  if (!answer.success) return refused(answer.status);
  const mismatches = (entity: Members) => storedMismatches(body, entity, context.row, '/data/*');
  const reading = await eventually(
    () => readQualifyingEvent(session, context.minimal.param ?? ''),
    ({ entity }) => entity !== null && mismatches(entity).length === 0,
  );
  if (reading.entity === null) return notListed;
  const requirement = 'state.qualifying-event-visible';
  const wrong = mismatches(reading.entity).map(({ pointer, sent, got }) =>
    violation(reading.answer, requirement, pointer, `${inWords(sent)}, as updated`, inWords(got)),
  );
  // The description is new with every run; the other fields may have had their values before.
  if (wrong.length === 0 && reading.entity.description === undefined) return notShown;
  return covering(wrong, [requirement]);
};

/** An update that carries another name changes no name. */
const renamed: Scenario = async (context, session) => {
  const requirement = 'state.qualifying-event-name-fixed';
  const name = context.minimal.param ?? '';
  const other = `conform-${context.token}-renamed`;
  const answer = await session.send(minimalApiRequest(context, { ...context.minimal.body, name: other }));
  const wrong: Violation[] = [];
  const shown = dataObject(answer).name;
  if (answer.success && typeof shown === 'string' && shown !== name)
    wrong.push(violation(answer, requirement, '/data/name', JSON.stringify(name), inWords(shown)));
  const moved = await readQualifyingEvent(session, other);
  if (moved.entity !== null) {
    const expected = `no qualifying event called ${JSON.stringify(other)}`;
    wrong.push(violation(moved.answer, requirement, '/data/*/name', expected, 'one of that name stands in the list'));
  }
  const isShown = shown === name || (readPage(moved.answer)?.items.length ?? 0) > 0;
  if (wrong.length === 0 && !isShown) return notListed;
  return covering(wrong, [requirement]);
};

/** A dry run changes nothing. */
const dryRun: Scenario = async (context, session) => {
  const name = context.minimal.param ?? '';
  const before = (await readQualifyingEvent(session, name)).entity;
  if (before === null) return notListed;
  const answer = await session.send(minimalApiRequest(context, marked(context, 'dry run', { dryRun: true })));
  if (!answer.success) return refused(answer.status);
  const after = await readQualifyingEvent(session, name);
  if (after.entity === null) return notListed;
  const differences = differencesOf(context.row, before, after.entity, volatile);
  const expected = ({ field }: Difference) => `${field} as it was, for it was a dry run`;
  const requirement = 'state.dry-run-qualifying-event';
  const wrong = differenceViolations(differences, after.answer, requirement, expected, '/data/*');
  if (wrong.length === 0 && before.description === undefined) return notShown;
  return covering(wrong, [requirement]);
};

/** Section 2.6: the two placeholders are legal in the query. */
const placeholders: Scenario = async (context, session) => {
  const sql = context.minimal.body?.sql;
  if (typeof sql !== 'string') return unproved('there is no query to put placeholders into');
  const bounded = /\bwhere\b/i.test(sql)
    ? sql
    : `${sql} WHERE ts BETWEEN '{service_start_date}' AND '{service_end_date}'`;
  const body = {
    ...context.minimal.body,
    sql: bounded.includes('{service_start_date}')
      ? bounded
      : `${bounded} AND '{service_start_date}' < '{service_end_date}'`,
  };
  const answer = await session.send(minimalApiRequest(context, body));
  const requirement = 'accept.sql-placeholders';
  return covering(acceptanceViolations(answer, requirement, 'a query with both placeholders'), [requirement]);
};

/** An update of one source leaves the others alone. */
const neighbours: Scenario = async (context, session) => {
  const readOthers = async () => {
    const listing = await readList(session, { endpoint: 'list-qualifying-events' });
    const others = listing.items.filter(({ name }) => name !== context.minimal.param);
    return { ...listing, byName: new Map(others.map(item => [String(item.name), item])) };
  };
  const before = await readOthers();
  if (!before.complete) return unproved('the list could not be walked to its end');
  if (before.byName.size === 0) return unproved('there is no other qualifying event to be left alone');
  const answer = await session.send(minimalApiRequest(context, marked(context, 'neighbours')));
  if (!answer.success) return refused(answer.status);
  const after = await readOthers();
  return covering(
    [...before.byName].flatMap(([name, source]) => {
      const differences = differencesOf(context.row, source, after.byName.get(name) ?? {}, volatile);
      const expected = () => `the qualifying event ${name} as it was`;
      return differenceViolations(differences, after.answer, 'state.neighbours', expected, '/data/*');
    }),
    ['state.neighbours'],
  );
};

// biome-ignore format: a table
const scenarios: readonly NamedScenario[] = [
  { title: 'an update, then the list',                       run: visible },
  { title: 'an update that carries another name',            run: renamed },
  { title: 'a dry run, then the list',                       run: dryRun },
  { title: 'a query with both date placeholders',            run: placeholders },
  { title: 'an update, then the other qualifying events',    run: neighbours },
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
  ],
  appliesTo: row => isOperation(row, 'qualifying-event', 'update'),
  plan: planOf(scenarios),
};
