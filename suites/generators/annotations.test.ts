import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import { at } from '../../contracts/pointer.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { acceptArbitrary, acceptCases } from './accept.ts';
import { everythingDeclared, nothingDeclared, templates } from './capabilities.fixture.ts';
import { rejectCases } from './reject.ts';

type WithBody = 'patch-gate' | 'update-experiment' | 'update-qualifying-event' | 'update-environments';

const templateOf = (endpoint: EndpointId): JsonObject => templates[endpoint] ?? {};

function accepted(endpoint: WithBody, capabilities: TargetCapabilities): readonly JsonObject[] {
  const { body } = endpoints[endpoint];
  const drawn = fc.sample(acceptArbitrary(body, templateOf(endpoint), capabilities), { seed: 3, numRuns: 300 });
  return [...acceptCases(body, templateOf(endpoint), capabilities).cases, ...drawn].map(one => one.body);
}

const refused = (endpoint: WithBody, capabilities: TargetCapabilities) =>
  rejectCases(endpoints[endpoint].body, templateOf(endpoint), capabilities).cases;

/** A target that declares these words alone. */
const withWords = (words: Partial<Record<string, readonly string[]>>): TargetCapabilities => ({
  references: kind => words[kind] ?? [],
  has: () => false,
});

test('a review is never asked for, and its settings are sent singly where nobody can be named', () => {
  for (const capabilities of [nothingDeclared, everythingDeclared])
    for (const body of accepted('patch-gate', capabilities))
      expect(at(body, '/reviewSettings/requiredReview')).not.toBe(true);
  const settings = accepted('patch-gate', nothingDeclared).map(body => body.reviewSettings);
  expect(settings).toContainEqual({ requiredReview: false });
});

test('nothing is sent for a review that a lenient service could read as true', () => {
  const sent = refused('patch-gate', nothingDeclared).filter(
    ({ pointer }) => pointer === '/reviewSettings/requiredReview',
  );
  expect(sent.map(one => one.sent)).toEqual([null]);
});

test('a second kind of units is never the first', () => {
  const kinds = (words: readonly string[]) =>
    new Set(accepted('update-experiment', withWords({ idType: words })).map(body => body.secondaryIDType));
  expect(kinds(['userID', 'stableID'])).toEqual(new Set([undefined, null, 'stableID']));
  expect(kinds(['userID'])).toEqual(new Set([undefined, null]));
});

test('an item of a set is varied only where it may be', () => {
  const [development, production] = templateOf('update-environments').environments as readonly JsonObject[];
  for (const { environments } of accepted('update-environments', nothingDeclared)) {
    const [first, second] = environments as readonly JsonObject[];
    expect(isObject(first) && first.name).toBe(development?.name);
    expect(second).toEqual(production);
  }
});

test('where every item of a set is exempt, none is varied', () => {
  const all = { environments: [{ name: 'production', isProduction: true }] };
  const { cases } = acceptCases(endpoints['update-environments'].body, all, nothingDeclared);
  expect(cases.map(({ body }) => body)).toEqual([all]);
});
