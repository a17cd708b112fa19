import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { root, textOf } from './repository.ts';

/** A document of the example; every member is a member of the Kubernetes API. */
interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: JobSpec & { readonly jobTemplate?: { readonly spec: JobSpec } };
}

interface JobSpec {
  readonly completionMode?: string;
  readonly completions?: number;
  readonly backoffLimitPerIndex?: number;
  readonly podFailurePolicy: {
    readonly rules: readonly {
      readonly action: string;
      readonly onExitCodes?: { readonly containerName: string; readonly values: readonly number[] };
    }[];
  };
  readonly template: {
    readonly spec: {
      readonly restartPolicy: string;
      readonly securityContext: object;
      readonly containers: readonly {
        readonly name: string;
        readonly securityContext: object;
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly volumeMounts: readonly { readonly name: string }[];
      }[];
      readonly volumes: readonly { readonly name: string }[];
    };
  };
}

const documents = parseAllDocuments(textOf('examples/kubernetes.yml'), { version: '1.2' });
const resources = documents.map(one => one.toJS() as Resource);
const jobs = resources.flatMap(({ kind, spec }) => (kind === 'ConfigMap' ? [] : [spec.jobTemplate?.spec ?? spec]));

/** Returns a line of TypeScript that compiles if this is a resource of the kind and version of `resource`. */
function declared(value: unknown, { apiVersion, kind }: Resource, index: number): string {
  const file = join(root, 'node_modules/kubernetes-types', apiVersion.includes('/') ? '' : 'core', apiVersion);
  return `import type { ${kind} as T${index} } from '${file}.d.ts'; export const _${index}: T${index} = ${JSON.stringify(value)};\n`;
}

/** Returns the numbers of the lines that do not compile, with the compiler's message for each. */
function refused(lines: readonly string[]): ReadonlyMap<number, string> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-kubernetes-'));
  const file = join(folder, 'resources.ts');
  writeFileSync(file, lines.join(''));
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, file], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return new Map(
    [...stdout.matchAll(/resources\.ts\((\d+),\d+\): (.*)/g)].map(([, line, says]) => [Number(line), says ?? '']),
  );
}

/** Returns every copy of a value in which one scalar has another type, or one name of the API is misspelled. */
function slips(value: unknown, at: string, areNamesOurs = false): readonly (readonly [at: string, slip: unknown])[] {
  if (typeof value !== 'object' || value === null)
    return [[`${at}, of another type`, typeof value === 'string' ? 7 : `${value}`]];
  return Object.entries(value).flatMap(([name, member]) => {
    const within = slips(member, `${at}/${name}`, ['labels', 'data'].includes(name)).map(
      ([where, slip]) =>
        [where, Array.isArray(value) ? value.with(Number(name), slip) : { ...value, [name]: slip }] as const,
    );
    if (Array.isArray(value) || areNamesOurs) return within;
    const { [name]: _, ...others } = value as Record<string, unknown>;
    return [...within, [`${at}/${name}, misspelled`, { ...others, [`${name}s`]: member }] as const];
  });
}

test('the example is YAML without errors or warnings, and every name and type in it is of the Kubernetes API', () => {
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  expect(resources.map(({ kind }) => kind)).toEqual(['Job', 'Job', 'ConfigMap', 'CronJob']);
  expect([...refused(resources.map((one, index) => declared(one, one, index)))]).toEqual([]);
});

test('any name that is misspelled and any value of another type would be told', () => {
  const all = resources.flatMap(one => slips(one, one.kind).map(([at, slip]) => ({ at, slip, one })));
  const told = refused(all.map(({ slip, one }, index) => declared(slip, one, index)));
  expect(all.length).toBeGreaterThan(300);
  expect(all.flatMap(({ at }, index) => (told.has(index + 1) ? [] : [at]))).toEqual([]);
});

/** The valid values of members that the API's types declare as any text. */
const known: Readonly<Record<string, readonly string[]>> = {
  completionMode: ['Indexed'],
  concurrencyPolicy: ['Forbid'],
  restartPolicy: ['Never'],
  action: ['Ignore', 'FailIndex', 'FailJob'],
  operator: ['In'],
  status: ['True'],
};

test('values are of those that the API lists', () => {
  const wrong: string[] = [];
  JSON.stringify(resources, (name, value) => {
    if (known[name]?.includes(value) === false) wrong.push(`${name}: ${value}`);
    if (typeof value === 'number' && !Number.isSafeInteger(value)) wrong.push(`${name}: ${value}`);
    return value;
  });
  expect(wrong).toEqual([]);
});

test('every job takes exit codes for what they are, tries again after a disruption, and has keys from a Secret', () => {
  expect(jobs).toHaveLength(3);
  for (const { completionMode, completions = 0, backoffLimitPerIndex, podFailurePolicy, template } of jobs) {
    const { containers, restartPolicy, securityContext, volumes } = template.spec;
    const [first, ...others] = podFailurePolicy.rules;
    // The first matching rule decides: an evicted pod may well end with 1.
    expect(first).toEqual({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] });
    // 0 is success, and must not be listed.
    expect(others.flatMap(({ onExitCodes }) => onExitCodes?.values ?? []).toSorted()).toEqual([1, 2, 3, 4]);
    for (const { action, onExitCodes } of others) {
      expect(containers.map(({ name }) => name)).toContain(onExitCodes?.containerName);
      if (action === 'FailIndex')
        expect([completionMode, backoffLimitPerIndex, completions > 1]).toEqual(['Indexed', 2, true]);
    }
    // Kubernetes allows a podFailurePolicy only for pods that are never restarted.
    expect([restartPolicy, securityContext]).toMatchObject(['Never', { runAsNonRoot: true }]);
    for (const { env, volumeMounts, securityContext: own } of containers) {
      expect(own).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(env.filter(({ name, value }) => name.endsWith('KEY') && value !== undefined)).toEqual([]);
      const mounted = volumeMounts.map(({ name }) => name);
      expect(volumes.map(({ name }) => name)).toEqual(expect.arrayContaining(mounted));
    }
  }
});
