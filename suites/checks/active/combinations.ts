import { hasDryRun, writesApart } from '../../../contracts/endpoint.ts';
import { type AcceptCase, acceptArbitrary } from '../../generators/index.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { acceptance, describeAcceptCase } from './acceptance.ts';
import { schemaOf, templateOf } from './body.ts';
import { createsForGood, leavesTooMuch } from './dry-run.ts';

/** One in this many requests that may leave something is a random combination. */
const leavingShare = 13;

/** Section 4: random valid combinations of plain fields are accepted (SHOULD), and their values come back. */
export const combinations: ActiveCheck<AcceptCase> = {
  kind: 'active',
  id: 'combinations',
  role: 'acceptance',
  level: 'SHOULD',
  title: 'Random valid fields and combinations of fields are accepted',
  detects:
    'A value nobody thought of: a text that breaks an encoder, a number that is rounded, two fields that overwrite each other.',
  requirements: () => ['accept.combination'],
  appliesTo: row => row.body !== null && row.effect !== 'destructive',
  draws: 'fuzz',
  plan(context) {
    const { row, target, amounts } = context;
    const staysForGood = createsForGood(context) && !hasDryRun(row);
    // With so few creations, one that has every field shows more.
    if (staysForGood && amounts.creations === 1) return leavesTooMuch;
    return {
      arbitrary: acceptArbitrary(schemaOf(context), templateOf(context), target),
      // Draw few if each creation stays and cannot be a dry run.
      ...(staysForGood && { most: Math.ceil(amounts.creations / leavingShare) }),
      parallel: writesApart(row),
      describe: describeAcceptCase,
      // Refusing a random value breaks only a SHOULD: a real target checks what no schema can say.
      run: acceptance(context, () => 'accept.combination').run,
    };
  },
};
