import { type Endpoint, hasDryRun, resourceNames } from '../../../contracts/endpoint.ts';
import { answerSchema } from '../../../contracts/endpoints.ts';
import { addFieldRequirements, fieldRequirementsOf } from '../../../contracts/fields.ts';
import { type Json, membersOf } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { at, same, steps } from '../../../contracts/pointer.ts';
import type { NotExercised } from '../../../contracts/report/journal.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { pagination } from '../../../contracts/resources/index.ts';
import { type Problem, validatorFor } from '../../../contracts/validation.ts';
import { answerRequirement, hasRequired, keepsSchema } from '../../judge/schema.ts';
import { said, saidConstraint } from '../../judge/words.ts';
import { type Answer, isAccepted, isDryRun } from '../../protocol/answer.ts';
import { covering, notJudged, type PassiveCheck, type Violation, violation } from '../../protocol/check.ts';

/** Places that the envelope and the message checks judge. */
const ofTheEnvelope = new Set(['', '/message', '/data', '/pagination']);

/** False if the specification gives only the field's name: there is no type to judge. */
const isJudged = (id: RequirementId): boolean => requirementById(id).level !== 'OPEN';

/**
 * Returns the requirement that a problem breaks. An accepted value of a wrong type must still be answered well typed.
 */
const violatedRequirement = (
  { request, sent }: Answer,
  row: Endpoint,
  { keyword, pointer }: Problem,
): RequirementId => {
  if (!keepsSchema(sent, row)) return 'reject.well-typed-if-accepted';
  return keyword === 'required' ? 'presence.must' : answerRequirement(request.endpoint, pointer);
};

/** True of the id of what a dry run did not make: a service may give it none. */
const hasNoId = (answer: Answer, row: Endpoint, { keyword, pointer }: Problem): boolean =>
  keyword === 'required' && pointer === '/data/id' && hasDryRun(row) && isDryRun(answer);

/** Returns the requirements about which an answer shows something: that members are present, and each field's type. */
function coveredIn({ request: { endpoint }, sent, value, data }: Answer, row: Endpoint): Set<RequirementId> {
  const found = new Set<RequirementId>();
  addFieldRequirements(value, answerSchema(endpoint), found);
  if (found.size > 0 && !keepsSchema(sent, row)) found.add('reject.well-typed-if-accepted');
  const items = row.list ? { type: 'array' as const, items: row.data } : row.data;
  if (hasRequired(data, items) || (row.list && hasRequired(membersOf(value).pagination, pagination)))
    found.add('presence.must');
  return found;
}

/**
 * Returns violations for accepted values of a wrong type that come back in fields documented for the request only. The
 * section states a type for them all the same.
 */
function keptWrong(answer: Answer, row: Endpoint): Violation[] {
  const { sent, data } = answer;
  if (row.body === null || keepsSchema(sent, row)) return [];
  return validatorFor(row.body)(sent)
    .filter(({ keyword, pointer }) => {
      const shown = at(data, pointer);
      const isOutside = !Object.hasOwn(row.data.properties ?? {}, steps(pointer)[0] ?? '');
      return keyword === 'type' && isOutside && shown !== undefined && same(shown as Json, at(sent, pointer) as Json);
    })
    .map(problem => {
      const shown = said(at(data, problem.pointer));
      const pointer = `/data${problem.pointer}`;
      return violation(answer, 'reject.well-typed-if-accepted', pointer, saidConstraint(problem), shown);
    });
}

/** The requirements of fields that only the items of a list can show. */
const ofItems = memoized(({ data }: Pick<Endpoint, 'data'>) => fieldRequirementsOf(data).filter(isJudged));

/** Returns what an empty list leaves untested. */
const emptyList = (row: Endpoint): NotExercised => ({
  field: 'data',
  because: 'the list is empty, and that proves nothing about its items',
  remedy: `add a ${resourceNames[row.resource]} that GET ${row.path} lists`,
  requirements: [...ofItems(row)],
});

/** Sections 2 and 4: documented fields have their documented type, at every depth, and required ones are present. */
export const schema: PassiveCheck = {
  kind: 'passive',
  id: 'schema',
  level: 'MUST',
  title: 'Every documented field of an answer has its documented type, at every depth',
  detects:
    'A boolean as 0 or 1, a number as a string, an undocumented null, a value outside a closed set, a missing identity.',
  requirements: (row, endpoint) => [
    'presence.must',
    ...(row.body === null ? [] : ['reject.well-typed-if-accepted' as const]),
    ...fieldRequirementsOf(answerSchema(endpoint)).filter(isJudged),
  ],
  appliesTo: () => true,
  observe(answer, row) {
    const { value, success, own } = answer;
    if (!success || !own || value === undefined) return notJudged;
    const problems = validatorFor(answerSchema(answer.request.endpoint))(value);
    const ofShape = problems
      .filter(problem => !ofTheEnvelope.has(problem.pointer) && !hasNoId(answer, row, problem))
      .map(problem => {
        const { pointer } = problem;
        const requirement = violatedRequirement(answer, row, problem);
        return violation(answer, requirement, pointer, saidConstraint(problem), said(at(value, pointer)));
      });
    const violations = [...ofShape, ...keptWrong(answer, row)];
    // Members of a broken envelope are not fields of the answer.
    const covers = isAccepted(answer) ? coveredIn(answer, row) : new Set<RequirementId>();
    if (violations.length === 0 && covers.size === 0) return notJudged;
    const isEmpty = row.list && Array.isArray(answer.data) && answer.data.length === 0;
    return { ...covering(violations, covers), ...(isEmpty && { notExercised: [emptyList(row)] }) };
  },
};
