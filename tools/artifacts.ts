import { schemaDocument } from '../contracts/emit/json-schema.ts';
import { openapiDocument } from '../contracts/emit/openapi.ts';
import { schemaFiles } from '../contracts/emit/schema-files.ts';
import { endpointsPage } from '../contracts/endpoints-page.fixture.ts';
import type { Json } from '../contracts/json.ts';
import { requirementsPage } from '../contracts/requirements/page.fixture.ts';
import { newestSet, presentSet, releasedSets, setText } from '../contracts/requirements/sets.ts';
import { dialectsPage } from '../reference-server/dialects/page.ts';
import { verifiedBy } from '../suites/checks/verified-by.ts';
import { differencesPage } from '../suites/proof/diff/page.fixture.ts';
import { classesPage } from '../suites/proof/kill-matrix/classes-page.fixture.ts';
import { killMatrixPage } from '../suites/proof/kill-matrix/page.fixture.ts';
import { ledgerPage } from '../suites/proof/ledger/page.fixture.ts';
import { modelPage } from '../suites/proof/model/page.fixture.ts';
import { mutantsPage } from '../suites/proof/mutants/page.fixture.ts';
import { regressionsPage } from '../suites/proof/regressions/page.fixture.ts';
import { trafficPage } from '../suites/proof/traffic/page.fixture.ts';
import { vacuousPage } from '../suites/proof/vacuous/page.fixture.ts';

/** A generated file that is committed and tested to be up to date. */
interface Artifact {
  /** Relative to the root of the repository. */
  readonly path: string;
  /** Returns the whole content, with its trailing newline. The same on every machine and every day. */
  readonly content: () => string;
}

const json = (document: Json): string => `${JSON.stringify(document, null, 2)}\n`;

/** Every generated file of the repository. `npm run generate` writes them; a test fails if one is out of date. */
export const artifacts: readonly Artifact[] = [
  ...schemaFiles.map(file => ({
    path: `contracts/json/${file.name}.schema.json`,
    content: () => json(schemaDocument(file)),
  })),
  { path: 'contracts/openapi.json', content: () => json(openapiDocument()) },
  // A released set is never rewritten.
  ...(Object.hasOwn(releasedSets, newestSet)
    ? []
    : [{ path: `contracts/requirements/sets/${newestSet}.json`, content: () => setText(presentSet(newestSet)) }]),
  { path: 'docs/endpoints.md', content: endpointsPage },
  { path: 'docs/dialects.md', content: dialectsPage },
  { path: 'docs/classes.md', content: classesPage },
  { path: 'docs/kill-matrix.md', content: () => killMatrixPage() },
  { path: 'docs/traffic.md', content: () => trafficPage() },
  { path: 'docs/model.md', content: () => modelPage() },
  { path: 'docs/ledger.md', content: () => ledgerPage() },
  { path: 'docs/mutants.md', content: () => mutantsPage() },
  { path: 'docs/regressions.md', content: () => regressionsPage() },
  { path: 'docs/differences.md', content: () => differencesPage() },
  { path: 'docs/vacuous.md', content: vacuousPage },
  { path: 'docs/requirements.md', content: () => requirementsPage(verifiedBy) },
];
