import { describe, expect, it } from 'vitest';
import { endpointIds, endpoints } from '../endpoints.ts';
import { clientRequirements, proseRequirements, requirementById, requirements, sections, sideOf } from './index.ts';

describe('the requirements', () => {
  it('keeps its ids and levels', async () => {
    const ids = requirements.map(row => `${row.level.padEnd(6)} ${row.id}`).join('\n');
    await expect(`${ids}\n`).toMatchFileSnapshot('ids.snap');
  });

  it('keeps the ids and levels of what binds a client apart from them', async () => {
    const ids = clientRequirements.map(row => `${row.level.padEnd(6)} ${row.id}`).join('\n');
    await expect(`${ids}\n`).toMatchFileSnapshot('client-ids.snap');
    expect(clientRequirements.filter(({ id }) => sideOf(id) !== 'client')).toEqual([]);
    expect(requirements.filter(({ id }) => sideOf(id) !== 'server')).toEqual([]);
    for (const { statement } of clientRequirements) expect(statement).toMatch(/^[`\p{Lu}].*[^.]\.$/su);
  });

  it('gives every row an id of its own', () => {
    const ids = requirements.map(row => row.id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it('cites sections that exist, and binds endpoints that exist, each once', () => {
    for (const row of requirements) {
      expect(sections, row.id).toContain(row.section);
      if (row.endpoints === 'all') continue;
      expect(row.endpoints.length, row.id).toBeGreaterThan(0);
      expect(new Set(row.endpoints).size, row.id).toBe(row.endpoints.length);
      for (const endpoint of row.endpoints) expect(endpointIds, row.id).toContain(endpoint);
    }
  });

  it('states each requirement in one whole sentence of its own', () => {
    const statements = requirements.map(row => row.statement);
    expect(new Set(statements).size).toBe(statements.length);
    for (const statement of statements) expect(statement).toMatch(/^[`\p{Lu}].*[^.]\.$/su);
  });

  it('gives a reason only where something binds', () => {
    for (const row of requirements) {
      if (row.level === 'OPEN') expect(row.unverified, row.id).toBeUndefined();
      if (row.id.startsWith('open.')) expect(row.level, row.id).toBe('OPEN');
    }
  });

  it('covers every section of the specification', () => {
    const cited = new Set(requirements.map(row => row.section));
    expect(sections.filter(section => !cited.has(section))).toEqual([]);
  });

  it('has an exact message for each endpoint that states one', () => {
    const bound = proseRequirements.filter(row => row.id.startsWith('message.'));
    for (const row of bound) expect(row.endpoints).toEqual([row.id.slice('message.'.length)]);
    expect(bound.map(row => row.endpoints[0])).toEqual(endpointIds.filter(id => endpoints[id].message !== null));
  });

  it('demands presence where the contracts demand it', () => {
    const demanding = endpointIds.filter(id => endpoints[id].list || 'required' in endpoints[id].data);
    expect([...requirementById('presence.must').endpoints].sort()).toEqual(demanding.sort());
  });

  it('expects named fields where the endpoint table names some', () => {
    const naming = endpointIds.filter(id => endpoints[id].expected.length > 0);
    expect([...requirementById('presence.named').endpoints].sort()).toEqual(naming.sort());
  });

  it('finds a row by its id and refuses an id that no row has', () => {
    expect(requirementById('auth.bearer').section).toBe('5');
    expect(() => requirementById('auth.bear')).toThrow(new RangeError('No requirement has the id "auth.bear".'));
  });
});
