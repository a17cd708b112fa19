import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

/** Schemas of the examples' pipelines, as far as they use each service: an unknown key is a mistake. */

const root = fileURLToPath(new URL('..', import.meta.url));
const text = { type: 'string', minLength: 1 };
const scalar = { type: ['string', 'number', 'boolean'] };
const texts = { type: 'array', items: text, minItems: 1 };
const scalars = { type: 'object', additionalProperties: scalar };
const listOf = (items: object) => ({ type: 'array', items, minItems: 1 });
const mapOf = (value: object) => ({ type: 'object', additionalProperties: value, minProperties: 1 });
/** Returns the schema of an object with only these members; those whose names end in `!` are required. */
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
    // A script of a composite action must name its shell.
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
const shapes: Readonly<Record<string, object>> = {
  'action.yml': action,
  'examples/github-workflow.yml': workflow,
  'examples/gitlab-ci.yml': gitlab,
};
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictTypes: false });
const documentsOf = (file: string) => parseAllDocuments(readFileSync(join(root, file), 'utf8'), { version: '1.2' });
const firstOf = (file: string): unknown => documentsOf(file)[0]?.toJS();
type Job = { readonly stage: string; readonly needs?: string };

test('every YAML file of the examples has a shape here, or the types of the Kubernetes API in kubernetes.test.ts', () => {
  const files = readdirSync(join(root, 'examples')).filter(name => /\.ya?ml$/.test(name));
  expect(files.map(name => `examples/${name}`).filter(name => !(name in shapes))).toEqual(['examples/kubernetes.yml']);
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

test('stages, jobs and steps that are named are there', () => {
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
  const whole = readFileSync(join(root, 'action.yml'), 'utf8');
  const { inputs, runs } = firstOf('action.yml') as {
    inputs: object;
    runs: { steps: { id: string }[] };
  };
  const ids = runs.steps.map(({ id }) => id);
  for (const [, name] of whole.matchAll(/\binputs\.([\w-]+)/g)) expect(inputs).toHaveProperty([name ?? '']);
  for (const [, id] of whole.matchAll(/\bsteps\.([\w-]+)\./g)) expect(ids).toContain(id);
});
