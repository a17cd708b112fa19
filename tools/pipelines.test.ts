import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

/** What the pipelines of the examples are made of, as far as they use it: a key that no such service knows is a slip. */

const root = fileURLToPath(new URL('..', import.meta.url));
const text = { type: 'string', minLength: 1 };
const scalar = { type: ['string', 'number', 'boolean'] };
const texts = { type: 'array', items: text, minItems: 1 };
const scalars = { type: 'object', additionalProperties: scalar };
const listOf = (items: object) => ({ type: 'array', items, minItems: 1 });
const mapOf = (value: object) => ({ type: 'object', additionalProperties: value, minProperties: 1 });
/** An object of these members and no others; those whose names end in `!` are required. */
const only = (members: Readonly<Record<string, object>>) => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace('!', ''), schema])),
  required: Object.keys(members).flatMap(name => (name.endsWith('!') ? [name.slice(0, -1)] : [])),
});

/** A step of GitHub: it uses an action, or runs a script. */
const step = {
  oneOf: [
    only({ name: text, id: text, if: text, 'uses!': text, with: scalars, env: scalars, 'continue-on-error': scalar }),
    only({ name: text, id: text, if: text, 'run!': text, shell: text, env: scalars, 'working-directory': text }),
  ],
};
const action = only({
  'name!': text,
  'description!': { ...text, maxLength: 125 },
  'inputs!': mapOf(only({ 'description!': text, 'default!': { type: 'string' } })),
  'outputs!': mapOf(only({ 'description!': text, 'value!': text })),
  'runs!': only({
    'using!': { const: 'composite' },
    // A script of a composite action names its shell.
    'steps!': listOf({ ...step, if: { required: ['run'] }, then: { required: ['shell'] } }),
  }),
});
const workflow = only({
  'name!': text,
  'on!': { type: 'object' },
  'permissions!': mapOf({ enum: ['read', 'write', 'none'] }),
  'jobs!': mapOf(
    only({
      'runs-on!': text,
      needs: text,
      if: text,
      strategy: only({ 'fail-fast': { type: 'boolean' }, 'matrix!': mapOf({ type: 'array' }) }),
      'steps!': listOf(step),
    }),
  ),
});
const gitlabJob = only({
  'stage!': text,
  parallel: { type: 'integer', minimum: 2 },
  'script!': texts,
  artifacts: only({ when: { enum: ['always', 'on_failure'] }, 'paths!': texts, reports: only({ junit: text }) }),
});
const gitlab = {
  type: 'object',
  properties: {
    stages: texts,
    default: only({ image: text, before_script: texts }),
    variables: scalars,
  },
  required: ['stages'],
  additionalProperties: gitlabJob,
};
const container = only({
  'name!': text,
  // By its digest, which nobody can move as a tag can be.
  'image!': { type: 'string', pattern: '@sha256:(DIGEST|[0-9a-f]{64})$' },
  'securityContext!': only({
    'readOnlyRootFilesystem!': { const: true },
    'allowPrivilegeEscalation!': { const: false },
    'capabilities!': only({ 'drop!': texts }),
  }),
  env: listOf(
    only({
      'name!': { type: 'string', pattern: '^[A-Z0-9_]+$' },
      value: text,
      valueFrom: only({ 'secretKeyRef!': only({ 'name!': text, 'key!': text }) }),
    }),
  ),
  volumeMounts: listOf(only({ 'name!': text, 'mountPath!': text })),
  command: texts,
  args: texts,
});
const volume = only({
  'name!': text,
  persistentVolumeClaim: only({ 'claimName!': text }),
  configMap: only({ 'name!': text }),
});
const metadata = only({
  'name!': { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
  labels: mapOf(text),
});
/** A rule of a podFailurePolicy asks for exit codes or for conditions. 0 is no failure: `In` must not list it. */
const failureRule = {
  oneOf: [
    only({
      'action!': { enum: ['FailJob', 'FailIndex', 'Ignore', 'Count'] },
      'onExitCodes!': only({
        containerName: text,
        'operator!': { enum: ['In'] },
        'values!': { ...listOf({ type: 'integer', minimum: 1, maximum: 255 }), uniqueItems: true },
      }),
    }),
    only({
      'action!': { enum: ['FailJob', 'FailIndex', 'Ignore', 'Count'] },
      'onPodConditions!': listOf(only({ 'type!': text, 'status!': { enum: ['True', 'False', 'Unknown'] } })),
    }),
  ],
};
const jobSpec = {
  ...only({
    completionMode: { enum: ['Indexed', 'NonIndexed'] },
    completions: { type: 'integer', minimum: 1 },
    parallelism: { type: 'integer', minimum: 1 },
    backoffLimit: { type: 'integer', minimum: 0 },
    backoffLimitPerIndex: { type: 'integer', minimum: 0 },
    podFailurePolicy: only({ 'rules!': { ...listOf(failureRule), maxItems: 20 } }),
    activeDeadlineSeconds: { type: 'integer', minimum: 1 },
    'template!': only({
      'spec!': only({
        // A podFailurePolicy is for pods that nothing restarts.
        'restartPolicy!': { const: 'Never' },
        automountServiceAccountToken: { type: 'boolean' },
        securityContext: only({
          runAsNonRoot: { const: true },
          runAsUser: { type: 'integer', minimum: 1 },
          fsGroup: { type: 'integer', minimum: 1 },
        }),
        'containers!': listOf(container),
        volumes: listOf(volume),
      }),
    }),
  }),
  dependencies: { backoffLimitPerIndex: ['completionMode', 'completions'] },
};
/** The members of the Kubernetes API that the example uses, as its reference (batch/v1, v1) has them; not the whole of it. */
const kubernetes = {
  type: 'object',
  oneOf: [
    only({ 'apiVersion!': { const: 'batch/v1' }, 'kind!': { const: 'Job' }, 'metadata!': metadata, 'spec!': jobSpec }),
    only({
      'apiVersion!': { const: 'batch/v1' },
      'kind!': { const: 'CronJob' },
      'metadata!': metadata,
      'spec!': only({
        'schedule!': { type: 'string', pattern: '^(\\S+ ){4}\\S+$' },
        concurrencyPolicy: { enum: ['Allow', 'Forbid', 'Replace'] },
        'jobTemplate!': only({ metadata: only({ labels: mapOf(text) }), 'spec!': jobSpec }),
      }),
    }),
    only({
      'apiVersion!': { const: 'v1' },
      'kind!': { const: 'ConfigMap' },
      'metadata!': metadata,
      'data!': mapOf(text),
    }),
  ],
};

const shapes: Readonly<Record<string, object>> = {
  'action.yml': action,
  'examples/github-workflow.yml': workflow,
  'examples/gitlab-ci.yml': gitlab,
  'examples/kubernetes.yml': kubernetes,
};
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictTypes: false });
const documentsOf = (file: string) => parseAllDocuments(readFileSync(join(root, file), 'utf8'), { version: '1.2' });
const firstOf = (file: string): unknown => documentsOf(file)[0]?.toJS();
type Job = { readonly stage: string; readonly needs?: string };

interface JobSpec {
  readonly completionMode?: string;
  readonly backoffLimitPerIndex?: number;
  readonly podFailurePolicy: {
    readonly rules: readonly {
      readonly action: string;
      readonly onExitCodes?: { readonly containerName: string; readonly values: readonly number[] };
      readonly onPodConditions?: readonly { readonly type: string }[];
    }[];
  };
  readonly template: {
    readonly spec: {
      readonly containers: readonly {
        readonly name: string;
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly volumeMounts: readonly { readonly name: string }[];
      }[];
      readonly volumes: readonly { readonly name: string }[];
    };
  };
}

const jobsOfKubernetes = (): readonly JobSpec[] =>
  documentsOf('examples/kubernetes.yml')
    .map(one => one.toJS() as { kind: string; spec: JobSpec & { jobTemplate?: { spec: JobSpec } } })
    .filter(({ kind }) => kind !== 'ConfigMap')
    .map(({ spec }) => spec.jobTemplate?.spec ?? spec);

test('every job of Kubernetes takes exit codes for what they are, tries again after a disruption, and has keys from a Secret', () => {
  expect(jobsOfKubernetes()).toHaveLength(3);
  for (const { completionMode, backoffLimitPerIndex, podFailurePolicy, template } of jobsOfKubernetes()) {
    const [first, ...others] = podFailurePolicy.rules;
    // The first rule that fits decides: a pod that was evicted may well end with 1.
    expect(first).toEqual({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] });
    expect(others.flatMap(({ onExitCodes }) => onExitCodes?.values ?? []).toSorted()).toEqual([1, 2, 3, 4]);
    const names = template.spec.containers.map(({ name }) => name);
    for (const { action, onExitCodes } of others) {
      expect(names).toContain(onExitCodes?.containerName);
      if (action === 'FailIndex') expect([completionMode, backoffLimitPerIndex]).toEqual(['Indexed', 2]);
    }
    const env = template.spec.containers.flatMap(one => one.env);
    expect(env.filter(({ name, value }) => name.endsWith('KEY') && value !== undefined)).toEqual([]);
  }
});

test('every YAML file of the examples has a shape', () => {
  const files = readdirSync(join(root, 'examples')).filter(name => /\.ya?ml$/.test(name));
  expect(files.map(name => `examples/${name}`).filter(name => !(name in shapes))).toEqual([]);
});

describe.each(Object.entries(shapes))('%s', (file, shape) => {
  test('is YAML without errors or warnings', () => {
    for (const { errors, warnings } of documentsOf(file)) expect([...errors, ...warnings]).toEqual([]);
  });

  test('has what the service that reads it knows, and nothing else', () => {
    const isRight = ajv.compile(shape);
    for (const one of documentsOf(file)) {
      isRight(one.toJS());
      expect(
        (isRight.errors ?? []).map(({ instancePath, message, params }) => [instancePath, message, params]),
      ).toEqual([]);
    }
  });

  test('is told where a key of it is misspelled', () => {
    const isRight = ajv.compile(shape);
    const [first] = documentsOf(file);
    const wrong = JSON.stringify(first?.toJS()).replace(/"(script|containers|steps)":/, '"$1x":');
    expect(isRight(JSON.parse(wrong))).toBe(false);
  });
});

test('stages, jobs, steps and volumes that are named are there', () => {
  const {
    stages,
    default: _,
    variables: __,
    ...jobs
  } = firstOf('examples/gitlab-ci.yml') as {
    stages: string[];
    default: unknown;
    variables: unknown;
  } & Record<string, Job>;
  expect(Object.values(jobs).map(({ stage }) => stage)).toEqual(stages);
  const { jobs: ofGitHub } = firstOf('examples/github-workflow.yml') as { jobs: Record<string, Job> };
  for (const { needs } of Object.values(ofGitHub)) if (needs !== undefined) expect(ofGitHub).toHaveProperty(needs);
  for (const { template } of jobsOfKubernetes()) {
    const mounted = template.spec.containers.flatMap(({ volumeMounts }) => volumeMounts);
    const names = template.spec.volumes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(mounted.map(({ name }) => name)));
  }
  const whole = readFileSync(join(root, 'action.yml'), 'utf8');
  const { inputs, runs } = firstOf('action.yml') as {
    inputs: object;
    runs: { steps: { id: string }[] };
  };
  const ids = runs.steps.map(({ id }) => id);
  for (const [, name] of whole.matchAll(/\binputs\.([\w-]+)/g)) expect(inputs).toHaveProperty([name ?? '']);
  for (const [, id] of whole.matchAll(/\bsteps\.([\w-]+)\./g)) expect(ids).toContain(id);
});
