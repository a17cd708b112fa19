import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type AcceptCase, acceptArbitrary, acceptCases } from '../../generators/index.ts';
import { acceptanceViolations } from '../../judge/outcome.ts';
import { type Answer, outcomeOf } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  unproved,
} from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import { inDryRun } from './dry-run.ts';
import { prepare } from './prepare.ts';

const requirementOf = ({ pointer, keyword, level }: AcceptCase): RequirementId => {
  if (pointer === '' && keyword !== 'combination') return 'accept.smallest';
  if (keyword === 'null') return 'accept.documented-null';
  if (level === 'SHOULD') return 'accept.combination';
  return keyword === 'example' ? 'accept.plain-value' : 'accept.stated-boundary';
};

/** The minimal request of an endpoint as the one case of an endpoint without a body. */
const minimalCase = (body: JsonObject): AcceptCase => ({
  title: 'the minimal request',
  pointer: '',
  value: body,
  body,
  level: 'MUST',
  keyword: 'template',
});

/** Why the refusal of a minimal request says nothing of the endpoint: the entity is not there, or may not be touched. */
function premiseLost(answer: Answer, context: CheckContext): string | null {
  if (answer.status === 401 || answer.status === 403) return `the key was refused (status ${answer.status})`;
  if (answer.status === 404 && context.row.param !== null)
    return `${context.minimal.param ?? 'the endpoint'} was not found (status 404): is it named rightly in the target file?`;
  return answer.reply.failure === null ? null : outcomeOf(answer);
}

/** True of an answer that knows no such path, or no such method there: with no id in the path nothing else can be missing. */
const isUnrouted = ({ status }: Answer, { row }: CheckContext): boolean =>
  status === 405 || status === 501 || (status === 404 && row.param === null);

/** Opens an endpoint for acceptance: once the minimal request is refused, no single field can prove anything. */
function acceptance(context: CheckContext) {
  let minimal: Promise<boolean> | undefined;
  const { body: minimalBody } = context.minimal;
  const accepted = (session: Session): Promise<boolean> => {
    minimal ??= prepare(context, session)
      .then(() => session.send(minimalApiRequest(context, minimalBody && inDryRun(minimalBody, context))))
      .then(answer => answer.success);
    return minimal;
  };
  return async (input: AcceptCase, session: Session): Promise<CheckResult> => {
    const isPlain = input.pointer === '' && input.keyword !== 'combination';
    if (!isPlain && !(await accepted(session))) {
      return {
        violations: [],
        proved: false,
        because: 'the minimal request of this endpoint was refused, so a single field proves nothing',
      };
    }
    const body = context.row.body === null ? undefined : inDryRun(input.body, context);
    const sending = prepare(context, session).then(() => session.send(minimalApiRequest(context, body)));
    // Noted before the answer is there: cases in flight beside this one must not send the minimal request once more.
    if (isPlain) {
      minimal ??= sending.then(({ success }) => success);
      // Where it fails this case fails too; nobody else need be waiting for it.
      minimal.catch(() => {});
    }
    const answer = await sending;
    if (isPlain) {
      const lost = answer.success ? null : premiseLost(answer, context);
      // Nobody there is a finding; an entity that is not there is a gap in the target file.
      if (lost !== null && answer.reply.failure === null) return unproved(lost);
    }
    const violations = acceptanceViolations(
      answer,
      isUnrouted(answer, context) ? 'service.route' : requirementOf(input),
      input.title,
    );
    return { violations, proved: true };
  };
}

/** What the specification states before what is only ordinary, and that before the extremes. */
const priority = ({ pointer, keyword, level }: AcceptCase): number =>
  pointer === '' ? 0 : level === 'SHOULD' ? 3 : keyword === 'example' ? 2 : 1;

const describe = ({ title, pointer, value }: AcceptCase) => ({ title, pointer, sent: value });

/** Sections 2 and 8: what the specification allows is accepted, field by field, at every boundary it states. */
export const accepts: ActiveCheck<AcceptCase> = {
  kind: 'active',
  id: 'accepts',
  role: 'minimal-request',
  level: 'MUST',
  title: 'The minimal request is accepted, and each plain field on top of it at every stated boundary',
  detects:
    'A bound that is one too strict, an enum without one of its values, a pattern that forgets a character, an optional field that is refused.',
  requirements: row =>
    row.body === null
      ? ['service.route', 'accept.smallest']
      : [
          'service.route',
          'accept.smallest',
          'accept.plain-value',
          'accept.stated-boundary',
          'accept.documented-null',
          'accept.combination',
        ],
  appliesTo: () => true,
  plan(context) {
    const { row, minimal, oneShot } = context;
    if (row.body === null || oneShot) {
      return { cases: [minimalCase(minimal.body ?? {})], parallel: false, describe, run: acceptance(context) };
    }
    const { cases, notExercised } = acceptCases(row.body, minimal.body ?? {}, context.target);
    return { cases, notExercised, parallel: row.effect === 'additive', priority, describe, run: acceptance(context) };
  },
};

/** Random valid combinations of plain fields are accepted (SHOULD), and what was sent comes back. */
export const combinations: ActiveCheck<AcceptCase> = {
  kind: 'active',
  id: 'combinations',
  role: 'acceptance',
  level: 'SHOULD',
  title: 'Random valid fields and combinations of fields are accepted',
  detects:
    'A value nobody thought of: a text that breaks an encoder, a number that is rounded, two fields that overwrite each other.',
  requirements: () => ['accept.combination'],
  appliesTo: row => row.body !== null && row.effect !== 'destructive',
  draws: 'fuzz',
  plan(context) {
    const { row, minimal } = context;
    if (row.body === null) return { because: 'the operation has no body' };
    const run = acceptance(context);
    return {
      arbitrary: acceptArbitrary(row.body, minimal.body ?? {}, context.target),
      parallel: row.effect === 'additive',
      describe,
      // Whatever a random value covers, refusing it is a SHOULD: a real target checks what no schema can say.
      run: async (input, session) => {
        const outcome = await run(input, session);
        const violations = outcome.violations.map(violation =>
          violation.requirement.startsWith('accept.')
            ? { ...violation, requirement: 'accept.combination' as const }
            : violation,
        );
        return { ...outcome, violations };
      },
    };
  },
};
