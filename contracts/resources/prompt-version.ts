import type { Schema } from '../dialect.ts';
import { described, object } from '../object.ts';
import * as annotations from './annotations.ts';
import { description, text } from './shared.ts';

/** Prompt versions (sections 2.9 and 4.13). Which fields are required is not shown. */

export const promptMessage = object({
  content: { type: 'string', annotation: annotations.sentence },
  role: { type: 'string', annotation: { examples: ['system'], furtherExamples: ['user', 'assistant'] } },
});

export const workflowHeader = object({
  name: { type: 'string', annotation: { formatHint: 'header-name' } },
  value: { type: 'string', annotation: annotations.slug },
});

const headers = {
  type: 'array',
  items: workflowHeader,
  annotation: { compare: 'unordered' },
} as const satisfies Schema;

// biome-ignore format: a table
const fields = {
  // More than one message of the system may be one too many.
  prompts:               { type: 'array', items: promptMessage, annotation: { certainItems: 1 } },
  temperature:           { type: 'number', annotation: { examples: [0.7, 0, 1] } },
  top_p:                 { type: 'number', annotation: { examples: [0.9, 1] } },
  frequency_penalty:     { type: 'number', annotation: { examples: [0.5, 0] } },
  presence_penalty:      { type: 'number', annotation: { examples: [0.5, 0] } },
  max_tokens:            { type: 'number', annotation: { examples: [256] } },
  model:                 { type: 'string', annotation: annotations.model },
  provider:              { type: 'string', annotation: annotations.provider },
  eval_model:            { type: 'string', annotation: annotations.model },
  workflow_headers:      headers,
  auth_workflow_headers: headers,
} as const;

/** The body of Create Prompt Version. */
// biome-ignore format: a table
export const promptVersionRequest = object({
  ...fields,
  name: { type: 'string', minLength: 3, maxLength: 100, pattern: '^[a-zA-Z0-9_\\-. ]*$', annotation: annotations.newName },
  id:   { type: 'string', pattern: '^[a-zA-Z0-9_\\-.]*$', annotation: annotations.newName },
  description,
});

/** A prompt version in an answer. */
export const promptVersion = described('A version of a prompt.', {
  ...fields,
  name: text,
  id: text,
  description: text,
});
