import { described, object } from '../object.ts';
import * as annotations from './annotations.ts';
import { description, listOf, nameOf, newNameOf, numberLike, numberOf, text, textOf, unorderedOf } from './shared.ts';

/** Prompt versions (sections 2.9 and 4.13). Which fields are required is not shown. */

export const promptMessage = object({
  content: textOf(annotations.sentence),
  role: textOf({ examples: ['system'], furtherExamples: ['user', 'assistant'] }),
});

export const workflowHeader = object({
  name: textOf({ formatHint: 'header-name' }),
  value: textOf(annotations.slug),
});

const headers = unorderedOf(workflowHeader);

/** The specification gives these numbers no range: a model may want more than 0. */
const zero = [0] as const;

// biome-ignore format: a table
const fields = {
  // A service may allow only one system message.
  prompts:               listOf(promptMessage, { certainItems: 1 }),
  temperature:           numberOf({ examples: [0.7, 0, 1], uncertain: zero }),
  top_p:                 numberLike(0.9, 1),
  frequency_penalty:     numberOf({ examples: [0.5, 0], uncertain: zero }),
  presence_penalty:      numberOf({ examples: [0.5, 0], uncertain: zero }),
  max_tokens:            numberOf({ examples: [256, 2000], uncertain: [2000] }),
  model:                 nameOf('model'),
  provider:              nameOf('provider'),
  eval_model:            nameOf('model'),
  workflow_headers:      headers,
  auth_workflow_headers: headers,
} as const;

/** The body of Create Prompt Version. */
// biome-ignore format: a table
export const promptVersionRequest = object({
  ...fields,
  name: newNameOf(100, '^[a-zA-Z0-9_\\-. ]*$'),
  // How it relates to the id of the path is not shown.
  id:   { type: 'string', pattern: '^[a-zA-Z0-9_\\-.]*$', annotation: { ...annotations.newName, alone: true } },
  description,
});

/** A prompt version in an answer. */
export const promptVersion = described('A version of a prompt.', {
  ...fields,
  name: text,
  id: text,
  description: text,
});
