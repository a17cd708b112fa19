import type { Schema } from '../dialect.ts';
import * as means from './meanings.ts';
import { description, text } from './shared.ts';

/** Prompt versions (sections 2.9 and 4.13). Which fields are required is not shown. */

export const promptMessage = {
  type: 'object',
  properties: {
    content: { type: 'string', meaning: means.sentence },
    role: { type: 'string', meaning: { ordinary: ['system'] } },
  },
} as const satisfies Schema;

export const workflowHeader = {
  type: 'object',
  properties: {
    name: { type: 'string', meaning: { flavour: 'header-name' } },
    value: { type: 'string', meaning: means.slug },
  },
} as const satisfies Schema;

const headers = { type: 'array', items: workflowHeader, meaning: { compare: 'unordered' } } as const satisfies Schema;

// biome-ignore format: a table
const fields = {
  prompts:               { type: 'array', items: promptMessage },
  temperature:           { type: 'number', meaning: { ordinary: [0.7, 0, 1] } },
  top_p:                 { type: 'number', meaning: { ordinary: [0.9, 1] } },
  frequency_penalty:     { type: 'number', meaning: { ordinary: [0.5, 0] } },
  presence_penalty:      { type: 'number', meaning: { ordinary: [0.5, 0] } },
  max_tokens:            { type: 'number', meaning: { ordinary: [256] } },
  model:                 { type: 'string', meaning: means.model },
  provider:              { type: 'string', meaning: means.provider },
  eval_model:            { type: 'string', meaning: means.model },
  workflow_headers:      headers,
  auth_workflow_headers: headers,
} as const;

/** The body of Create Prompt Version. */
// biome-ignore format: a table
export const promptVersionRequest = {
  type: 'object',
  properties: {
    ...fields,
    name: { type: 'string', minLength: 3, maxLength: 100, pattern: '^[a-zA-Z0-9_\\-. ]*$', meaning: means.displayName },
    id:   { type: 'string', pattern: '^[a-zA-Z0-9_\\-.]*$', meaning: means.slug },
    description,
  },
} as const satisfies Schema;

/** A prompt version as it is answered. */
export const promptVersion = {
  type: 'object',
  description: 'A version of a prompt.',
  properties: { ...fields, name: text, id: text, description: text },
} as const satisfies Schema;
