import { describe, expect, test } from 'vitest';
import { allUnits } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { NothingSelected, requirementsNamed, select, unitsNamed } from './plan.ts';

const all = allUnits();
const ids = (glob: string): string[] => unitsNamed(glob, all).map(({ id }) => id);
const citing = (requirement: string): string[] =>
  all.filter(({ check, endpoint }) => (citedBy(check, endpoint) as string[]).includes(requirement)).map(({ id }) => id);

describe('a filter', () => {
  test('that is a requirement names every check that verifies it, at every endpoint that it binds', () => {
    expect(ids('gate.name')).toEqual(citing('gate.name'));
    expect(ids('gate.name')).toContain('patch-gate/rejects');
    expect(ids('gate.name').some(id => !/^(patch|disable)-gate\//.test(id))).toBe(false);
  });

  test('may be a glob over requirements, or what several begin with', () => {
    expect(requirementsNamed('gate.na*')).toEqual(['gate.name']);
    expect(requirementsNamed('message').length).toBeGreaterThan(5);
    expect(requirementsNamed('message').every(id => id.startsWith('message.'))).toBe(true);
    expect(requirementsNamed('nam')).toEqual([]);
  });

  test('that names an endpoint or a check does not widen to requirements', () => {
    expect(requirementsNamed('echo').length).toBeGreaterThan(0);
    expect(ids('echo').every(id => id.endsWith('/echo'))).toBe(true);
  });

  test('that is empty names nothing', () => {
    expect(ids('')).toEqual([]);
    expect(requirementsNamed('')).toEqual([]);
  });

  test('that names only an open requirement is refused, and says where the reason stands', () => {
    const refused = () => select({ only: ['open.*'], skip: [] });
    expect(refused).toThrow(NothingSelected);
    expect(refused).toThrow('names only what no check verifies');
  });

  test('that skips a requirement leaves no check that verifies it', () => {
    const left = select({ only: ['patch-gate'], skip: ['gate.name'] }).map(({ id }) => id);
    expect(left).not.toContain('patch-gate/rejects');
    expect(left).toContain('patch-gate/frame');
  });
});
