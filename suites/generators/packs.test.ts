import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { at, same, steps } from '../../contracts/pointer.ts';
import { isValid } from '../../contracts/validation.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { acceptArbitrary, acceptCases } from './accept.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import { packsOf } from './packs.ts';

const templateOf = (endpoint: EndpointId): JsonObject => ({ ...templates[endpoint], name: namePlaceholder });

describe.each(['create-prompt-version', 'create-metric'] as const)('%s', endpoint => {
  const { body: schema } = endpoints[endpoint];
  const template = templateOf(endpoint);
  const { cases } = acceptCases(schema, template, everythingDeclared);
  const packs = packsOf(cases, template);
  const fieldOf = ({ pointer }: { pointer: string }): string => steps(pointer)[0] ?? '';

  test('every pack is valid, and carries the value of each of its cases', () => {
    for (const { body, cases: own } of packs) {
      expect(isValid(schema, body)).toBe(true);
      for (const one of own) expect(same(at(body, one.pointer) ?? null, one.value)).toBe(true);
      expect(new Set(own.map(fieldOf)).size).toBe(own.length);
    }
  });

  test('packs hold more than single fields, and there are fewer of them than cases', () => {
    expect(packs.length).toBeLessThan(cases.length);
    expect(Math.max(...packs.map(pack => pack.cases.length))).toBeGreaterThan(5);
  });

  test('of any two optional fields there is a pack with the one and without the other', () => {
    const present = packs.map(pack => new Set(pack.cases.map(fieldOf)));
    // The fields of a custom window only mean something together.
    const optional = [...new Set(packs.flatMap(pack => pack.cases.map(fieldOf)))].filter(
      name => !(name in template) && !name.startsWith('customRollUp'),
    );
    const hidden = optional.flatMap(one =>
      optional
        .filter(other => other !== one && !present.some(fields => fields.has(one) && !fields.has(other)))
        .map(other => `${one} always with ${other}`),
    );
    expect(hidden).toEqual([]);
  });

  test('the same cases make the same packs', () => {
    expect(packsOf(cases, template)).toEqual(packs);
  });
});

test('members that name the same thing name the same one where they stand in one request', () => {
  const teams = ['a', 'b', 'c'];
  const capabilities: TargetCapabilities = {
    ...everythingDeclared,
    references: kind =>
      kind === 'team'
        ? teams
        : kind === 'teamID'
          ? teams.map(name => `id-${name}`)
          : everythingDeclared.references(kind),
  };
  for (const id of ['create-metric', 'patch-gate', 'update-qualifying-event', 'update-experiment'] as const) {
    const template = templates[id] ?? {};
    const schema = endpoints[id].body;
    const drawn = fc.sample(acceptArbitrary(schema, template, capabilities), { numRuns: 500, seed: 1 });
    const bodies = [...packsOf(acceptCases(schema, template, capabilities).cases, template), ...drawn].map(
      one => one.body,
    );
    const both = bodies.filter(({ team, teamID }) => team !== undefined && teamID !== undefined);
    expect(both.length).toBeGreaterThan(0);
    for (const { team, teamID } of both) expect(teamID).toBe(team === null ? null : `id-${team}`);
  }
});

test('every case of a prompt version stands in a pack, but the smallest request', () => {
  const template = templateOf('create-prompt-version');
  const { cases } = acceptCases(endpoints['create-prompt-version'].body, template, everythingDeclared);
  const packed = new Set(packsOf(cases, template).flatMap(pack => pack.cases));
  expect(cases.filter(one => !packed.has(one)).map(({ pointer }) => pointer)).toEqual(['']);
});

test('what replaces a choice of the template goes alone', () => {
  const template = templateOf('create-metric');
  const { cases } = acceptCases(endpoints['create-metric'].body, template, everythingDeclared);
  for (const { body } of packsOf(cases, template)) expect(['event_count_custom', 'event_user']).toContain(body.type);
});

test('the empty text of a field that needs nothing stands beside other fields: few packs are sent', () => {
  const template = templateOf('create-prompt-version');
  const { cases } = acceptCases(endpoints['create-prompt-version'].body, template, everythingDeclared);
  const [pack] = packsOf(cases, template).filter(({ body }) => body.description === '');
  expect(pack?.cases.length).toBeGreaterThan(1);
});
