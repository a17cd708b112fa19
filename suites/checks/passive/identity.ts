import type { Endpoint } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { inWords } from '../../judge/words.ts';
import type { PassiveCheck } from '../../protocol/check.ts';

/** The requirement that binds the identity of a resource: `identity.gate-id`. A test holds that there is one for every row of the endpoint table. */
const requirementFor = ({ resource, identity: known }: Endpoint): RequirementId =>
  `identity.${resource}-${known?.member}` as RequirementId;

/** The answer speaks of the entity that the request named (sections 2.7 and 4.2 to 4.15). */
export const identity: PassiveCheck = {
  kind: 'passive',
  id: 'identity',
  level: 'MUST',
  title: 'The answer is about the entity that the request named',
  detects:
    "Another entity's data under this one's path; a metric id that is not its own name and type joined by two colons.",
  requirements: (_endpoint, row) => [requirementFor(row)],
  appliesTo: (_endpoint, row) => row.identity !== null,
  observe(answer, row) {
    const known = row.identity;
    if (known === null || !answer.success || !answer.own) return null;
    const { data } = answer;
    const items: readonly unknown[] = row.list ? (Array.isArray(data) ? data : []) : [data];
    const violations = items.flatMap((item, index) => {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return [];
      const entity = item as Readonly<Record<string, unknown>>;
      // What is absent or of another type is the schema check's finding.
      if (typeof entity[known.member] !== 'string') return [];
      const expected = known.is === 'param' ? (answer.request.param ?? '') : `${entity.name}::${entity.type}`;
      if (entity[known.member] === expected) return [];
      return [
        {
          requirement: requirementFor(row),
          pointer: row.list ? `/data/${index}/${known.member}` : `/data/${known.member}`,
          expected: JSON.stringify(expected),
          actual: inWords(entity[known.member]),
          answer,
        },
      ];
    });
    return items.length === 0 ? null : violations;
  },
};
