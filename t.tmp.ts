import { recordedRun } from './suites/proof/testing/reference-run.ts';

const [fault, only, profile] = process.argv.slice(2) as any[];
const r = await recordedRun({
  server: { faults: fault === '-' ? [] : [fault], grace: 20 },
  only: [only],
  run: { profile, settleMs: 50 },
} as any);
for (const c of r.checks.values())
  if (c.stats?.requests || c.findings.length)
    console.log(
      c.id,
      c.verdict,
      JSON.stringify(c.stats),
      (c as any).because ?? '',
      c.findings.map(f => f.requirement + ' ' + f.pointer + ' ' + f.counterexample?.title).join(' | '),
    );
for (const e of (r as any).events ?? []) if (e.event === 'notice') console.log(e.text);
