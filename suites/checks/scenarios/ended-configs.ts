import type { Schema } from '../../../contracts/dialect.ts';
import { isOperation } from '../../../contracts/endpoint.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { type Members, membersOf } from '../../../contracts/json.ts';
import { deepestDifference } from '../../../contracts/pointer.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { isClientError } from '../../judge/outcome.ts';
import { type Page, readPage } from '../../judge/page.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { saidApart } from '../../judge/words.ts';
import { mayBeSame } from '../../model/compare.ts';
import { kinds } from '../../model/resources.ts';
import { haveNames } from '../../model/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  minimalApiRequest,
  type Session,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { answerOrNull } from '../../protocol/stop.ts';
import { changingIn } from '../../state/attribution.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { knownPages } from '../../state/page-size.ts';
import { type Listing, readList } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { entitiesOf, subjectFor } from '../stimuli/sequence-subjects.ts';
import { besideOf } from './beside.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

const shown: RequirementId = 'state.config-shown';
const counted: RequirementId = 'pagination.total';
/** Versions that ending one config adds to another. No comparison of entities tells that a new one must not be there. */
const addsToNone: RequirementId = 'state.neighbours';
const { read: settings = [] } = kinds['config-version'];
const { properties = {} } = endpointRow('list-config-versions').data;

/** The result of comparing the answer that ends a config with the list of its versions. */
interface Compared {
  /** The settings that both show in a comparable form. */
  readonly names: readonly string[];
  /** The settings that the list shows differently. */
  readonly violations: readonly { readonly key: string; readonly violation: Violation }[];
}

function comparedWith(ended: Members, listed: Answer): Compared {
  const items = Array.isArray(listed.data) ? listed.data : [];
  const index = items.findIndex(item => membersOf(item).version === ended.version);
  const version = membersOf(items[index]);
  const isSound = (name: string, value: unknown): boolean =>
    // A missing or wrongly typed value is the schema check's finding.
    value !== undefined && validatorFor(properties[name] as Schema)(value).length === 0;
  const names = settings.filter(name => isSound(name, ended[name]) && isSound(name, version[name]));
  const violations = names
    .filter(name => !mayBeSame(ended[name], version[name], properties[name]))
    .map(key => {
      const { one, other, pointer } = deepestDifference(ended[key], version[key], haveNames);
      const place = `/data/${index}/${key}${pointer}`;
      return { key, violation: violation(listed, shown, place, ...saidApart(one, other)) };
    });
  return { names, violations };
}

/** Returns a violation if a list shows more versions than its total says, as one does that keeps the first count. */
function uncounted({ items, total, answer }: Listing): Compared['violations'] {
  const listed = new Set(items.map(({ version }) => version)).size;
  if (total === undefined || listed <= total) return [];
  const expected = `at least ${listed}, as many versions as are listed`;
  return [{ key: counted, violation: violation(answer, counted, '/pagination/totalItems', expected, `${total}`) }];
}

/** Number of other configs that are read: each takes two requests. */
const mostRead = 2;

/**
 * Returns the configs that are read around an ending. The two operations that end one read different ones, if there are
 * as many. A small profile has no requests to spare.
 */
function configsBeside(context: CheckContext): readonly string[] {
  const all = besideOf(entityKinds.config, context);
  const inTurn = isOperation(context.row, 'config', 'archive') ? all.toReversed() : all;
  return context.amounts.creations === 1 ? [] : inTurn.slice(0, mostRead);
}

/** What the first page of a list says of all versions. */
interface Versions {
  readonly total: number;
  /** The highest number on the page; undefined if it shows none. */
  readonly newest: number | undefined;
  /** The pointer to the highest number. */
  readonly place: string;
  /** All numbers on the page. */
  readonly numbers: readonly number[];
  readonly answer: Answer;
}

function versionsOn({ items, totalItems: total, answer }: Page): Versions {
  const shownBy = items.map(item => membersOf(item).version);
  const numbers = shownBy.filter(version => typeof version === 'number');
  const newest = numbers.length === 0 ? undefined : Math.max(...numbers);
  return { total, newest, place: `/data/${shownBy.indexOf(newest)}/version`, numbers, answer };
}

/** Reads the versions of configs, by their ids; leaves out those that are not shown. */
async function readVersions(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, Versions>> {
  const read = new Map<string, Versions>();
  for (const param of ids) {
    const answer = await answerOrNull(session, { endpoint: 'list-config-versions', param });
    const page = answer === null ? null : readPage(answer);
    if (page !== null) read.set(param, versionsOn(page));
  }
  return read;
}

/** Returns the key of the versions of another config. */
const keyOf = (id: string): string => `versions of ${id}`;

/**
 * True if a list of the same length shows a version more: a list that keeps a number of them drops the oldest. How
 * numbers increase is not shown (section 9), so a newest version under another number may be the one that was there.
 */
const isNewer = (was: Versions, { newest, numbers }: Versions): boolean =>
  was.newest !== newest && was.newest !== undefined && numbers.includes(was.newest);

/** Returns a suspicion for each config that has other versions than before. */
const otherVersions = (
  before: ReadonlyMap<string, Versions>,
  after: ReadonlyMap<string, Versions>,
): readonly { readonly key: string; readonly violation: Violation }[] =>
  [...after].flatMap(([id, now]) => {
    const was = before.get(id);
    const { total, newest, place, answer } = now;
    if (was === undefined || (was.total === total && !isNewer(was, now))) return [];
    const found =
      was.total === total
        ? violation(answer, addsToNone, place, `${was.newest}, as before`, `${newest}`)
        : violation(answer, addsToNone, '/pagination/totalItems', `${was.total}, as before`, `${total}`);
    return [{ key: keyOf(id), violation: found }];
  });

/** Returns the configs that the run itself has ended: the first one by disabling it, and those of its sequences. */
function endedByRun(context: CheckContext): readonly (string | undefined)[] {
  const [first] = fixtureNames(context.target, entityKinds.config.fixtures);
  const subject = subjectFor(context.row);
  return [first, ...(subject === undefined ? [] : entitiesOf(subject, context).written)];
}

/** The doubt of what only the first ending of a config can show: a release by others may add a version to each. */
const seenOnce = 'a config is ended for the first time only once, and others may have changed these meanwhile';

/**
 * Returns a suspicion for each config if all that the run has not ended have other versions than when it first read
 * them. One alone may well be somebody else's work.
 */
function otherThanAtFirst(
  context: CheckContext,
  session: Session,
  before: ReadonlyMap<string, Versions>,
): readonly { readonly key: string; readonly violation: Violation }[] {
  const ended = endedByRun(context);
  const left = [...before.keys()].filter(param => !ended.includes(param));
  const atFirst = left.flatMap(param => {
    const { first } = knownPages(session, { endpoint: 'list-config-versions', param });
    return first === undefined ? [] : [[param, versionsOn(first)] as const];
  });
  const found = otherVersions(new Map(atFirst), before);
  if (atFirst.length < 2 || found.length < atFirst.length) return [];
  return found.map(({ key, violation: one }) => ({ key, violation: { ...one, doubt: seenOnce } }));
}

const withoutReason = { title: 'a config archived again without a reason', pointer: '' } as const;

/** Ends a config again, without a reason if the service takes that: section 4.10 demands none. */
async function endAgain(context: CheckContext, session: Session): Promise<Answer> {
  const plain = minimalApiRequest(context);
  const bare = plain.body === undefined ? null : await session.send({ ...plain, body: {}, about: withoutReason });
  return bare !== null && !isClientError(bare) ? bare : session.send(plain);
}

/**
 * Ends a config that the run has already ended, and lists its versions. At many targets this makes a new version, which
 * the list must show with the answer's settings, and count. Whether it succeeds is OPEN, but it must not fail with a
 * 5xx, nor add a version to another config.
 */
const endedAgain: Scenario = async (context, session, { attribute, eventually }) => {
  let ended: Members = {};
  const beside = configsBeside(context);
  const compare = async (): Promise<Compared> => {
    const isIt = ({ version }: Members): boolean => version !== undefined && version === ended.version;
    const request = { endpoint: 'list-config-versions', param: context.minimal.param } as const;
    const listing = await readList(session, request, isIt);
    const { names, violations } = comparedWith(ended, listing.answer);
    return { names, violations: [...violations, ...uncounted(listing)] };
  };
  return attribute(session, {
    async attempt() {
      const before = await readVersions(session, beside);
      const answer = await endAgain(context, session);
      if (!answer.success) return { because: `the config was not ended again (${refusalInWords(answer)})`, answer };
      ended = dataObject(answer);
      // A list that is behind does not show the version yet.
      const isTold = (one: Compared): boolean => one.names.length > 0 && one.violations.length === 0;
      const { names, violations } = await eventually(compare, isTold);
      const after = await readVersions(session, beside);
      const isRead = [...after.keys()].some(id => before.has(id));
      const covers = [...(names.length > 0 ? [shown] : []), ...(isRead ? [addsToNone] : [])];
      const others = [...otherThanAtFirst(context, session, before), ...otherVersions(before, after)];
      return { suspicions: [...violations, ...others], covers };
    },
    watch: readings =>
      changingIn(readings, async () => {
        const { names, violations } = await compare();
        const wrong = violations.map(({ key }) => key);
        const versions = await readVersions(session, beside);
        return [
          ...[...names, counted].map(name => [name, wrong.includes(name)] as const),
          ...[...versions].map(([id, { total, newest }]) => [keyOf(id), `${total} ${newest}`] as const),
        ];
      }),
    putBack: async () => true,
  });
};

/** Sections 4.2, 4.5 and 4.10: a config's versions agree with the answer that ends it; ending it again is no fault. */
export const endedConfigs: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'ended-configs',
  role: 'afterwards',
  level: 'SHOULD',
  title: 'A config that is disabled or archived once more is answered, and its versions show what the answer shows',
  detects:
    'A second disabling that fails on a unique row, a list that rounds what the answer to a write shows whole, a count that is kept, a version that another config gets.',
  requirements: () => [shown, counted, addsToNone, ...liveness],
  appliesTo: ({ resource, effect }) => resource === 'config' && effect === 'destructive',
  plan: context => planOf(context, { title: 'the same once more, and the versions', run: endedAgain }),
};
