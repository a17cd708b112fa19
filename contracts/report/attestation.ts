import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { text, texts } from './evidence.ts';
import type { Report } from './report.ts';
import { tool } from './tool.ts';

/**
 * The attestation of a run about a subject: an in-toto Statement (v1) with the test-result predicate (v0.1), and its
 * DSSE envelope. See https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md.
 */

const digest = record({ sha256: text });
const resource = recordBut(['name', 'uri', 'digest'], { name: text, uri: text, digest });

/** The subject of an attestation: an artifact by its name and the SHA-256 of its content. */
const subject = record({ name: text, digest });

export const statementSchema = record({
  _type: { const: 'https://in-toto.io/Statement/v1' },
  subject: list(subject),
  predicateType: { const: 'https://in-toto.io/attestation/test-result/v0.1' },
  predicate: record({
    result: { enum: ['PASSED', 'WARNED', 'FAILED'] },
    configuration: list(resource),
    passedTests: texts,
    warnedTests: texts,
    failedTests: texts,
  }),
});

const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * Returns the statement that a report makes about a subject. It says PASSED only if the run would pass a gate. An
 * incomplete or truncated run, or one that passes only by its baseline, is FAILED, because nothing shows that the
 * subject conforms.
 *
 * @param journal the journal of the run as it was written
 */
export function statementOf(report: Report, about: Subject, journal: Uint8Array): Statement {
  const checks = report.endpoints.flatMap(one => one.checks);
  const ids = (...verdicts: readonly string[]) =>
    checks.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
  const isConformant = report.verdict === 'conformant' && report.exitCode === 0 && report.outcome === 'complete';
  const warned = ids('warn');
  const { requirementSet: set } = report;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [about],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: isConformant ? (warned.length > 0 ? 'WARNED' : 'PASSED') : 'FAILED',
      configuration: [
        { uri: `pkg:npm/${tool.name}@${report.tool.version}` },
        ...(set ? [{ name: `requirements ${set.name}`, digest: { sha256: set.hash } }] : []),
        { name: 'journal.ndjson', digest: { sha256: sha256Of(journal) } },
      ],
      passedTests: ids('pass'),
      warnedTests: warned,
      failedTests: ids('fail', 'error', 'untested'),
    },
  };
}

export type Subject = Infer<typeof subject>;
export type Statement = Infer<typeof statementSchema>;

const payloadType = 'application/vnd.in-toto+json';

export const envelopeSchema = record({
  payloadType: { const: payloadType },
  payload: text,
  signatures: list(record({ keyid: text, sig: text })),
});

/** An envelope as in its file. */
export type Envelope = Infer<typeof envelopeSchema>;

/** Returns the bytes to sign: the pre-authentication encoding of DSSE. */
const encoded = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);

/** Returns the id of a key: the hash of its public half. */
const keyId = (key: KeyObject): string =>
  sha256Of((key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' }));

/** Signs a text with an Ed25519 key. */
export function envelopeOf(statement: string, key: KeyObject): Envelope {
  const payload = Buffer.from(statement);
  const sig = sign(null, encoded(payload), key).toString('base64');
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid: keyId(key), sig }] };
}

/** Returns the text in an envelope if the key signed it, else null. */
export function openedBy({ payload, signatures }: Envelope, key: KeyObject): string | null {
  const body = Buffer.from(payload, 'base64');
  const isSigned = signatures.some(({ sig }) => verify(null, encoded(body), key, Buffer.from(sig, 'base64')));
  return isSigned ? body.toString('utf8') : null;
}
