import { createServer } from 'node:http';
import { endpoints } from '../../../contracts/endpoints.ts';
import type { Profile } from '../../../contracts/report/journal.ts';
import type { Report } from '../../../contracts/report/report.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { referenceTarget } from '../../../reference-server/index.ts';
import { foldJournal } from '../../../reports/index.ts';
import { run } from '../../engine/run.ts';
import { targetOf } from '../../sut/target.ts';
import { onLoopback } from '../testing/loopback.ts';
import { testKey } from '../testing/reference-run.ts';
import { keyHeader, readRequest, type VacuousTarget } from './targets.fixture.ts';

/** Runs a profile against a vacuous target, and returns the report. */
export async function reportOn({ answer }: VacuousTarget, profile: Profile): Promise<Report> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const key = request.headers[keyHeader];
      const { method = '', url = '' } = request;
      const text = Buffer.concat(chunks).toString();
      const { status, text: body } = answer(readRequest(method, url, typeof key === 'string' ? key : undefined, text));
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(method === 'HEAD' ? undefined : body);
    });
  });
  const { url, close } = await onLoopback(server);
  const fold = foldJournal({ endpoints, requirements });
  try {
    await run(
      { target: targetOf(referenceTarget(), url, testKey), profile, timeoutMs: 600_000, settleMs: 0, token: 'test' },
      event => fold.add(event),
    );
  } finally {
    await close();
  }
  return fold.report();
}
