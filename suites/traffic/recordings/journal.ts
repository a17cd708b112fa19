import { asText, isObject, type Members, membersOf, objectsIn } from '../../../contracts/json.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import type { ObservedHeaders } from '../exchange/exchange.ts';
import { BrokenRecording, type RecordedExchange, recordedBody } from './recorded.ts';

const headersOf = (value: unknown): ObservedHeaders =>
  objectsIn(value).map(({ name, value: text }) => [String(name), String(text)] as const);

function bodyOf(value: unknown) {
  if (!isObject(value) || typeof value.text !== 'string' || value.bytes === 0) return null;
  return recordedBody(value.text, { size: Number(value.bytes), isCut: value.truncated === true });
}

/** Returns the exchange of a finding; undefined for any other value. */
function exchangeIn(value: unknown, source: string): RecordedExchange | undefined {
  const { request, response, failure, durationMs } = membersOf(value);
  const { method, url, headers, body } = membersOf(request);
  if (typeof method !== 'string' || typeof url !== 'string') return undefined;
  const { status, headers: received, body: answer } = membersOf(response);
  return {
    source,
    url,
    method,
    headers: headersOf(headers),
    body: bodyOf(body),
    response:
      typeof status === 'number'
        ? { status, headers: headersOf(received), body: bodyOf(answer) }
        : { failure: typeof failure === 'string' ? clip(failure, 200) : 'no answer' },
    startedAtMs: undefined,
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
  };
}

/**
 * Returns the exchanges in the findings of a journal of this suite; it keeps no others. Skips a truncated last line.
 * Throws `BrokenRecording` for anything else.
 */
export function readJournalExchanges(file: string, text: string): readonly RecordedExchange[] {
  const lines = text.split('\n');
  const seen = new Set<string>();
  const found: RecordedExchange[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    let event: Members;
    try {
      event = membersOf(JSON.parse(line));
    } catch {
      if (index === lines.length - 1 && index > 0) break;
      throw new BrokenRecording(`${file}: line ${index + 1} is no JSON; give a HAR or a journal.ndjson`);
    }
    if (index === 0 && event.event !== 'run-start')
      throw new BrokenRecording(`${file} is neither a HAR nor a journal: its first line is no run-start`);
    const findings = event.event === 'check-end' && Array.isArray(event.findings) ? event.findings : [];
    for (const finding of findings) {
      const { exchange, steps } = membersOf(finding);
      const own = Array.isArray(steps) ? steps.map(step => membersOf(step).exchange) : [exchange];
      for (const one of own) {
        const id = asText(membersOf(one).id);
        if (seen.has(id)) continue;
        seen.add(id);
        const read = exchangeIn(one, `${file} line ${index + 1}`);
        if (read) found.push(read);
      }
    }
  }
  return found;
}
