import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate with its private key, as PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The properties of a certificate that differ from a sound one. */
export interface CertificateOptions {
  /** Host names and addresses. */
  readonly names?: readonly string[];
  /** The first and the last time of validity, as `YYMMDDHHMMSSZ`. */
  readonly validity?: readonly [string, string];
}

/** Encodes one value in DER (X.690 section 10): tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);

// Object identifiers, encoded: ecdsa-with-SHA256, commonName, basicConstraints, subjectAltName.
const ecdsaWithSha256 = sequence(bytes('06082a8648ce3d040302'));
const commonName = bytes('0603550403');
const basicConstraints = bytes('0603551d13');
const subjectAltName = bytes('0603551d11');

const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(text)))));

const alternative = (name: string): Buffer =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));

const pem = (content: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${content.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const keyText = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const always = ['200101000000Z', '491231235959Z'] as const;

/** Returns a certificate (RFC 5280 section 4.1) for a public key, signed by an issuer. */
function signed(
  subject: string,
  publicKey: KeyObject,
  issuer: { readonly name: string; readonly key: KeyObject },
  extension: Buffer,
  [from, until]: readonly [string, string],
): string {
  const unsigned = sequence(
    der(0xa0, der(0x02, bytes('02'))),
    der(0x02, bytes('01')),
    ecdsaWithSha256,
    nameOf(issuer.name),
    sequence(der(0x17, Buffer.from(from)), der(0x17, Buffer.from(until))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = createSign('sha256').update(unsigned).sign(issuer.key);
  return pem(sequence(unsigned, ecdsaWithSha256, der(0x03, bytes('00'), signature)));
}

/** A certificate authority for one test, which is trusted only explicitly. */
export interface Authority {
  /** Its own certificate. */
  readonly cert: string;
  issue(options?: CertificateOptions): Certificate;
}

/** Creates an authority. Keys are never written to files, and the certificates do not expire during use. */
export function createAuthority(): Authority {
  const { publicKey, privateKey } = newKeys();
  const issuer = { name: 'Authority of a test', key: privateKey };
  const isAuthority = sequence(basicConstraints, der(0x04, sequence(der(0x01, bytes('ff')))));
  return {
    cert: signed(issuer.name, publicKey, issuer, isAuthority, always),
    issue({ names = ['localhost', '127.0.0.1'], validity = always } = {}) {
      const keys = newKeys();
      const extension = sequence(subjectAltName, der(0x04, sequence(...names.map(alternative))));
      const cert = signed(names[0] ?? 'nobody', keys.publicKey, issuer, extension, validity);
      return { cert, key: keyText(keys.privateKey) };
    },
  };
}
