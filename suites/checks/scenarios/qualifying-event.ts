import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { compareEcho, isWrongState } from '../../judge/echo.ts';
import { acceptanceViolations } from '../../judge/outcome.ts';
import { inWords } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  unproved,
} from '../../protocol/check.ts';
import type { Violation } from '../../protocol/violation.ts';
import { differenceInWords, differencesOf, volatile } from '../../state/difference.ts';
import { readList, readQualifyingEvent } from '../../state/reading.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

const refused = (status: number): CheckResult => unproved(`the update was refused (status ${status})`);
const unseen: CheckResult = unproved('the qualifying event does not stand in the list');

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
  const wrong = (entity: Readonly<Record<string, unknown>>) =>
    Object.entries(body)
      .filter(([field]) => Object.hasOwn(entity, field))
      .flatMap(([field, value]) =>
        compareEcho(value, entity[field], context.row.body?.properties?.[field], `/data/*/${field}`),
      )
      .filter(isWrongState);
  const reading = await eventually(
    () => readQualifyingEvent(session, context.minimal.param ?? ''),
    ({ entity }) => entity !== null && wrong(entity).length === 0,
  );
  if (reading.entity === null) return unseen;
  const violations = wrong(reading.entity).map(
    (mismatch): Violation => ({
      requirement: 'state.qualifying-event-visible',
      pointer: mismatch.pointer,
      expected: `${inWords(mismatch.sent)}, as updated`,
      actual: inWords(mismatch.got),
      answer: reading.answer,
    }),
  );
  return { violations, proved: true };
};

/** An update that carries another name changes no name. */
const renamed: Scenario = async (context, session) => {
  const name = context.minimal.param ?? '';
  const other = `conform-${context.token}-renamed`;
  const answer = await session.send(minimalApiRequest(context, { ...context.minimal.body, name: other }));
  const violations: Violation[] = [];
  const shown = dataObject(answer).name;
  if (answer.success && typeof shown === 'string' && shown !== name) {
    violations.push({
      requirement: 'state.qualifying-event-name-fixed',
      pointer: '/data/name',
      expected: JSON.stringify(name),
      actual: inWords(shown),
      answer,
    });
  }
  const moved = await readQualifyingEvent(session, other);
  if (moved.entity !== null) {
    violations.push({
      requirement: 'state.qualifying-event-name-fixed',
      pointer: '/data/*/name',
      expected: `no qualifying event called ${JSON.stringify(other)}`,
      actual: 'one of that name stands in the list',
      answer: moved.answer,
    });
  }
  return { violations, proved: true };
};

/** A dry run changes nothing. */
const dryRun: Scenario = async (context, session) => {
  const name = context.minimal.param ?? '';
  const before = (await readQualifyingEvent(session, name)).entity;
  if (before === null) return unseen;
  const answer = await session.send(minimalApiRequest(context, marked(context, 'dry run', { dryRun: true })));
  if (!answer.success) return refused(answer.status);
  const after = await readQualifyingEvent(session, name);
  if (after.entity === null) return unseen;
  const violations = differencesOf('list-qualifying-events', before, after.entity, volatile).map(
    (difference): Violation => ({
      requirement: 'state.dry-run-qualifying-event',
      pointer: `/data/*/${difference.field}`,
      expected: `${difference.field} as it was, for it was a dry run`,
      actual: differenceInWords(difference),
      answer: after.answer,
    }),
  );
  return { violations, proved: true };
};

/** The two placeholders are legal in the query. */
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
  return {
    violations: acceptanceViolations(answer, 'accept.sql-placeholders', 'a query with both placeholders'),
    proved: true,
  };
};

/** An update of one source leaves the others alone. */
const neighbours: Scenario = async (context, session) => {
  const own = context.minimal.param ?? '';
  const others = async () => {
    const listing = await readList(session, { endpoint: 'list-qualifying-events' });
    return {
      listing,
      by: new Map(listing.items.filter(item => item.name !== own).map(item => [String(item.name), item])),
    };
  };
  const before = await others();
  if (!before.listing.complete) return unproved('the list could not be walked to its end');
  if (before.by.size === 0) return unproved('there is no other qualifying event to be left alone');
  const answer = await session.send(minimalApiRequest(context, marked(context, 'neighbours')));
  if (!answer.success) return refused(answer.status);
  const after = await others();
  const violations = [...before.by].flatMap(([name, source]) =>
    differencesOf('list-qualifying-events', source, after.by.get(name) ?? {}, volatile).map(
      (difference): Violation => ({
        requirement: 'state.neighbours',
        pointer: `/data/*/${difference.field}`,
        expected: `the qualifying event ${name} as it was`,
        actual: differenceInWords(difference),
        answer: after.listing.answer,
      }),
    ),
  );
  return { violations, proved: true };
};

// biome-ignore format: a table
const scenarios: readonly NamedScenario[] = [
  { title: 'an update, then the list',                       run: visible },
  { title: 'an update that carries another name',            run: renamed },
  { title: 'a dry run, then the list',                       run: dryRun },
  { title: 'a query with both date placeholders',            run: placeholders },
  { title: 'an update, then the other qualifying events',    run: neighbours },
];

/** Sections 2.6, 4.3 and 4.11: an update is seen in the list; its name never changes; a dry run and a neighbour's update change nothing. */
export const qualifyingEventState: ActiveCheck<NamedScenario> = {
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
