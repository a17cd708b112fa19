import { type Artifact, contractArtifacts } from '../contracts/emit/artifact.ts';
import { endpointsPage } from '../contracts/endpoints-page.ts';
import { requirementsPage } from '../contracts/requirements/page.ts';
import { dialectsPage } from '../reference-server/dialects/page.ts';
import { verifiedBy } from '../suites/checks/verified-by.ts';

/** Every generated file of the repository. A new one is a row here; `npm run generate` writes it, a test keeps it fresh. */
export const artifacts: readonly Artifact[] = [
  ...contractArtifacts,
  { path: 'docs/endpoints.md', content: endpointsPage },
  { path: 'docs/dialects.md', content: dialectsPage },
  { path: 'docs/requirements.md', content: () => requirementsPage(verifiedBy) },
];
