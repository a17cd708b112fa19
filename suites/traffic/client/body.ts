import { isObject } from '../../../contracts/json.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { bodyRequirement } from '../../judge/schema.ts';
import { inWords } from '../../judge/words.ts';
import { violation } from '../../protocol/check.ts';
import { type BodyProblem, bodyProblems, undocumentedMembers } from '../exchange/body-problems.ts';
import { type Judged, type Note, nothing } from '../exchange/breach.ts';
import { twice } from '../exchange/open-body.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The judgement of a request body, with notes and the problems found. */
export interface BodyJudgement extends Judged {
  readonly notes: readonly Note[];
  readonly problems: readonly BodyProblem[];
}

const silent: BodyJudgement = { ...nothing, notes: [], problems: [] };

/** Returns the requirement of the client that a body problem breaks. */
const clientRequirement = ({ level, keyword }: BodyProblem): RequirementId =>
  level === 'MUST' ? 'client.body-constraint' : keyword === 'type' ? 'client.body-type' : 'client.body-member';

/** Returns the stated rule and its place: `must have at least 3 characters (gate.name, section 2.3)`. */
function clauseOf({ message, pointer }: BodyProblem, { row }: SeenExchange): string {
  if (pointer === '') return `${message} (section ${row.section})`;
  const id = bodyRequirement(row, pointer);
  return `${message} (${id}, section ${requirementById(id).section})`;
}

/** Returns the problem of an absent body if the operation requires members in it. */
function absentBody({ row }: SeenExchange): BodyProblem[] {
  const required = row.body?.required ?? [];
  const message = `must be an object with ${required.map(name => `\`${name}\``).join(', ')}`;
  return required.length === 0 ? [] : [{ pointer: '', keyword: 'required', level: 'MUST', message, sent: undefined }];
}

/** Judges a request body by the rules of section 2, however the server answered it. */
export function judgeBody(seen: SeenExchange): BodyJudgement {
  const { body, row, answer } = seen;
  const { sent } = answer;
  if (body === undefined) return silent;
  if (row.body === null)
    return body.kind === 'empty'
      ? silent
      : { ...silent, notes: [{ requirement: 'client.unasked-body', subject: 'a body', value: 'sent' }] };
  const covers: readonly RequirementId[] = ['client.body-json', 'client.body-constraint', 'client.body-type'];
  if (body.kind === 'broken') {
    const doubt = body.why === twice ? { doubt: 'a name twice is bad practice' } : {};
    const expected = 'a body of JSON (section 1)';
    const one = violation(answer, 'client.body-json', 'body', expected, `a body that ${body.why}`);
    return { ...silent, breaches: [{ ...one, ...doubt }], covers };
  }
  const problems = body.kind === 'empty' ? absentBody(seen) : sent === undefined ? [] : bodyProblems(sent, row);
  const breaches = problems.map(problem => {
    const actual = problem.sent === undefined ? 'nothing' : inWords(problem.sent);
    const place = problem.pointer || 'body';
    const one = violation(answer, clientRequirement(problem), place, clauseOf(problem, seen), actual);
    return { ...one, about: problem };
  });
  const undocumented = isObject(sent) ? undocumentedMembers(sent, row) : [];
  return {
    breaches,
    notes: undocumented.map(pointer => ({ requirement: 'client.undocumented-field', subject: pointer, value: 'sent' })),
    problems,
    covers: body.kind === 'empty' && problems.length === 0 ? [] : [...covers, 'client.body-member'],
  };
}
