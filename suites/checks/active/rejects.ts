import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { present } from '../../../contracts/present.ts';
import { besideOthers, laterItemCases, type RejectCase, turnedChoices, wideBodies } from '../../generators/index.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { brokenCases, schemaOf, templateOf } from './body.ts';
import { asDryRun, createsForGood, isLost } from './dry-run.ts';
import { ruleBreaches } from './field-rules.ts';
import { describeRejectCase, losesTheSet, refusal, refusalRequirements } from './refusal.ts';

/** Each run sends one in this many of the near misses beyond the core; the thorough profile sends all. */
const shares = 3;

const isSent = (share: number | undefined, { seed, amounts }: CheckContext): boolean =>
  share === undefined || amounts.everyNearMiss === true || share % shares === Math.abs(seed) % shares;

/** Returns the cases that break later items of a list, if their controls leave nothing behind. */
const laterCases = (context: CheckContext): readonly RejectCase[] => {
  const isLeft = createsForGood(context) && !hasDryRun(context.row);
  return isLeft ? [] : laterItemCases(schemaOf(context), templateOf(context), context.target);
};

/**
 * Sends breaches together with other fields, because a rule holds in any combination. Adds such a case for the first
 * breach of each field. For each further rule of the field, the last breach is replaced by one, so that no request is
 * added. The added ones are dry runs if possible: those are validated too.
 */
function inCompany(cases: readonly RejectCase[], context: CheckContext): readonly RejectCase[] {
  const { row, target, seed, amounts } = context;
  const schema = schemaOf(context);
  const template = templateOf(context);
  if (createsForGood(context)) return hasDryRun(row) ? [...cases, ...firstOfEach(cases).map(triedOnly)] : cases;
  // Keep the template's values: they were accepted.
  const stays = (field: string): boolean => isLost(field, context) || template[field] !== undefined;
  const [wide] = wideBodies(schema, template, target, stays);
  if (wide === undefined || wide.fields.length < 3) return cases;
  const other = turnedChoices(wide, schema);
  const placed = (one: RejectCase, body: JsonObject, alone?: RejectCase): RejectCase | undefined => {
    const made = besideOthers(one, body, schema);
    return made && { ...made, title: `${one.title}, beside every other field`, ...present({ alone }) };
  };
  /** Puts a case beside every other field, at their other choices every second time. */
  const beside = (one: RejectCase, turn: number, alone?: RejectCase): RejectCase | undefined => {
    const plain = placed(one, wide.body, alone);
    return (other && turn % 2 === 1 ? placed(one, other, plain) : undefined) ?? plain;
  };
  // A small run sends one control: the seed decides which.
  const step = amounts.creations === 1 ? 0 : 1;
  const turns = new Map<string, number>();
  /** The last further rule of each kind, and its turn: beside the choices that the field's first one is not. */
  const further = new Map<string, { readonly one: RejectCase; readonly turn: number }>();
  const added: RejectCase[] = [];
  for (const one of cases.filter(isOwnBreach)) {
    const [field = ''] = steps(one.pointer);
    const key = one.sent === undefined ? one.pointer : field;
    const turn = turns.get(key) ?? Math.abs(seed) + 1 + step * turns.size;
    const { alone: _, ...bare } = one;
    const made = beside(bare, turn);
    if (made === undefined) continue;
    if (turns.has(key)) further.set(`${key} ${one.keyword}`, { one, turn: turn + step });
    else if (hasDryRun(row))
      added.push({ ...triedOnly(made), ...present({ alone: made.alone && triedOnly(made.alone) }) });
    else added.push(made);
    turns.set(key, turn);
  }
  const instead = new Map([...further.values()].map(({ one, turn }) => [one, turn]));
  const own = cases.map(one => {
    const turn = instead.get(one);
    return turn === undefined ? one : (beside(one, turn, one) ?? one);
  });
  return [...own, ...added];
}

/** True of a case that breaks a rule of one field and must be refused: the first of several alike. */
const isOwnBreach = ({ level, alike, keyword }: RejectCase): boolean =>
  level === 'MUST' && !alike && keyword !== 'allOf';

/** Returns the first case that breaks each field, and each member of it. */
const firstOfEach = (cases: readonly RejectCase[]): readonly RejectCase[] =>
  cases
    .filter(isOwnBreach)
    .filter((one, index, all) => all.findIndex(({ pointer }) => pointer === one.pointer) === index);

/** Returns the case as a dry run (sections 2.6 and 4.9): the service must validate it all the same. */
const triedOnly = (one: RejectCase): RejectCase => ({
  ...one,
  title: `${one.title}, in a dry run`,
  body: asDryRun(one.body),
  control: asDryRun(one.control),
});

/** Sections 2 and 8: a request that breaks a stated constraint is refused, above all a near miss. */
export const rejects: ActiveCheck<RejectCase> = {
  kind: 'active',
  id: 'rejects',
  role: 'afterwards',
  level: 'MUST',
  title: 'A request that breaks one stated constraint is refused, and not with a 5xx',
  detects:
    'A bound off by one, a pattern that lets one character through, an enum that ignores letter case, a required field that is not missed.',
  requirements: refusalRequirements,
  appliesTo: row => row.body !== null,
  plan(context) {
    const { cases: all, notExercised } = brokenCases(context);
    const own = [...all, ...ruleBreaches(context), ...laterCases(context)];
    const cases = inCompany(own, context)
      .filter(one => !losesTheSet(one, context))
      .filter(({ share }) => isSent(share, context));
    return { cases, notExercised, parallel: true, describe: describeRejectCase, run: refusal(context, true) };
  },
};
