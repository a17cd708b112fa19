import type { Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { inWords } from '../../judge/words.ts';
import {
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  passed,
  type Session,
  violation,
} from '../../protocol/check.ts';
import { changingIn } from '../../state/attribution.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
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
 * another, sends one more such request between two readings, and reads without one as well: others change configs too.
 * What was seen once only was somebody else's: many requests lie between the first two readings, and a further version
 * need not be put back, because each later try begins at what it reads. It is a warning if the config was disabled, which
 * can be seen once only. No other config is sent one: what ends a config cannot be undone.
 */
export async function addedVersion(
  context: CheckContext,
  session: Session,
  { attribute, seen }: Pick<Care, 'attribute' | 'seen'>,
  before: Members | undefined,
): Promise<CheckResult> {
  const { row, minimal } = context;
  const { param = '' } = minimal;
  let known = versionOf(before);
  if (row.resource !== 'config' || versionOf(seen.get(param)) === known) return passed;
  const isEnded = before?.isEnabled === true && seen.get(param)?.isEnabled === false;
  const read = () => entityKinds.config.read(context, session, param);
  return attribute(session, {
    async attempt(round) {
      if (round > 0) {
        known = versionOf((await read()).entity);
        const answer = await session.send({ ...minimalApiRequest(context), key: { kind: 'none' } });
        if (answer.success) return { because: 'it was accepted without the key, which another case reports', answer };
      }
      const { entity, answer } = await read();
      const version = versionOf(entity);
      if (known === undefined || version === undefined) return { because: 'the versions could not be read', answer };
      const expected = `${inWords(known)}, as before the requests without the right key`;
      const found = violation(answer, broken, '/data/0/version', expected, inWords(version));
      return { suspicions: version === known ? [] : [{ key: 'version', violation: found }], covers: [broken] };
    },
    watch: readings => changingIn(readings, async () => [['version', versionOf((await read()).entity)]]),
    putBack: async () => !isEnded,
  });
}
