import { join } from 'node:path';
import { type Config, createConfig, lintFromString, loadConfig } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { openapiDocument } from '../contracts/emit/openapi.ts';
import { root } from './repository.ts';

/** Returns the rules that a document breaks, with the configuration file of the repository or without one. */
async function broken(document: unknown, ofRepository: boolean): Promise<string[]> {
  const config: Config = ofRepository
    ? await loadConfig({ configPath: join(root, 'redocly.yaml') })
    : await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId }) => ruleId);
}

describe('the OpenAPI document', () => {
  test('leaves a linter nothing to warn of', async () => {
    expect(await broken(openapiDocument(), true)).toEqual([]);
  });

  test('would be warned of without its servers, and without the exceptions that redocly.yaml explains', async () => {
    expect(await broken({ ...openapiDocument(), servers: [], tags: [{ name: 'gates' }] }, true)).not.toEqual([]);
    expect(await broken(openapiDocument(), false)).toEqual(['no-ambiguous-paths']);
  });
});
