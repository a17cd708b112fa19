import { isDeepStrictEqual } from 'node:util';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { said, saidLost } from '../../judge/words.ts';
import { violation } from '../../protocol/check.ts';
import type { Untried } from '../../state/attribution.ts';
import { type Reading, readGate, readSettledGate } from '../../state/reading.ts';
import type { Scenario } from './scenario.ts';

/** So often a gate is read in a row: one of several replicas that never catches up is met meanwhile. */
const mostReadings = 6;

/** What reading a gate in a row showed: the last reading, and one before it that showed something else than was sent. */
interface Readings {
  readonly last: Reading;
  readonly stale?: Reading;
}

const unreadable = ({ answer }: Reading): Untried => ({
  because: `the gate could not be read back (${refusalInWords(answer)})`,
  answer,
});

/**
 * Patches a gate and reads it again and again: once the time to settle is over, what was there before the patch does not
 * come back between two readings of what was sent. What comes to stay was written by somebody else, or is the finding of
 * another case.
 */
export const patchAndReadOften: Scenario = (context, session, { eventually, attribute }) => {
  const id = context.minimal.param ?? '';
  const first = context.discovered.gates?.get(id)?.description;
  const readOften = async (sent: string, old: readonly unknown[]): Promise<Readings> => {
    let last = await readGate(session, id);
    let stale: Reading | undefined;
    for (let number = 1; number < mostReadings; number += 1) {
      const shown = last.entity?.description;
      if (shown === sent && stale !== undefined) return { last, stale };
      if (shown !== sent && old.some(one => isDeepStrictEqual(one, shown))) stale ??= last;
      last = await readGate(session, id);
      if (last.entity === null) break;
    }
    return last.entity?.description === sent && stale !== undefined ? { last, stale } : { last };
  };
  return attribute(session, {
    async attempt(round) {
      const settled = await readSettledGate(session, id, eventually);
      if (settled.entity === null) return unreadable(settled);
      const before = settled.entity.description;
      if (before === undefined) return { because: 'the gate shows no description' };
      const description = `conform ${context.token} read often ${round}`;
      const patched = await session.send({ endpoint: 'patch-gate', param: id, body: { description } });
      if (!patched.success) return { because: `the patch was refused (${refusalInWords(patched)})` };
      const old = [before, ...(first === undefined ? [] : [first])];
      const { last, stale } = await eventually(
        () => readOften(description, old),
        readings => readings.stale === undefined,
        () => 'an old description',
      );
      if (last.entity === null) return unreadable(last);
      if (stale === undefined) {
        const isShown = last.entity.description === description;
        return { suspicions: [], covers: isShown ? ['state.patch-every-sent'] : [] };
      }
      const expected = saidLost(description, ' each time that the gate is read, for the time to settle is over');
      const actual = said(stale.entity?.description, ' between readings of it');
      const wrong = violation(stale.answer, 'state.patch-every-sent', '/data/description', expected, actual);
      // Nobody else wrote what was there before, and then what was sent.
      const suspicion = { key: 'description, read often', violation: wrong, certain: true };
      return { suspicions: [suspicion], covers: ['state.patch-every-sent'] };
    },
  });
};
