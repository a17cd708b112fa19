import { isObject } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { bodyRequirement } from '../../judge/schema.ts';
import { inWords } from '../../judge/words.ts';
import { type BodyProblem, bodyProblems, undocumentedMembers } from '../exchange/body-problems.ts';
import { type Breach, clientBreach, type Note } from '../exchange/breach.ts';
import { twice } from '../exchange/open-body.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** What a body showed: breaches, notes, what of it is broken, and which requirements it could have broken. */
export interface BodyJudgement {
  readonly breaches: readonly Breach[];
  readonly notes: readonly Note[];
  readonly problems: readonly BodyProblem[];
  readonly covers: readonly RequirementId[];
}

const nothing: BodyJudgement = { breaches: [], notes: [], problems: [], covers: [] };

/** The requirement of the client that a problem of a body breaks. */
const clientRequirement = ({ level, keyword }: BodyProblem): RequirementId =>
  level === 'MUST' ? 'client.body-constraint' : keyword === 'type' ? 'client.body-type' : 'client.body-member';

/** What is stated, and where: `must have at least 3 characters (gate.name, section 2.3)`. */
function clauseOf({ message, pointer }: BodyProblem, { row }: SeenExchange): string {
  if (pointer === '') return `${message} (section ${row.section})`;
  const id = bodyRequirement(row, pointer);
  return `${message} (${id}, section ${requirementById(id).section})`;
}

/** The problem of a body that is not there, where the operation requires some of it. */
function absentBody({ row }: SeenExchange): BodyProblem | undefined {
  const required = row.body?.required ?? [];
  if (required.length === 0) return undefined;
  const message = `must be an object with ${required.map(name => `\`${name}\``).join(', ')}`;
  return { pointer: '', keyword: 'required', level: 'MUST', message, sent: undefined };
}

/** Judges the body of a request by what section 2 states for it, whatever the server made of it. */
export function judgeBody(seen: SeenExchange): BodyJudgement {
  const { body, row, answer } = seen;
  if (body === undefined) return nothing;
  if (row.body === null) {
    if (body.kind === 'empty') return nothing;
    return { ...nothing, notes: [{ requirement: 'client.unasked-body', subject: 'a body', value: 'sent' }] };
  }
  const covers: readonly RequirementId[] = ['client.body-json', 'client.body-constraint', 'client.body-type'];
  if (body.kind === 'broken') {
    const breach = clientBreach(
      seen,
      'client.body-json',
      'body',
      'a body of JSON (section 1)',
      `a body that ${body.why}`,
    );
    const told =
      body.why === twice
        ? { ...breach, violation: { ...breach.violation, doubt: 'a name twice is bad practice' } }
        : breach;
    return { ...nothing, breaches: [told], covers };
  }
  const absent = body.kind === 'empty' ? absentBody(seen) : undefined;
  const sent = answer.sent;
  const problems = absent !== undefined ? [absent] : sent === undefined ? [] : bodyProblems(sent, row);
  const breaches = problems.map(problem =>
    clientBreach(
      seen,
      clientRequirement(problem),
      problem.pointer === '' ? 'body' : problem.pointer,
      clauseOf(problem, seen),
      problem.sent === undefined ? 'nothing' : inWords(problem.sent),
      present({ pointer: problem.pointer, sent: problem.sent }),
    ),
  );
  const undocumented = isObject(sent) ? undocumentedMembers(sent, row) : [];
  return {
    breaches,
    notes: undocumented.map(pointer => ({ requirement: 'client.undocumented-field', subject: pointer, value: 'sent' })),
    problems,
    covers: body.kind === 'empty' && absent === undefined ? [] : [...covers, 'client.body-member'],
  };
}
