import type { Endpoint } from '../../../contracts/endpoint.ts';
import { answerSchema } from '../../../contracts/endpoints.ts';
import { addFieldRequirements, fieldRequirementsOf } from '../../../contracts/fields.ts';
import { at } from '../../../contracts/pointer.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { type Problem, validatorFor } from '../../../contracts/validation.ts';
import { answerRequirement, keepsSchema } from '../../judge/schema.ts';
import { inWords } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { judged, notJudged, type PassiveCheck } from '../../protocol/check.ts';
import { violation } from '../../protocol/violation.ts';

/** What the envelope and the message checks judge already. */
const ofTheEnvelope = new Set(['', '/message', '/data', '/pagination']);

/** A field of which nothing but the name is given has no type to judge. */
const isJudged = (id: RequirementId): boolean => requirementById(id).level !== 'OPEN';

/** The requirement of a problem: refusing a wrong type is a SHOULD, but the answer then has to be well typed. */
const violatedRequirement = (
  { request, sent }: Answer,
  row: Endpoint,
  { keyword, pointer }: Problem,
): RequirementId => {
  if (!keepsSchema(sent, row)) return 'reject.well-typed-if-accepted';
  return keyword === 'required' ? 'presence.must' : answerRequirement(request.endpoint, pointer);
};

/** What an answer shows something of: that its members are there, and the type of each field that it has. */
function* coveredBy({ request, sent, value }: Answer, row: Endpoint): Generator<RequirementId> {
  yield 'presence.must';
  if (!keepsSchema(sent, row)) yield 'reject.well-typed-if-accepted';
  const fields = new Set<RequirementId>();
  addFieldRequirements(value, answerSchema(request.endpoint), fields);
  yield* fields;
}

/** Sections 2 and 4: documented fields have their documented type, at every depth, and required ones are there. */
export const schema: PassiveCheck = {
  kind: 'passive',
  id: 'schema',
  level: 'MUST',
  title: 'Every documented field of an answer has its documented type, at every depth',
  detects:
    'A boolean as 0 or 1, a number as a string, an undocumented null, a value outside a closed set, a missing identity.',
  requirements: (row, endpoint) => [
    'presence.must',
    ...(row.body === null ? [] : (['reject.well-typed-if-accepted'] as const)),
    ...fieldRequirementsOf(answerSchema(endpoint)).filter(isJudged),
  ],
  reportsCoverage: true,
  appliesTo: () => true,
  observe(answer, row) {
    const { value, success, own } = answer;
    if (!success || !own || value === undefined) return notJudged;
    const problems = validatorFor(answerSchema(answer.request.endpoint))(value);
    const violations = problems
      .filter(({ pointer }) => !ofTheEnvelope.has(pointer))
      .map(problem => {
        const { pointer, keyword, message } = problem;
        const expected = keyword === 'required' ? 'the member, which must be there' : message;
        const requirement = violatedRequirement(answer, row, problem);
        return violation(answer, requirement, pointer, expected, inWords(at(value, pointer)));
      });
    return { ...judged(violations), covers: coveredBy(answer, row) };
  },
};
