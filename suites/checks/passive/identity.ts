import type { Endpoint } from '../../../contracts/endpoint.ts';
import { asText, isObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { said } from '../../judge/words.ts';
import { kinds } from '../../model/resources.ts';
import { isAccepted, itemsOf } from '../../protocol/answer.ts';
import { covering, notJudged, type PassiveCheck, violation } from '../../protocol/check.ts';

/** The requirement of a row's identity, such as `identity.gate-id`. A test ensures that each identity has one. */
const identityRequirement = ({ resource, identity: known }: Endpoint): RequirementId =>
  `identity.${resource}-${known?.member}` as RequirementId;

/** Returns the requirement, judged by the model of the service, that answers agree about an entity. */
function shownRequirement({ resource }: Endpoint): readonly RequirementId[] {
  const { shownAs } = kinds[resource];
  const reads = shownAs === undefined ? undefined : kinds[shownAs].reads;
  return reads === undefined ? [] : [reads];
}

/** Sections 2.7 and 4.2 to 4.15: the answer is about the entity that the request named. Binds rows with `identity`. */
export const identity: PassiveCheck = {
  kind: 'passive',
  id: 'identity',
  level: 'MUST',
  title: 'The answer is about the entity that the request named',
  detects:
    "Another entity's data under this one's path, another version's under its number; a metric id that is not its own name and type joined by two colons.",
  requirements: row => [identityRequirement(row), ...shownRequirement(row)],
  appliesTo: row => row.identity !== null,
  observe(answer, row) {
    const known = row.identity;
    if (known === null || !answer.success || !answer.own) return notJudged;
    // A missing or wrongly typed identity is the schema check's finding.
    const named = itemsOf(answer, row).flatMap(({ item, pointer }) =>
      isObject(item) && typeof item[known.member] === 'string' ? [{ item, pointer }] : [],
    );
    const violations = named.flatMap(({ item, pointer }) => {
      const expected =
        known.is === 'param' ? (answer.request.param ?? '') : `${asText(item.name)}::${asText(item.type)}`;
      const got = item[known.member];
      if (got === expected) return [];
      const at = `${pointer}/${known.member}`;
      return [violation(answer, identityRequirement(row), at, said(expected), said(got))];
    });
    const isProof = named.length > 0 && isAccepted(answer);
    return violations.length > 0 || isProof ? covering(violations, [identityRequirement(row)]) : notJudged;
  },
};
