import { describe, expect, test } from 'vitest';
import { endpointIds } from '../contracts/endpoints.ts';
import { type TargetFile, targetFileSchema } from '../contracts/target.ts';
import { validatorFor } from '../contracts/validation.ts';
import { defaultApiKey, referenceTarget } from '../reference-server/index.ts';
import { isBlockedRequest, minimalRequest } from '../suites/sut/minimal-request.ts';
import { targetOf } from '../suites/sut/target.ts';
import { textOf } from './repository.ts';

const example = JSON.parse(textOf('examples/conform.config.json')) as Required<TargetFile>;
const reference = referenceTarget() as Required<TargetFile>;

describe('the example of a target file', () => {
  test('keeps the schema', () => {
    expect(validatorFor(targetFileSchema)(example)).toEqual([]);
  });

  test('holds every field there is', () => {
    for (const field of Object.keys(targetFileSchema.properties)) expect(Object.keys(example)).toContain(field);
    for (const kind of Object.keys(targetFileSchema.properties.fixtures.properties))
      expect(Object.keys(example.fixtures)).toContain(kind);
  });

  test('names what the reference server offers, and nothing else', () => {
    for (const section of ['fixtures', 'vocabulary'] as const) {
      for (const [kind, entries] of Object.entries(example[section])) {
        const offered = (reference[section] as Record<string, readonly unknown[]>)[kind] ?? [];
        for (const entry of entries) expect(offered, kind).toContainEqual(entry);
      }
    }
    // The endpoint may replace the whole set.
    expect(example.fixtures.environments).toEqual(reference.fixtures.environments);
  });

  test.each(endpointIds)('is enough for %s', endpoint => {
    const target = targetOf(example, new URL(example.baseUrl), defaultApiKey);
    const plain = minimalRequest(target, { qualifyingEvents: new Map() }, endpoint);
    expect(isBlockedRequest(plain) ? plain.because : null).toBeNull();
  });
});
