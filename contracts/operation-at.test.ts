import { expect, test } from 'vitest';
import { operationAt } from './operation-at.ts';

// biome-ignore format: a table
test.each([
  ['PATCH', '/console/v1/gates/a%20gate',       { endpoint: 'patch-gate', param: 'a gate' }],
  ['PATCH', '/console/v1/gates/%zz',            { endpoint: 'patch-gate', param: '%zz' }],
  ['GET',   '/console/v1/segments',             { endpoint: 'list-segments', param: undefined }],
  ['GET',   '/console/v1/gates/a',              undefined],
  ['PATCH', '/console/v1/gates/a/b',            undefined],
  ['PATCH', '/elsewhere/console/v1/gates/a',    undefined],
])('%s %s asks for %j', (method, path, operation) => {
  expect(operationAt(method, path)).toEqual(operation);
});
