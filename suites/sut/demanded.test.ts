import { expect, test } from 'vitest';
import { membersOf } from '../../contracts/json.ts';
import type { TargetFile } from '../../contracts/target.ts';
import { refusing } from '../proof/premise/demanding.fixture.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';

/** A service that archives a config only if it is told to force it. */
const forced = () => refusing('archive-config', ({ body }) => membersOf(body).forceArchive !== true, 409);

test.each([
  ['declared', ['forceArchive'], 'conformant'],
  ['not declared', [], 'incomplete'],
])('a config that must be archived by force: %s', async (_what, fields, verdict) => {
  const requires = { 'archive-config': fields };
  const file = (given: TargetFile): TargetFile => ({ ...given, requires });
  const { verdicts } = await recordedRun({ server: forced(), only: ['archive-config'], file });
  expect(verdicts.get('archive-config')).toBe(verdict);
});
