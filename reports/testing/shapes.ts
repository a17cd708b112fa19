import type { PlannedCheck, RunEvent } from '../../contracts/report/journal.ts';
import { wrongType } from './findings.ts';
import { checkEnd, end, exchange, planOf, run, start } from './runs.ts';

/** A finding of a sequence: two requests, and what each answer had at the accused place. */
export const sequenceRun: readonly RunEvent[] = run({
  'patch-gate/envelope': [
    'fail',
    {
      findings: [
        {
          ...wrongType,
          steps: [
            { number: 1, exchange: exchange('{"isEnabled":true}', 200, '{"data":{"isEnabled":true}}'), shown: 'true' },
            { number: 4, exchange: exchange('{}', 200, '{"data":{"isEnabled": 1}}'), shown: '1' },
          ],
        },
      ],
    },
  ],
});

const plan: readonly PlannedCheck[] = planOf(['list-segments']).flatMap(check =>
  Array.from({ length: 8 }, (_, index) => ({ ...check, id: `${check.id}-${index}`, check: `${check.check}-${index}` })),
);

/** A run of as many checks as make the matrix wider than a phone. */
export const manyChecks: readonly RunEvent[] = [start([...plan]), ...plan.map(check => checkEnd(check, 'pass')), end()];
