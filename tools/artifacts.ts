import { type Artifact, contractArtifacts } from '../contracts/emit/artifact.ts';

/** Every generated file of the repository. A new one is a row here; `npm run generate` writes it, a test keeps it fresh. */
export const artifacts: readonly Artifact[] = [...contractArtifacts];
