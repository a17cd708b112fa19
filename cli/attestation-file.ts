import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { envelopeOf, type Subject, statementOf } from '../contracts/report/attestation.ts';
import type { Report } from '../contracts/report/report.ts';
import type { RunFlags } from './definitions/target.ts';
import { refuse } from './input.ts';
import { readBytes, readInput } from './input-file.ts';
import { refuseUnwritable } from './later-file.ts';
import { shown, writeText } from './writer.ts';

/** Parses `NAME@sha256:DIGEST`. Throws a `UsageError` for anything else. */
export function subjectOf(text: string): Subject {
  const [, name, sha256] = /^(.+)@sha256:([0-9a-f]{64})$/.exec(text) ?? [];
  if (name === undefined || sha256 === undefined) refuse('--subject is no NAME@sha256:DIGEST of 64 hexadecimal digits');
  return { name, digest: { sha256 } };
}

/** The reader of each kind of key. */
const readers = { private: createPrivateKey, public: createPublicKey } as const;

/**
 * Reads an Ed25519 key in PEM (RFC 8410) from the file that a flag names. Throws a `UsageError` if the file holds no
 * such key.
 */
export function keyIn(file: string, flag: '--sign' | '--key'): KeyObject {
  const kind = flag === '--sign' ? 'private' : 'public';
  const text = readInput(file, flag === '--sign' ? 'signing key' : 'key');
  let key: KeyObject;
  try {
    key = readers[kind](text);
  } catch {
    refuse(`the file of ${flag} holds no ${kind} key in PEM`);
  }
  if (key.asymmetricKeyType !== 'ed25519') refuse(`the key of ${flag} is not one of Ed25519`);
  return key;
}

/** Reads what an attestation needs, before anything is sent. Returns undefined if the run is not to be attested. */
export function attesting({ attest, subject, sign }: RunFlags) {
  if (attest === undefined) {
    if (subject !== undefined || sign !== undefined)
      refuse('--subject and --sign are about an attestation: give --attest too');
    return undefined;
  }
  if (subject === undefined) refuse('--attest says of what the run was made: give --subject');
  const named = subjectOf(subject);
  const key = sign === undefined ? undefined : keyIn(sign, '--sign');
  refuseUnwritable(attest, '--attest');
  return {
    /** Attests a run that has ended. */
    write(report: Report, journalFile: string): void {
      const statement = JSON.stringify(statementOf(report, named, readBytes(journalFile, 'journal')));
      const text = !key ? statement : JSON.stringify(envelopeOf(statement, key));
      // An attestation has the names of checks, numbers and hashes; of the target it has only verdicts.
      writeText(attest, shown(`${text}\n`), '--attest');
    },
  };
}
