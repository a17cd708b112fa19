import { isOperation } from '../../../contracts/endpoint.ts';
import { type Json, type JsonObject, objectsIn } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { consistentBody } from '../../generators/consistent-body.ts';
import { type AcceptCase, withPlaceholders } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { said } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest, unproved, violation } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { type Listing, readFromFirstPage, readList, readQualifyingEvent } from '../../state/reading.ts';
import { acceptance } from '../active/acceptance.ts';
import { schemaOf, templateOf } from '../active/body.ts';
import { refusedDryRun } from '../active/dry-run.ts';
import { changeOfAll } from '../scenarios/changes.ts';
import { companyInParts, describePack } from '../scenarios/parts.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';
import { onLaterPage } from './later-page.ts';
import { look, own, type Scene, type Step, stimulus, write } from './stimulus.ts';
import { unlistedSource } from './unlisted-source.ts';

const fixedName: RequirementId = 'state.qualifying-event-name-fixed';
const about: readonly RequirementId[] = [
  'state.qualifying-event-visible',
  fixedName,
  'state.dry-run-qualifying-event',
  'state.neighbours',
];

const source = look(entityKinds['qualifying-event']);
const onFirstPage = look({
  ...entityKinds['qualifying-event'],
  read: (_context, session, name) => readFromFirstPage(session, name),
});

/** Returns the minimal update with a description that nobody else writes. */
const marked = ({ minimal, token }: CheckContext, text: string, more: JsonObject = {}): JsonObject => ({
  ...minimal.body,
  description: `conform ${token} ${text}`,
  ...more,
});

/** Lists all qualifying events, again while an answer may merely be late. */
export const allSources = async ({ session, eventually }: Scene): Promise<Listing> =>
  eventually(
    () => readList(session, { endpoint: 'list-qualifying-events' }),
    () => session.mayBeBehind?.() !== true,
  );

/** Lists all qualifying events, and requires another one than the endpoint's. */
const others: Step = async scene => {
  const { context } = scene;
  const { items, complete } = await allSources(scene);
  if (items.some(({ name }) => name !== context.minimal.param)) return undefined;
  const none = 'there is no other qualifying event to be left alone';
  return { because: complete ? none : 'the list could not be walked to its end' };
};

/** Sends an update with another name, which must not change the name, not even in its answer. */
const renamed: Step = async ({ context, session, violations, covers }) => {
  const name = context.minimal.param ?? '';
  const other = `conform-${context.token}-renamed`;
  const answer = await session.send(minimalApiRequest(context, { ...context.minimal.body, name: other }));
  const shown = dataObject(answer).name;
  if (answer.success && typeof shown === 'string' && shown !== name)
    violations.push(violation(answer, fixedName, '/data/name', said(name), said(shown)));
  await readQualifyingEvent(session, other);
  if (shown === name) covers.push(fixedName);
  return undefined;
};

/**
 * What nobody should set for good. Dry runs set each flag to both values, and never both to the same. The last one has
 * another name too, which its answer must not show.
 */
const onlyDry = (token: string): readonly JsonObject[] => [
  { isVerified: true, isReadOnly: false },
  { isVerified: false, isReadOnly: true, name: `conform-${token}-renamed-dry` },
];

/**
 * Returns what a source would be over a table, with another column for its time. A dry run may be refused for it, which
 * shows as much.
 */
const asTable = ({ minimal: { body = {} }, token }: CheckContext): JsonObject => ({
  sourceType: 'table',
  tableName: `conform_${token}_table`,
  ...present({ timestampColumn: objectsIn(body.idTypeMapping).at(-1)?.column as Json | undefined }),
});

/**
 * Sends dry runs in a row, each shaped like a different real update, so that a service that stores one of them is
 * caught. The last one breaks a rule.
 */
const dryRuns: Step = async ({ context, session, violations }) => {
  const { entity } = await readQualifyingEvent(session, context.minimal.param ?? '');
  const { idTypeMapping } = context.minimal.body ?? {};
  const everything = {
    ...changeOfAll(context, entity ?? {}, ['description']),
    ...(Array.isArray(idTypeMapping) && { idTypeMapping: idTypeMapping.slice(0, 1) }),
  };
  const columns = { skip_validation: true, all_columns: [], column_types: ['string', 'timestamp'] };
  const unvalidated = context.target.has('skip-validation') ? columns : {};
  const whole = consistentBody(schemaOf(context), { ...context.minimal.body, ...everything, ...unvalidated });
  let isFlagged = true;
  const table = { ...everything, ...asTable(context) };
  for (const [number, shape] of [{}, whole, table, { ...everything, sql: 1 }].entries()) {
    const tryOut = (more: JsonObject) => {
      const body = marked(context, `dry run ${number}`, { ...shape, ...more, dryRun: true });
      return unlessWithheld(session.send(minimalApiRequest(context, body)));
    };
    const flagged: JsonObject = isFlagged ? (onlyDry(context.token)[number] ?? {}) : {};
    const first = await tryOut(flagged);
    // Not every key may set the flags, and another name may be refused.
    const isLess = first !== null && isClientError(first) && Object.keys(flagged).length > 0;
    const answer = isLess ? await tryOut({}) : first;
    isFlagged &&= !isLess;
    // A later dry run has no effect either if it is refused.
    if (answer?.success === false && number === 0) {
      const { dryRun: _, ...body } = answer.request.body as JsonObject;
      const isAccepted = async (): Promise<boolean> => {
        const real = await unlessWithheld(session.send(minimalApiRequest(context, body)));
        return real?.success === true;
      };
      const refused = await refusedDryRun(session, answer, isAccepted);
      if (refused === null) return { because: `the update was refused (${refusalInWords(answer)})`, answer };
      violations.push(refused);
      return undefined;
    }
  }
  return undefined;
};

/** Returns an update of one source that must leave the others alone; its texts are new to all sources. */
function besideOthers(): Scenario {
  let turn = 0;
  const text = (): string => `neighbours ${turn}`;
  const marks = write({
    // A `dryRun` that is false is none.
    ...own(({ context }) => marked(context, text(), { tags: [`conform ${context.token} ${text()}`], dryRun: false })),
    what: 'the update',
    less: ({ context }) => minimalApiRequest(context, marked(context, text())),
  });
  const once = stimulus(about, others, marks, others);
  return (...scene) => {
    turn += 1;
    return once(...scene);
  };
}

/** Section 2.6: the two placeholders are legal in the query. */
const placeholders: Scenario = async (context, session) => {
  const { sql } = context.minimal.body ?? {};
  if (typeof sql !== 'string') return unproved('there is no query to put placeholders into');
  const value = withPlaceholders(sql);
  const body = { ...context.minimal.body, sql: value };
  const title = 'a query with both placeholders';
  const input: AcceptCase = { title, pointer: '/sql', value, body, level: 'MUST', keyword: 'example' };
  return acceptance(context, () => 'accept.sql-placeholders').run(input, session);
};

// biome-ignore format: a table
const scenarios = (beside: Scenario): readonly NamedScenario[] => [
  { title: 'an update that carries another name',            run: stimulus(about, renamed) },
  { title: 'dry runs, then the list',                        run: stimulus(about, dryRuns, source) },
  { title: 'a query with both date placeholders',            run: placeholders },
  { title: 'an update, then the other qualifying events',    run: beside },
  { title: 'a further update, then the others',              run: beside },
  { title: 'an update between two readings of a later page', run: onLaterPage },
];

/** Number of packs per random case of the profile. */
const packsPerCase = 0.75;

/** Returns updates of a source with several fields each, which the list has to show. */
function updatesInCompany(context: CheckContext): readonly NamedScenario[] {
  const template = templateOf(context);
  let turn = 0;
  // The description is new each time unless the pack sets it, so it shows whether anything was stored.
  const visible = (body: JsonObject, onRefused?: () => void): Scenario => {
    turn += 1;
    const mark = marked(context, `visible ${turn}`);
    const sent = { ...mark, ...body };
    const update = write({ ...own(() => sent), what: 'the update', ...present({ onRefused }) });
    let isLacking = false;
    const shown: Step = async scene => {
      const ended = await (turn > 1 && turn <= 3 ? onFirstPage : source)(scene);
      isLacking = ended?.answer?.success === true;
      return ended;
    };
    const steps = turn === 1 ? [source, update, shown] : [update, shown];
    return async (...scene) => {
      const result = await stimulus(about, ...steps)(...scene);
      if (!isLacking) return result;
      const judged = await unlistedSource(...scene, sent);
      return judged.proved ? judged : result;
    };
  };
  const packs = companyInParts(context, schemaOf(context), template, packsPerCase, visible);
  const plain = { pack: { body: template, cases: [] }, run: ((...scene) => visible(template)(...scene)) as Scenario };
  return [plain, ...packs].map(({ pack, run }) => ({ title: `${describePack(pack).title}, then the list`, run }));
}

/** Sections 2.6, 4.3 and 4.11: an update is listed; it changes no name and no neighbour; a dry run changes nothing. */
export const eventStored: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'event-stored',
  level: 'MUST',
  title: 'An update is seen in the list, changes no name and no neighbour, and a dry run changes nothing',
  detects:
    'An update that is answered but not stored, a dry run that stores, a rename by the back door, a write that hits every row.',
  requirements: () => [...about, 'accept.sql-placeholders', 'accept.stated-boundary', ...liveness],
  appliesTo: row => isOperation(row, 'qualifying-event', 'update'),
  plan(context) {
    return planOf(context, ...updatesInCompany(context), ...scenarios(besideOthers()));
  },
};
