import type { Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { inWords } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  passed,
  type Session,
  violation,
} from '../../protocol/check.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { besideOf } from '../scenarios/beside.ts';
import type { Care } from '../scenarios/scenario.ts';

/**
 * Versions of a config that requests without the key add (section 9). Nothing is known of a new version before it is
 * shown, so no comparison of entities tells that it must not be there.
 */

const broken: RequirementId = 'auth.no-effect';

/** The version of a config that a reading showed; undefined: none. */
const versionOf = (entity: Members | null | undefined): number | undefined =>
  typeof entity?.version === 'number' ? entity.version : undefined;

/**
 * Judges the newest version of a config after requests without the right key, given the one before them. Where it is
 * another, sends one such request to each of the other configs between two readings, and reads without one as well:
 * others change configs too. What was seen once only is a warning.
 */
export async function addedVersion(
  context: CheckContext,
  session: Session,
  { attribute, seen }: Pick<Care, 'attribute' | 'seen'>,
  before: Members | undefined,
): Promise<CheckResult> {
  const id = context.minimal.param ?? '';
  const after = seen.get(id);
  if (context.row.resource !== 'config' || after === before || versionOf(after) === versionOf(before)) return passed;
  const names = [id, ...besideOf(entityKinds.config, context)];
  const read = async (of: string): Promise<{ readonly version: number | undefined; readonly answer: Answer }> => {
    const { entity, answer } = await entityKinds.config.read(context, session, of);
    return { version: versionOf(entity), answer };
  };
  let param = id;
  let known = versionOf(before);
  return attribute(session, {
    async attempt(round) {
      if (round > 0) {
        // What can be done once only is not seen twice at one config.
        param = names[round % names.length] ?? id;
        known = (await read(param)).version;
        const answer = await session.send({ ...minimalApiRequest(context), param, key: { kind: 'none' } });
        if (answer.success) return { because: 'it was accepted without the key, which another case reports', answer };
      }
      const { version, answer } = await read(param);
      if (known === undefined || version === undefined) return { because: 'the versions could not be read', answer };
      const expected = `${inWords(known)}, as before the requests without the right key`;
      const found = violation(answer, broken, '/data/0/version', expected, inWords(version));
      return { suspicions: version === known ? [] : [{ key: 'version', violation: found }], covers: [broken] };
    },
    async watch(readings) {
      const first = (await read(param)).version;
      for (let reading = 1; reading < readings; reading += 1)
        if ((await read(param)).version !== first) return ['version'];
      return [];
    },
  });
}
