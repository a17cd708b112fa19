import type { Endpoint } from '../../../contracts/endpoint.ts';
import { answerSchema, endpoints } from '../../../contracts/endpoints.ts';
import { addFieldRequirements, fieldRequirementsOf } from '../../../contracts/fields.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { fieldRequirement } from '../../judge/field-requirement.ts';
import { keepsSchema } from '../../judge/sent-body.ts';
import { inWords } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { PassiveCheck } from '../../protocol/check.ts';
import type { Violation } from '../../protocol/violation.ts';

/** What the envelope and the message checks judge already. */
const frame = new Set(['', '/message', '/data', '/pagination']);

function at(value: unknown, pointer: string): unknown {
  let here: unknown = value;
  for (const token of pointer.split('/').slice(1)) {
    if (typeof here !== 'object' || here === null) return undefined;
    const key = token.replace(/~1/g, '/').replace(/~0/g, '~');
    here = Object.hasOwn(here, key) ? (here as Record<string, unknown>)[key] : undefined;
  }
  return here;
}

/** A field of which nothing but the name is given has no type to judge. */
const isJudged = (id: RequirementId): boolean => requirementById(id).level !== 'OPEN';

/** True of an answer to a body that breaks its schema: refusing a wrong type is a SHOULD, but what is accepted has to be well typed all the same. */
const acceptedAlthoughBroken = ({ sent }: Answer, row: Endpoint): boolean => !keepsSchema(sent, row);

/** Section 2: every documented field of an answer has its documented type or value, at every depth, and what must be there is there. */
export const schema: PassiveCheck = {
  kind: 'passive',
  id: 'schema',
  level: 'MUST',
  title: 'Every documented field of an answer has its documented type, at every depth',
  detects:
    'A boolean as 0 or 1, a number as a string, an undocumented null, a value outside a closed set, a missing identity.',
  requirements: (endpoint, row) => [
    'presence.must',
    ...(row.body === null ? [] : (['reject.well-typed-if-accepted'] as const)),
    ...fieldRequirementsOf(answerSchema(endpoint)).filter(isJudged),
  ],
  reportsCoverage: true,
  appliesTo: () => true,
  observe(answer, row) {
    const { endpoint } = answer.request;
    if (!answer.success || !answer.own || answer.value === undefined) return null;
    const broken = acceptedAlthoughBroken(answer, row);
    const problems = validatorFor(answerSchema(endpoint))(answer.value);
    return problems.flatMap((problem): Violation[] => {
      if (frame.has(problem.pointer)) return [];
      const missing = problem.keyword === 'required';
      return [
        {
          requirement: broken
            ? 'reject.well-typed-if-accepted'
            : missing
              ? 'presence.must'
              : fieldRequirement(endpoint, 'answer', problem.pointer),
          pointer: problem.pointer,
          expected: missing ? 'the member, which must be there' : problem.message,
          actual: inWords(at(answer.value, problem.pointer)),
          answer,
        },
      ];
    });
  },
  covers(answer, rows) {
    rows.add('presence.must');
    if (acceptedAlthoughBroken(answer, endpoints[answer.request.endpoint])) rows.add('reject.well-typed-if-accepted');
    addFieldRequirements(answer.value, answerSchema(answer.request.endpoint), rows);
  },
};
