import type { Schema } from '../dialect.ts';
import type { Infer } from '../infer.ts';
import { closed, list, recordBut } from '../object.ts';

/**
 * The envelope of a result (`implementation.json`, beside the journal, report and recording of one run). It says what
 * was tested, who says so, and how to repeat it.
 */

const text = { type: 'string', minLength: 1 } as const satisfies Schema;

export const implementationSchema = closed(
  recordBut(['$schema', 'url', 'commit', 'image', 'contact'], {
    $schema: { type: 'string' },
    version: { const: 1 },
    name: { ...text, description: 'What the implementation is called. Results of one name are its history.' },
    organization: { ...text, description: 'Who made it, and answers for this result.' },
    contact: { ...text, description: 'Where to ask.' },
    url: { ...text, description: 'Where it is described.' },
    release: { ...text, description: 'The version that was tested.' },
    commit: { ...text, description: 'The commit from which it was built; this or `image` has to be there.' },
    image: { ...text, description: 'The image that was tested, NAME@sha256:DIGEST.' },
    started: { ...text, description: 'How it was started: the command, its settings, what stood around it.' },
    again: { ...list(text), minItems: 1, description: 'The commands, in their order, by which anybody does it again.' },
  }),
);

/** An envelope as in its file. */
export type ImplementationFile = Infer<typeof implementationSchema>;
