import { dataObject } from '../../engine/answer.ts';
import type { JsonObject } from '../../generators/index.ts';
import { compareEcho, isWrongState } from '../../judge/echo.ts';
import { acceptanceDrafts } from '../../judge/outcome.ts';
import { inWords } from '../../judge/words.ts';
import { differenceInWords, differencesOf, volatile } from '../../state/difference.ts';
import { readList, readQualifyingEvent } from '../../state/reading.ts';
import type { ActiveCheck, CaseOutcome, CheckContext, Draft } from '../check.ts';
import { plainApiRequest, unproved } from '../check.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

const refused = (status: number): CaseOutcome => unproved(`the update was refused (status ${status})`);
const unseen: CaseOutcome = unproved('the qualifying event does not stand in the list');

const marked = (context: CheckContext, text: string, more: JsonObject = {}): JsonObject => ({
  ...context.plain.body,
  description: `conform ${context.token} ${text}`,
  ...more,
});

/** The list shows what an update stored. */
const visible: Scenario = async (context, session, patience) => {
  const body = marked(context, 'visible', { timestampAsDay: true });
  const answer = await session.send(plainApiRequest(context, body));
  if (!answer.success) return refused(answer.status);
  const wrong = (entity: Readonly<Record<string, unknown>>) =>
    Object.entries(body)
      .filter(([field]) => Object.hasOwn(entity, field))
      .flatMap(([field, value]) =>
        compareEcho(value, entity[field], context.row.body?.properties?.[field], `/data/*/${field}`),
      )
      .filter(isWrongState);
  const reading = await patience.until(
    () => readQualifyingEvent(session, context.plain.param ?? ''),
    ({ entity }) => entity !== null && wrong(entity).length === 0,
  );
  if (reading.entity === null) return unseen;
  const drafts = wrong(reading.entity).map(
    (mismatch): Draft => ({
      requirement: 'state.qualifying-event-visible',
      pointer: mismatch.pointer,
      expected: `${inWords(mismatch.sent)}, as updated`,
      actual: inWords(mismatch.got),
      answer: reading.answer,
    }),
  );
  return { drafts, proved: true };
};

/** An update that carries another name changes no name. */
const renamed: Scenario = async (context, session) => {
  const name = context.plain.param ?? '';
  const other = `conform-${context.token}-renamed`;
  const answer = await session.send(plainApiRequest(context, { ...context.plain.body, name: other }));
  const drafts: Draft[] = [];
  const shown = dataObject(answer).name;
  if (answer.success && typeof shown === 'string' && shown !== name) {
    drafts.push({
      requirement: 'state.qualifying-event-name-fixed',
      pointer: '/data/name',
      expected: JSON.stringify(name),
      actual: inWords(shown),
      answer,
    });
  }
  const moved = await readQualifyingEvent(session, other);
  if (moved.entity !== null) {
    drafts.push({
      requirement: 'state.qualifying-event-name-fixed',
      pointer: '/data/*/name',
      expected: `no qualifying event called ${JSON.stringify(other)}`,
      actual: 'one of that name stands in the list',
      answer: moved.answer,
    });
  }
  return { drafts, proved: true };
};

/** A dry run changes nothing. */
const dryRun: Scenario = async (context, session) => {
  const name = context.plain.param ?? '';
  const before = (await readQualifyingEvent(session, name)).entity;
  if (before === null) return unseen;
  const answer = await session.send(plainApiRequest(context, marked(context, 'dry run', { dryRun: true })));
  if (!answer.success) return refused(answer.status);
  const after = await readQualifyingEvent(session, name);
  if (after.entity === null) return unseen;
  const drafts = differencesOf('list-qualifying-events', before, after.entity, volatile).map(
    (difference): Draft => ({
      requirement: 'state.dry-run-qualifying-event',
      pointer: `/data/*/${difference.field}`,
      expected: `${difference.field} as it was, for it was a dry run`,
      actual: differenceInWords(difference),
      answer: after.answer,
    }),
  );
  return { drafts, proved: true };
};

/** The two placeholders are legal in the query. */
const placeholders: Scenario = async (context, session) => {
  const sql = context.plain.body?.sql;
  if (typeof sql !== 'string') return unproved('there is no query to put placeholders into');
  const bounded = /\bwhere\b/i.test(sql)
    ? sql
    : `${sql} WHERE ts BETWEEN '{service_start_date}' AND '{service_end_date}'`;
  const body = {
    ...context.plain.body,
    sql: bounded.includes('{service_start_date}')
      ? bounded
      : `${bounded} AND '{service_start_date}' < '{service_end_date}'`,
  };
  const answer = await session.send(plainApiRequest(context, body));
  return {
    drafts: acceptanceDrafts(answer, 'accept.sql-placeholders', 'a query with both placeholders'),
    proved: true,
  };
};

/** An update of one source leaves the others alone. */
const neighbours: Scenario = async (context, session) => {
  const own = context.plain.param ?? '';
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
  const answer = await session.send(plainApiRequest(context, marked(context, 'neighbours')));
  if (!answer.success) return refused(answer.status);
  const after = await others();
  const drafts = [...before.by].flatMap(([name, source]) =>
    differencesOf('list-qualifying-events', source, after.by.get(name) ?? {}, volatile).map(
      (difference): Draft => ({
        requirement: 'state.neighbours',
        pointer: `/data/*/${difference.field}`,
        expected: `the qualifying event ${name} as it was`,
        actual: differenceInWords(difference),
        answer: after.listing.answer,
      }),
    ),
  );
  return { drafts, proved: true };
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
  hunts:
    'An update that is answered but not stored, a dry run that stores, a rename by the back door, a write that hits every row.',
  requirements: () => [
    'state.qualifying-event-visible',
    'state.qualifying-event-name-fixed',
    'state.dry-run-qualifying-event',
    'accept.sql-placeholders',
    'state.neighbours',
  ],
  appliesTo: endpoint => endpoint === 'update-qualifying-event',
  writes: () => true,
  plan: planOf(scenarios),
};
