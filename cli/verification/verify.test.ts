import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tool } from '../../contracts/report/tool.ts';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is tampered with has any shape
type Line = any;

const apiKey = 'the-key-of-these-tests';
const fault = 'gate-description-accepts-1001-characters';
const digest = 'a'.repeat(64);

/** Runs against a server with these faults. Returns the folder with the run's files. */
async function ran(faults: readonly string[], ...flags: string[]): Promise<string> {
  const server = createReferenceServer({ apiKey, faults: [...faults] });
  const { url } = await server.listen();
  const out = folder();
  const config = join(out, 'conform.config.json');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey }));
  const argv = ['run', '--config', config, '--profile', 'quick', '--out', out, ...flags];
  const { code } = await conform(argv);
  await server.close();
  expect([0, 1, 3]).toContain(code);
  return out;
}

const journalIn = (out: string): Line[] =>
  readFileSync(join(out, 'journal.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
const asText = (lines: readonly Line[]): string => lines.map(line => `${JSON.stringify(line)}\n`).join('');

/** Writes these files into a folder of their own, and returns the output of `verify`. */
async function verified(files: Readonly<Record<string, string | Buffer>>, ...flags: string[]) {
  const into = folder();
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(into, name);
    writeFileSync(path, text);
    return path;
  });
  return conform(['verify', ...paths, ...flags]);
}

describe('a result that nobody touched is fine', () => {
  test.each<[what: string, faults: string[], flags: string[]]>([
    ['of a sound server', [], []],
    ['of a broken one', [fault], []],
    ['of a part', [], ['--only', 'patch-gate']],
    ['of a shard', [], ['--shard', '2/3']],
    ['that only reads', [], ['--read-only']],
    ['that was strict', [fault], ['--strict']],
    ['that ended after a cause', [fault], ['--bail']],
    ['that has a bound', [], ['--max-requests', '200']],
    ['with another seed', [], ['--seed', '7']],
  ])('%s', async (_what, faults, flags) => {
    const canRecord = !flags.some(flag => ['--shard', '--bail'].includes(flag));
    const record = join(folder(), 'recording.gz');
    const out = await ran(faults, ...flags, ...(canRecord ? ['--record', record] : []));
    const files = [join(out, 'journal.ndjson'), join(out, 'report.json')];
    // A run that did not complete has no recording.
    const recording =
      canRecord && JSON.parse(readFileSync(files[1] ?? '', 'utf8')).outcome === 'complete' ? [record] : [];
    const { out: said, code } = await conform(['verify', ...files, ...recording]);
    expect([code, said.split('\n')[0]]).toEqual([0, '✓ consistent']);
    expect((await conform(['verify', files[1] ?? ''])).out.split('\n')[0]).toBe('✓ consistent');
  });

  test('a report that asks for a minimum coverage of its own is sound, and the note says so', async () => {
    const out = await ran([]);
    const [journal, report] = [join(out, 'journal.ndjson'), join(folder(), 'report.json')];
    await conform(['report', journal, '--min-coverage', '99', '--reporter', `json=${report}`]);
    expect(JSON.parse(readFileSync(report, 'utf8')).exitCode).toBe(3);
    const { out: said, code } = await conform(['verify', journal, report]);
    expect([code, said.split('\n')[0]]).toEqual([0, '✓ consistent']);
    expect(said).toContain('it asks for a coverage of 99 %, and the run for none');
  });

  test('and so is one that was killed: it is told, and no pass', async () => {
    const cut = journalIn(await ran([])).slice(0, 60);
    const { out, code } = await verified({ 'journal.ndjson': asText(cut) });
    expect(code).toBe(0);
    expect(out).toMatch(/^result {5}incomplete/m);
    expect(out).toContain('it was cut off before its end');
  });
});

describe('what somebody changed is shown by what it contradicts', async () => {
  const server = createReferenceServer({ apiKey, faults: [fault, 'archive-config-202'] });
  const { url } = await server.listen();
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const out = mkdtempSync(join(tmpdir(), 'conform-tampered-'));
  const config = join(out, 'conform.config.json');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey }));
  const record = join(out, 'recording.gz');
  // A selection in which every verdict occurs: each forgery is verified by itself.
  const part = ['patch-gate', 'archive-config', 'list-segments', 'create-prompt-version'].flatMap(id => ['--only', id]);
  await conform(['run', '--config', config, '--profile', 'quick', ...part, '--out', out, '--record', record]);
  await server.close();
  const journal = journalIn(out);
  const report: Line = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  const recording: Line[] = gunzipSync(readFileSync(record))
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  rmSync(out, { recursive: true });

  const original = {
    'journal.ndjson': asText(journal),
    'report.json': JSON.stringify(report),
    'recording.gz': gzipSync(asText(recording)),
  };
  const failing = (lines: Line[]): Line => lines.find(line => line.verdict === 'fail');
  const ended = (lines: Line[]): Line => lines.find(line => line.event === 'check-end' && line.verdict === 'pass');
  const inJournal = (change: (lines: Line[]) => Line[] | undefined) => () => {
    const lines = structuredClone(journal);
    return { ...original, 'journal.ndjson': asText(change(lines) ?? lines) };
  };
  const alone = (change: (lines: Line[]) => Line[] | undefined) => () => {
    const { 'journal.ndjson': text } = inJournal(change)();
    return { 'journal.ndjson': text as string };
  };
  const inReport = (change: (one: Line) => void) => () => {
    const one = structuredClone(report);
    change(one);
    return { 'report.json': JSON.stringify(one) };
  };
  /** Returns a changed journal with the recording of its run. */
  const beside = (change: (lines: Line[]) => Line[] | undefined) => () => ({
    ...alone(change)(),
    'recording.gz': original['recording.gz'],
  });
  const cellsIn = (lines: Line[]): Line[] =>
    lines.flatMap(line => (line.event === 'cells' ? line.relations.flatMap((one: Line) => one.groups) : []));
  const inRecording = (change: (lines: Line[]) => Line[] | undefined) => () => {
    const lines = structuredClone(recording);
    return { ...original, 'recording.gz': gzipSync(asText(change(lines) ?? lines)) };
  };
  const answersIn = (lines: Line[]): Line[] => lines.flatMap(line => line.exchange ?? line.again ?? []);
  const checkOf = (one: Line, verdict: string): Line =>
    one.endpoints.flatMap((endpoint: Line) => endpoint.checks).find((check: Line) => check.verdict === verdict);

  // biome-ignore format: a table
  const tamperings: [what: string, files: () => Record<string, string | Buffer>, says: RegExp][] = [
    ['a verdict of the journal',            alone(lines => { failing(lines).verdict = 'pass'; }),                       /is pass, and its findings make it fail/],
    ['a pass that fails',                   alone(lines => { ended(lines).verdict = 'fail'; }),                          /is fail, and its findings make it pass/],
    ['a failure that warns',                alone(lines => { failing(lines).verdict = 'warn'; }),                        /is warn, and its findings make it fail/],
    ['a finding that is taken out',         inJournal(lines => { const one = failing(lines); one.findings = []; one.verdict = 'pass'; }), /than the run|found nothing of it/],
    ['a finding that is milder',            alone(lines => { failing(lines).findings[0].level = 'SHOULD'; }),            /broken as a SHOULD, and it is a MUST/],
    ['a finding of another requirement',    alone(lines => { failing(lines).findings[0].requirement = 'no.such'; }),     /which is no requirement/],
    ['a finding of what it does not judge', alone(lines => { failing(lines).findings[0].requirement = 'state.lineage-truth'; }), /which it does not judge|broken as/],
    ['a doubt that is added',               alone(lines => { failing(lines).findings[0].doubt = 'who knows'; }),         /broken as a MUST/],
    ['how often it was seen',               alone(lines => { failing(lines).findings[0].seen = { times: 9, of: 3 }; }),  /more often than it looked/],
    ['a unit that is taken out of the plan', alone(lines => { lines[0].plan.splice(3, 1); }),                            /is not planned, and what was declared selects it/],
    ['a unit that is added to the plan',    alone(lines => { lines[0].plan.push({ ...lines[0].plan[0], id: 'patch-gate/nothing' }); }), /does not select it/],
    ['a unit that is planned twice',        alone(lines => { lines[0].plan.push(lines[0].plan[0]); }),                   /a check is planned twice/],
    ['the level of a unit',                 alone(lines => { const [row] = lines[0].plan; row.level = row.level === 'MUST' ? 'SHOULD' : 'MUST'; }),                      /is planned in another way/],
    ['the requirements of a unit',          alone(lines => { lines[0].plan[0].requirements.pop(); }),                    /is planned in another way/],
    ['a filter that is hidden',             alone(lines => { lines[0].plan = lines[0].plan.filter((row: Line) => row.endpoint !== 'patch-gate'); return lines.filter(line => line.endpoint !== 'patch-gate'); }), /patch-gate\/.* is not planned/],
    ['a filter that nobody gave',           alone(lines => { lines[0].options.only = ['list-events']; }),                /does not select it/],
    ['a skip that nobody gave',             alone(lines => { lines[0].options.skip = ['patch-gate']; }),                 /does not select it/],
    ['a skip of everything',                alone(lines => { lines[0].options.skip = ['*']; }),                          /can select nothing/],
    ['a shard that is said to be one',      alone(lines => { lines[0].options.shard = { index: 1, total: 3 }; }),        /does not select it/],
    ['that it only read',                   alone(lines => { lines[0].options.readOnly = true; }),                       /that only reads/],
    ['a set of requirements that is none',  alone(lines => { lines[0].requirementSet.name = '2019-01'; }),               /no set of requirements 2019-01/],
    ['a set that says something else',      alone(lines => { lines[0].requirementSet.hash = digest; }),                  /says something else than the one of that hash/],
    ['errata that were never made',         alone(lines => { lines[0].requirementSet.errata = 99; }),                    /errata, and there are/],
    ['another suite',                       alone(lines => { lines[0].tool.name = 'another-suite'; }),                   /made by another-suite/],
    ['another target',                      alone(lines => { lines[0].target.baseUrl = 'https://api.example.com'; }),    /was sent elsewhere than to/],
    ['another token',                       inJournal(lines => { lines[0].token = '00000000'; }),                        /token/],
    ['another seed',                        inJournal(lines => { lines[0].seed = 4711; }),                               /seed/],
    ['another profile',                     inJournal(lines => { lines[0].profile = 'thorough'; }),                      /profile/],
    ['a check that ended twice',            alone(lines => { lines.splice(-1, 0, ended(lines)); }),                      /ends twice/],
    ['a check that began twice',            alone(lines => { lines.splice(-1, 0, lines.find(line => line.event === 'check-start')); }), /begins twice/],
    ['a check that never ended',            alone(lines => lines.filter(line => line !== ended(lines))),                 /never ended|its checks had/],
    ['a check of another endpoint',         alone(lines => { const one = ended(lines); one.endpoint = one.endpoint === 'list-events' ? 'patch-gate' : 'list-events'; }),                /of another endpoint, name or level/],
    ['a check that is milder',              alone(lines => { failing(lines).level = 'SHOULD'; }),                        /of another endpoint, name or level/],
    ['a check that was not planned',        alone(lines => { ended(lines).id = 'patch-gate/nothing'; }),                 /was not planned/],
    ['the count of requests',               alone(lines => { lines.at(-1).stats.requests = 3; }),                        /and the run 3/],
    ['the count of cases',                  alone(lines => { lines.at(-1).stats.cases += 1; }),                          /its checks had/],
    ['the count of one check',              alone(lines => { ended(lines).stats.cases += 5; }),                          /its checks had/],
    ['answers that nobody asked for',       alone(lines => { ended(lines).stats.accepted += 500; }),                     /more answers than requests/],
    ['two runs in one journal',             alone(lines => [...lines.slice(0, -1), ...structuredClone(journal).slice(0, 1), lines.at(-1)]), /two runs begin/],
    ['two runs one after another',          alone(lines => [...lines, ...lines]),                                        /two runs begin|runs/],
    ['something behind the end',            alone(lines => [...lines, lines[1]]),                                        /behind the end/],
    ['an end that is none',                 alone(lines => { lines.at(-1).outcome = 'interrupted'; }),                   /for no reason/],
    ['cases beyond a plan without time',    alone(lines => { lines.at(-1).stats.extended = 4; }),                        /extended without --time/],
    ['an observation of what is judged',    alone(lines => { lines.find(line => line.event === 'observation').requirement = 'envelope.json'; }), /which is not open/],
    ['an untested check without a reason',  alone(lines => { const one = lines.find(line => line.verdict === 'untested'); delete one.because; }), /untested for no reason/],
    ['the answer of a finding',             alone(lines => { failing(lines).findings.find((one: Line) => one.exchange !== undefined).exchange.response.status = 500; }), /and shows status 500|says/],
    ['a run cut off beside its report',     inJournal(lines => lines.slice(0, -40)),                                     /report's (outcome|truncated|verdict)/],
    ['the verdict of a report',             inReport(one => { one.verdict = 'conformant'; }),                            /report's verdict is not what follows/],
    ['the exit code of a report',           inReport(one => { one.exitCode = 0; }),                                      /exitCode/],
    ['an endpoint of a report',             inReport(one => { one.endpoints.find((row: Line) => row.verdict === 'non-conformant').verdict = 'conformant'; }), /the verdict of/],
    ['a check of a report',                 inReport(one => { checkOf(one, 'fail').verdict = 'pass'; }),                 /its findings make it fail/],
    ['a requirement of a report',           inReport(one => { one.requirements.find((row: Line) => row.verdict === 'failed').verdict = 'verified'; }), /report's requirements/],
    ['a requirement that is left out',      inReport(one => { one.requirements.pop(); }),                                /report's requirements/],
    ['a cause that is left out',            inReport(one => { one.causes = []; }),                                       /report's causes/],
    ['the coverage of a report',            () => ({ ...original, 'report.json': JSON.stringify({ ...report, coverage: { ...report.coverage, percent: 99.9 } }) }),                            /report's coverage/],
    ['the sums of a report',                inReport(one => { one.stats.checks.fail = 0; }),                             /report's stats/],
    ['a report of another run',             () => ({ ...original, 'report.json': JSON.stringify({ ...report, token: 'ffffffff' }) }), /report's token/],
    ['an answer of the recording',          inRecording(lines => { answersIn(lines).find(one => one.endpoint === 'list-segments' && one.status === 200).value.data = 'nothing'; }), /breaks .*does not say so/],
    ['an answer that is made sound',        inRecording(lines => { for (const one of answersIn(lines)) if (one.status === 202) one.status = 200; }), /is said to break/],
    ['an exchange that is left out',        inRecording(lines => { const { id } = lines.find(line => line.breach !== undefined).breach; lines[0].exchanges -= 1; const again = lines.filter(line => line.again?.id === id).length; if (lines[0].again !== undefined) lines[0].again -= again; return lines.filter(line => line.exchange?.id !== id && line.again?.id !== id); }), /is not in the recording/],
    ['a breach that is left out',           inRecording(lines => { lines[0].breaches = 0; return lines.filter(line => line.breach === undefined); }), /recording has nothing of it|does not say so/],
    ['a recording of another target',       inRecording(lines => { lines[0].baseUrl = 'https://api.example.com/'; }),    /the target of the recording/],
    ['a recording of another run',          inRecording(lines => { lines[0].token = 'ffffffff'; }),                      /the token of the recording/],
    ['more exchanges than requests',        inRecording(lines => { lines[0].requests = 5; }),                            /exchanges of 5 requests/],
    ['a finding that is not to be scored',  alone(lines => { failing(lines).findings[0].notScored = 'challenged'; }),    /is not scored \(challenged\), and the set of requirements scores it/],
    ['a failure that is doubted',           beside(lines => { for (const one of lines.filter(line => line.verdict === 'fail')) { one.verdict = 'warn'; for (const finding of one.findings) Object.assign(finding, { level: 'SHOULD', doubt: 'who knows' }); } }), /broken beyond doubt, and the run doubts it/],
    ['a failure that a pass replaces',      alone(lines => { lines.splice(-1, 0, { ...failing(lines), verdict: 'pass', findings: [], replaces: true }); }), /ends anew with fewer findings/],
    ['a failure that does not apply',       alone(lines => { Object.assign(failing(lines), { verdict: 'not-applicable', findings: [] }); }), /is said not to apply|and exercised something/],
    ['an untested check that does not apply', alone(lines => { lines.find(line => line.verdict === 'untested').verdict = 'not-applicable'; }), /is said not to apply/],
    ['an untested check that passes',       alone(lines => { const one = lines.find(line => line.verdict === 'untested'); one.verdict = 'pass'; delete one.because; }), /passed, and exercised nothing/],
    ['all that a check exercised',          alone(lines => { delete ended(lines).exercised; }),                          /passed, and exercised nothing/],
    ['a cell that nothing shows',           alone(lines => { Object.assign(cellsIn(lines)[0], { state: 'proven', by: undefined }); }), /is proven, and no exchange shows it/],
    ['a cell that an exchange shows that nobody sent', beside(lines => { Object.assign(cellsIn(lines)[0], { state: 'proven', by: 'no/such#exchange', reason: undefined, line: undefined }); }), /is not in the recording/],
    ['a cell that is left out',             alone(lines => { cellsIn(lines)[0].cells.pop(); }),                          /is not counted/],
    ['a cell that is counted twice',        alone(lines => { const [group] = cellsIn(lines); group.cells.push(group.cells[0]); }), /is counted twice/],
    ['a cell that weighs more',             alone(lines => { lines.find(line => line.event === 'cells').relations[0].tenths = 9999; }), /and not what it weighs/],
    ['a cell that does not apply',          alone(lines => { Object.assign(cellsIn(lines).find(group => group.reason === 'budget' && !group.cells.some((cell: string) => /team/.test(cell))), { reason: 'capability' }); }), /needs no capability/],
    ['a cell that there is not',            alone(lines => { cellsIn(lines)[0].cells.push('nothing'); }),                /none that the contract gives/],
    ['the cells of an operation',           alone(lines => { lines.splice(lines.findIndex(line => line.event === 'cells'), 1); }), /are not counted/],
    ['the cells of a report alone',         () => { const one = structuredClone(report); one.coverage.ledger[0].relations.pop(); return { 'report.json': JSON.stringify(one) }; }, /report's coverage/],
    ['a time that is none',                 alone(lines => { lines[0].startedAt = 'yesterday'; }),                       /which is no time/],
    ['a baseline that knows nothing of it', inReport(one => { one.baseline = { file: 'known.json', known: [{ finding: 'patch-gate/nothing#1', reason: 'x' }], fresh: [], stale: [], unjudged: [], behind: [] }; one.exitCode = 0; }), /exitCode/],
  ];

  /** Returns a changed report with the journal of its run. */
  const reported = (change: (one: Line) => void) => () => ({
    'journal.ndjson': original['journal.ndjson'],
    ...inReport(change)(),
  });
  const evidenceIn = (lines: Line[]): Line =>
    failing(lines).findings.find((one: Line) => one.exchange?.response.body.truncated === false).exchange;
  const head = (change: (one: Line) => void) =>
    inRecording(lines => {
      change(lines[0]);
      return lines;
    });
  const ownIn = (lines: Line[]): Line =>
    answersIn(lines).find(one => one.endpoint === 'list-segments' && one.request.own);

  // biome-ignore format: a table
  const further: typeof tamperings = [
    ['a set of requirements that nobody names', alone(lines => { delete lines[0].requirementSet; }),                     /names no set of requirements, and this suite does/],
    ['a run that is said to replay a case', alone(lines => { lines[0].options.path = '0'; }),                            /replays one case, and not one check is planned/],
    ['a run that is said to be traffic',    alone(lines => { lines[0].options.traffic = { sources: ['a.har'], soleWriter: false, settleMs: 0, failOn: 'any' }; }), /sends, and traffic is only judged/],
    ['a check that nobody planned to block', alone(lines => { lines.find(line => line.verdict === 'untested').blockedBy = 'patch-gate/nothing'; }), /which was not planned/],
    ['a check that took longer than the run', alone(lines => { ended(lines).stats.durationMs = 1e9; }),                  /took 1000000000 ms, and the run/],
    ['a run that was quicker than its checks', alone(lines => { lines.at(-1).stats.durationMs = 0; }),                   /took .* ms, and the run 0/],
    ['a cell of a check that was not planned', alone(lines => { Object.assign(cellsIn(lines).find(group => group.by !== undefined), { by: 'patch-gate/nothing#0' }); }), /which nobody planned to send/],
    ['the cells of an operation, twice',    alone(lines => { lines.splice(-1, 0, lines.find(line => line.event === 'cells')); }), /are counted twice/],
    ['a body of a finding',                 beside(lines => { const one = evidenceIn(lines).response.body; one.text = one.text.replace('"message":"', '"message":"x'); }), /shows another answer|what its answer does not show/],
    ['a path of a finding',                 beside(lines => { const one = evidenceIn(lines).request; one.url = `${one.url}x`; }), /shows another request/],
    ['a method of a finding',               beside(lines => { evidenceIn(lines).request.method = 'DELETE'; }),           /shows another request/],
    ['a finding of a request that nobody sent', beside(lines => { const one = evidenceIn(lines).response; one.status = one.status === 200 ? 201 : 200; }), /shows status/],
    ['a failure that could not be tested',  beside(lines => { const one = failing(lines); Object.assign(one, { verdict: 'untested', because: 'nothing was accepted', findings: [] }); delete one.exercised; }), /says that it could be tested|found nothing of it/],
    ['an answer of another operation',      inRecording(lines => { ownIn(lines).endpoint = 'list-qualifying-events'; }), /is said to ask for list-qualifying-events/],
    ['a request to another path',           inRecording(lines => { ownIn(lines).request.path = '/console/v1/metrics'; }), /is said to ask for list-segments/],
    ['a request by another method',         inRecording(lines => { ownIn(lines).request.method = 'POST'; }),             /is said to ask for list-segments/],
    ['what a check sent and nobody has',    inRecording(lines => { const kept = lines.filter(line => !line.exchange?.id.startsWith('list-segments/authentication#')); kept[0].exchanges -= lines.length - kept.length; return kept; }), /sent \d+ requests, and the recording has \d+ of them/],
    ['what could not be tested',            head(one => { one.untested = {}; }),                                         /says that it could be tested/],
    ['what could be tested',                head(one => { one.untested['list-segments/schema'] = 'no'; }),               /says that it could not be tested/],
    ['the selection of a recording',        head(one => { one.only = []; }),                              /the selection of the recording/],
    ['what a recording left out',           head(one => { one.skip = ['list-segments']; }),                              /the part left out of the recording/],
    ['the profile of a recording',          head(one => { one.profile = 'thorough'; }),                                  /the profile of the recording/],
    ['that a recording only read',          head(one => { one.readOnly = true; }),                                       /the read-only of the recording/],
    ['the end of a recording',              head(one => { one.outcome = 'interrupted'; }),                               /the outcome of the recording/],
    ['the version of a recording',          head(one => { one.tool = `${tool.version}-other`; }),                        /the version of the recording/],
    ['when a report says that it began',    reported(one => { one.startedAt = '2020-01-01T00:00:00.000Z'; }),            /report's startedAt/],
    ['what a report left behind',           reported(one => { one.leftBehind = []; }),                                   /report's leftBehind/],
    ['what a report says that it observed', reported(one => { one.observations.pop(); }),                                /report's observations/],
    ['the options of a report',             reported(one => { one.options.strict = true; }),                             /report's options/],
    ['a place that a report accuses',       reported(one => { checkOf(one, 'fail').findings[0].pointer = '/data/other'; }), /says of|something else than the run/],
    ['what a report counts',                reported(one => { one.stats.requests += 1; }),                               /report's stats/],
  ];

  // A journal or a report alone cannot show these; the recording or the journal beside it does.
  test.each<[what: string, files: () => Record<string, string | Buffer>]>([
    [
      'another seed',
      alone(lines => {
        lines[0].seed = 4711;
      }),
    ],
    [
      'another profile',
      alone(lines => {
        lines[0].profile = 'thorough';
      }),
    ],
    [
      'another day',
      alone(lines => {
        lines[0].startedAt = '2020-01-01T00:00:00.000Z';
      }),
    ],
    [
      'another observation',
      alone(lines => {
        lines.find(line => line.event === 'observation').value = 'no';
      }),
    ],
    ['nothing left behind', alone(lines => lines.filter(line => line.event !== 'left-behind'))],
  ])('of the journal alone nobody can tell %s, and it is said what cannot be shown', async (_what, files) => {
    const { code, out: said } = await verified(files());
    expect([code, said.split('\n')[0]]).toEqual([0, '✓ consistent']);
    expect(said).toContain('recording  none: what no finding shows was not judged again');
    expect(said).toContain('that these answers came from the server that is named, and when');
  });

  test('as it was, it is consistent', async () => {
    expect((await verified(original)).out.split('\n')[0]).toBe('✓ consistent');
  });

  test.each([...tamperings, ...further])('%s', async (_what, files, says) => {
    const { code, out: said, err } = await verified(files());
    expect(said + err).toMatch(says);
    expect(code).toBe(1);
  });

  test('each file may be a pipe', async () => {
    const into = folder();
    const pipes = Object.entries(original).map(([name, content]) => {
      const [file, pipe] = [join(into, name), join(into, `${name}.fifo`)];
      writeFileSync(file, content);
      execFileSync('mkfifo', [pipe]);
      spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', file, pipe]);
      return pipe;
    });
    expect((await conform(['verify', ...pipes])).out.split('\n')[0]).toBe('✓ consistent');
  });

  test('what another major version made is not verified at all', async () => {
    const lines = structuredClone(journal);
    lines[0].tool.version = '9.0.0';
    const { code, err } = await verified({ 'journal.ndjson': asText(lines) });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/journal\.ndjson was made by \S+ 9\.0\.0; this is \S+: verify it with a 9\.x\n$/),
    ]);
  });

  test('what nests without end is refused in one line', async () => {
    const mark = '"too deep"';
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const lines = structuredClone(journal);
    failing(lines).findings[0].fault.got = 'too deep';
    const answers = structuredClone(recording);
    answers.find(line => line.exchange).exchange.value = 'too deep';
    for (const [name, text] of [
      ['journal.ndjson', asText(lines).replace(mark, deep)],
      ['recording.gz', gzipSync(asText(answers).replace(mark, deep))],
    ] as const) {
      const { code, err } = await verified({ [name]: text });
      expect([code, err]).toEqual([2, expect.stringMatching(/^conform: \S+ nests deeper than 1500 levels\n$/)]);
    }
  });

  test('what a result quotes adds no lines to the verdict', async () => {
    const lines = structuredClone(journal);
    lines[0].target.baseUrl = 'https://a\n✓ all is well';
    const { out } = await verified({ 'journal.ndjson': asText(lines) });
    expect(out).toContain('all is well');
    expect(out).not.toMatch(/^✓ all is well/m);
  });

  test('what another version did not plan is said', async () => {
    const lines = structuredClone(journal);
    lines[0].tool.version = `${tool.version}-other`;
    lines[0].plan = lines[0].plan.filter((row: Line) => row.endpoint !== 'patch-gate');
    const left = lines.filter(line => line.endpoint !== 'patch-gate' && !line.id?.startsWith('patch-gate/'));
    const { out } = await verified({ 'journal.ndjson': asText(left) });
    expect(out).toMatch(/not planned by .*-other: patch-gate .* more\n/);
    expect(out).toContain('its plan was not made again');
  });

  test('what cannot be shown is said', async () => {
    expect((await verified(original)).out).toContain('A made-up server could have given these answers');
  });
});

describe('an attestation', () => {
  const subject = `api@sha256:${digest}`;

  test('says what the run shows, is signed, and nothing else passes for it', async () => {
    const keys = generateKeyPairSync('ed25519');
    const other = generateKeyPairSync('ed25519');
    const place = folder();
    const file = (name: string, text: string | Buffer): string => {
      writeFileSync(join(place, name), text);
      return join(place, name);
    };
    const secret = file('key.pem', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const open = file('public.pem', keys.publicKey.export({ type: 'spki', format: 'pem' }));
    const wrong = file('wrong.pem', other.publicKey.export({ type: 'spki', format: 'pem' }));
    const attestation = join(place, 'attestation.json');
    const out = await ran([], '--attest', attestation, '--subject', subject, '--sign', secret);
    const journal = join(out, 'journal.ndjson');
    const verify = async (...flags: string[]) =>
      (await conform(['verify', journal, '--attestation', attestation, ...flags])).code;
    expect(await verify('--key', open)).toBe(0);
    expect(await verify('--key', open, '--subject', subject)).toBe(0);
    expect(await verify('--key', wrong)).toBe(1);
    expect(await verify()).toBe(2);
    expect(await verify('--key', open, '--subject', `api@sha256:${'b'.repeat(64)}`)).toBe(1);
    const statement = JSON.parse(
      Buffer.from(JSON.parse(readFileSync(attestation, 'utf8')).payload, 'base64').toString(),
    );
    expect(statement).toMatchObject({
      predicate: { result: 'PASSED' },
      subject: [{ name: 'api', digest: { sha256: digest } }],
    });
    const more = { ...statement, subject: [{ ...statement.subject[0], uri: 'https://example.com/other' }] };
    const unsigned = file('more.json', JSON.stringify(more));
    expect((await conform(['verify', journal, '--attestation', unsigned])).code).toBe(1);
    expect(
      (await conform(['verify', journal, '--attestation', file('same.json', JSON.stringify(statement))])).code,
    ).toBe(0);
    copyFileSync(journal, join(place, 'kept'));
    writeFileSync(journal, `${readFileSync(journal, 'utf8')} `);
    expect(await verify('--key', open)).toBe(1);
  });

  test('leaves nothing of the key that signed it in any file or word', async () => {
    const place = folder();
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const secret = join(place, 'key.pem');
    writeFileSync(secret, pem);
    const server = createReferenceServer({ apiKey });
    const { url } = await server.listen();
    const out = join(place, 'out');
    const signing = ['--attest', join(out, 'a.json'), '--subject', subject, '--sign', secret];
    const shown = ['--reporter', 'terminal', '--reporter', 'html', '--reporter', 'json', '--record', join(out, 'r.gz')];
    const target = ['--base-url', url, '--api-key', apiKey, '--profile', 'quick', '--only', 'list-segments'];
    const said = await conform(['run', ...target, '--out', out, ...signing, ...shown]);
    await server.close();
    const kept = readdirSync(out).map(name => {
      const bytes = readFileSync(join(out, name));
      return name.endsWith('.gz') ? String(gunzipSync(bytes)) : String(bytes);
    });
    expect(kept.length).toBeGreaterThanOrEqual(5);
    const { d = '' } = privateKey.export({ format: 'jwk' });
    const [, encoded = ''] = pem.split('\n');
    for (const text of [...kept, said.out, said.err])
      for (const part of [d, encoded, Buffer.from(d, 'base64url').toString('hex')]) {
        expect(part.length).toBeGreaterThan(40);
        expect(text).not.toContain(part);
      }
  });

  test.each([
    ['another kind', 'x25519'],
    ['a kind that signs in another way', 'ed448'],
  ] as const)('is verified by no key of %s', async (_what, kind) => {
    const place = folder();
    const keys = generateKeyPairSync('ed25519');
    const other = kind === 'x25519' ? generateKeyPairSync('x25519') : generateKeyPairSync('ed448');
    const secret = join(place, 'key.pem');
    const open = join(place, 'open.pem');
    writeFileSync(secret, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(open, other.publicKey.export({ type: 'spki', format: 'pem' }));
    const attestation = join(place, 'a.json');
    const out = await ran(
      [],
      '--only',
      'list-segments',
      '--attest',
      attestation,
      '--subject',
      subject,
      '--sign',
      secret,
    );
    const flags = ['--attestation', attestation, '--key', open];
    const { code, err } = await conform(['verify', join(out, 'journal.ndjson'), ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining('not one of Ed25519')]);
  });

  test.each<[what: string, faults: string[], flags: string[]]>([
    ['breaks', [fault], []],
    ['was tested in part', [], ['--max-requests', '50']],
  ])('of a server that %s is FAILED', async (_what, faults, flags) => {
    const attestation = join(folder(), 'attestation.json');
    await ran(faults, ...flags, '--attest', attestation, '--subject', subject);
    expect(JSON.parse(readFileSync(attestation, 'utf8')).predicate.result).toBe('FAILED');
  });

  test.each([
    [['--attest', 'a.json'], /give --subject/],
    [['--subject', subject], /give --attest too/],
    [['--attest', 'a.json', '--subject', 'api'], /NAME@sha256:DIGEST/],
    [['--attest', 'a.json', '--subject', subject, '--sign', 'package.json'], /no private key/],
  ])('%j is a mistake of one line', async (flags, says) => {
    onTestFinished(() => {});
    const { code, err } = await conform(['run', '--base-url', 'http://127.0.0.1:9', '--api-key', 'k', ...flags]);
    expect([code, err]).toEqual([2, expect.stringMatching(says)]);
  });
});
