import { type Endpoint, hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { rejectCases } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  covering,
  minimalApiRequest,
  unproved,
  violated,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { asDryRun, createsForGood } from '../active/dry-run.ts';
import { createRecheck } from '../active/recheck.ts';
import { createRefusedEffects, isReadBack } from '../active/refused-effects.ts';
import { type NamedScenario, planOf } from './scenario.ts';

/** A request that must be refused: broken in one field, or cut off before its end. */
interface Broken {
  readonly title: string;
  readonly body: JsonObject | undefined;
  readonly control: JsonObject | undefined;
  /** The field of the fault. */
  readonly own?: string | undefined;
  readonly isCut?: true;
}

/** One violation per field and kind of constraint, of those that must be refused, and a body that is no JSON. */
export function brokenRequests(
  { minimal, target }: CheckContext,
  body: NonNullable<Endpoint['body']>,
): readonly Broken[] {
  const must = rejectCases(body, minimal.body ?? {}, target).cases.filter(({ level }) => level === 'MUST');
  const perField = [...new Map(must.map(one => [`${one.pointer} ${one.keyword}`, one])).values()];
  const cut = { title: 'with a body that is cut off', body: minimal.body, control: minimal.body, isCut: true } as const;
  return [...perField.map(one => ({ ...one, title: `with ${one.title}`, own: steps(one.pointer)[0] })), cut];
}

/** Sends broken requests, each beside valid changes of other fields, and reads the whole entity before and after. */
export const refusedWrites =
  (broken: readonly Broken[], used = new Set<string>()): NamedScenario['run'] =>
  async (context, session) => {
    const effects = createRefusedEffects(context, 'trace');
    if (effects === undefined) return unproved('nothing of it can be read back');
    const recheck = createRecheck(createsForGood(context) ? 1 : undefined);
    const refusals: (readonly [answer: Answer, control: JsonObject | undefined])[] = [];
    const sendAll = async (accepted: ReadonlySet<string>): Promise<void> => {
      for (const { title, body, control, own, isCut } of broken) {
        if (accepted.has(title)) continue;
        const changed = effects.changed(title, body, own);
        const { body: _, ...rest } = minimalApiRequest(context);
        const raw = JSON.stringify(changed ?? {}).slice(0, -1);
        const answer = await unlessWithheld(
          session.send(isCut === true ? { ...rest, raw } : { ...rest, body: changed }),
        );
        if (answer === null) continue;
        effects.note(title, answer);
        const mark = effects.markOf(title);
        if (!answer.success && mark !== undefined && own !== 'name') used.add(mark);
        refusals.push([answer, control]);
      }
    };
    await effects.begin(session);
    await sendAll(new Set());
    const result = await effects.judge(session, 'reject.no-trace', sendAll);
    let lost: string | null = null;
    // Refused by a plan, a lock or a quota, it never came to the fault. A control is carried out, so it comes last.
    for (const [answer, control] of refusals)
      lost ??= await recheck(answer, () => session.send(minimalApiRequest(context, control)));
    return lost !== null && result.violations.length === 0 ? unproved(lost) : result;
  };

/** Creates under a name that only refused requests and a dry run have had. */
const nameAgain =
  (used: ReadonlySet<string>): NamedScenario['run'] =>
  async (context, session) => {
    const { minimal, row } = context;
    const send = (body: JsonObject): Promise<Answer> =>
      session.send({ ...minimalApiRequest(context, body), spare: true });
    const create = (name: string) => send({ ...minimal.body, name });
    const tryDry = async (name: string): Promise<boolean> =>
      hasDryRun(row) && (await send(asDryRun({ ...minimal.body, name }))).success;
    const [name] = used;
    if (name === undefined) return unproved('no name was refused');
    const isTried = await tryDry(name);
    const created = await create(name);
    if (created.success)
      return covering([], ['reject.no-trace', ...(isTried ? (['state.dry-run-metric'] as const) : [])]);
    if (!isClientError(created)) return unproved(`no answer of use (${refusalInWords(created)})`);
    const fresh = await send(minimal.body ?? {});
    if (!fresh.success) return unproved(`every creation is refused by now (${refusalInWords(fresh)})`);
    const other = `${name}_dry`;
    const afterDryRun = isTried && (await tryDry(other)) ? await create(other) : null;
    const isDry = afterDryRun !== null && !afterDryRun.success;
    const expected = `a creation: only a ${isDry ? 'dry run' : 'refused request'} has had the name`;
    const requirement = isDry ? 'state.dry-run-metric' : 'reject.no-trace';
    return violated(isDry ? afterDryRun : created, requirement, 'status', expected, refusalInWords(created));
  };

/** Section 4: a refused write changes nothing: the fault in one field keeps valid changes of others from storage. */
export const noTrace: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'no-trace',
  level: 'MUST',
  title: 'A refused write leaves no trace',
  detects:
    'A handler that stores field by field and stops at the first fault; a validation after the write; a name that is taken before the creation is checked.',
  requirements: row => ['reject.no-trace', ...(createsForGood({ row }) ? (['state.dry-run-metric'] as const) : [])],
  appliesTo: row =>
    row.body !== null && isReadBack(row) && !isOperation(row, 'experiment', 'update') && row.oneShot !== true,
  plan(context) {
    const { row } = context;
    if (row.body === null) return { because: 'the operation has no body' };
    const used = new Set<string>();
    const broken = brokenRequests(context, row.body);
    const refused = {
      title: 'broken requests beside valid changes, then the whole entity',
      run: refusedWrites(broken, used),
    };
    const again = { title: 'a creation under a name that was refused and tried before', run: nameAgain(used) };
    return planOf(createsForGood(context) && context.amounts.creations > 1 ? [refused, again] : [refused])(context);
  },
};
