import type { Infer } from '../infer.ts';
import { closed, list, recordBut } from '../object.ts';
import { filled, text } from '../scalars.ts';

/**
 * The envelope of a result (`implementation.json`, beside the journal, report and recording of one run). It says what
 * was tested, who says so, and how to repeat it.
 */
export const implementationSchema = closed(
  recordBut(['$schema', 'url', 'commit', 'image', 'contact'], {
    $schema: text,
    version: { const: 1 },
    name: { ...filled, description: 'What the implementation is called. Results with the same name form its history.' },
    organization: { ...filled, description: 'Who made it, and answers for this result.' },
    contact: { ...filled, description: 'Where to ask.' },
    url: { ...filled, description: 'Where it is described.' },
    release: { ...filled, description: 'The version that was tested.' },
    commit: { ...filled, description: 'The commit from which it was built; this or `image` must be given.' },
    image: { ...filled, description: 'The image that was tested, NAME@sha256:DIGEST.' },
    started: { ...filled, description: 'How it was started: the command, its settings, its environment.' },
    again: {
      ...list(filled),
      minItems: 1,
      description: 'The commands that reproduce the run, in order.',
    },
  }),
);

/** An envelope as in its file. */
export type ImplementationFile = Infer<typeof implementationSchema>;
