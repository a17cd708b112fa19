import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { isValid } from '../../contracts/validation.ts';
import { namePlaceholder, shortPlaceholder, withNewNames } from '../protocol/created-names.ts';
import { acceptArbitrary, acceptCases } from './accept.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import { parsePattern } from './pattern.ts';
import { rejectCases } from './reject.ts';

const creations = [
  ['create-metric', ['name'], 200],
  ['create-prompt-version', ['name', 'id'], 100],
] as const satisfies readonly (readonly [EndpointId, readonly string[], number])[];

const templateOf = (endpoint: EndpointId): JsonObject => ({ ...templates[endpoint], name: namePlaceholder });

function sentTo(endpoint: EndpointId): readonly JsonObject[] {
  const { body } = endpoints[endpoint];
  if (body === null) return [];
  const template = templateOf(endpoint);
  const drawn = fc.sample(acceptArbitrary(body, template, everythingDeclared), { seed: 5, numRuns: 500 });
  return [...acceptCases(body, template, everythingDeclared).cases, ...drawn].map(one => one.body);
}

test.each(creations)('%s: two runs create nothing of the same name', (endpoint, members) => {
  const { body: schema } = endpoints[endpoint];
  for (const body of sentTo(endpoint)) {
    const [one, other] = ['0a1b2c3d', '3d2c1b0a'].map(token => withNewNames(body, token, () => 7) as JsonObject);
    expect(schema !== null && one !== undefined && isValid(schema, one)).toBe(true);
    for (const member of members)
      if (body[member] !== undefined && body[member] !== '') expect(one?.[member]).not.toBe(other?.[member]);
  }
});

test.each(creations)(
  '%s: names are as short and as long as they may be, and have every character',
  (endpoint, members, most) => {
    const bodies = sentTo(endpoint).map(body => withNewNames(body, '0a1b2c3d', () => 7) as JsonObject);
    const names = bodies.map(({ name }) => String(name));
    expect(Math.min(...names.map(name => name.length))).toBe(shortPlaceholder.length);
    expect(Math.max(...names.map(name => name.length))).toBe(most);
    for (const member of members) {
      const schema = endpoints[endpoint].body.properties[member as 'name'];
      const used = new Set(bodies.flatMap(body => [...String(body[member] ?? '')]));
      for (const character of parsePattern(schema.pattern).allowed) expect(used).toContain(character);
    }
  },
);

test.each(creations)('%s: what breaks the pattern of a name is beside the new name', endpoint => {
  const { body } = endpoints[endpoint];
  const broken = rejectCases(body, templateOf(endpoint), everythingDeclared).cases.filter(
    ({ pointer, keyword }) => pointer === '/name' && keyword === 'pattern',
  );
  expect(broken.length).toBeGreaterThan(20);
  for (const { sent } of broken) expect(sent).toContain(namePlaceholder);
});
