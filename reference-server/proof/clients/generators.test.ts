import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { started } from '../testing/started.ts';
import { at, foreignTest, has, hasModule, python, run } from './toolchain.fixture.ts';

/** openapi-typescript and openapi-fetch have a test of their own, since they are there wherever this repository is. */

/** A command with its arguments. */
type Command = readonly [command: string, ...args: string[]];

/** A generator of clients: what it makes of the document, and a program that uses it. */
interface Generator {
  readonly name: string;
  readonly needs: string;
  readonly isThere: () => boolean;
  /** Files that the folder has beside the program. */
  readonly files?: Readonly<Record<string, string>>;
  readonly generate: Command;
  readonly program: string;
  /** Compiles the program with what was generated, and calls the server, which it is told with the key. */
  readonly call: Command;
}

const document = at('contracts/openapi.json');
const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const needsPython = 'pip install -r reference-server/proof/clients/requirements.txt';

// biome-ignore format: one generator a paragraph
const generators: readonly Generator[] = [
  { name: 'datamodel-code-generator', needs: needsPython, isThere: () => hasModule('datamodel_code_generator'),
    generate: [python, '-m', 'datamodel_code_generator', '--input', document, '--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel', '--output', 'generated.py'],
    program: 'generated_models.py', call: [python, 'generated_models.py'] },
  { name: 'openapi-python-client', needs: needsPython, isThere: () => hasModule('openapi_python_client'),
    generate: [python, '-m', 'openapi_python_client', 'generate', '--path', document, '--meta', 'none', '--output-path', 'generated'],
    program: 'generated_client.py', call: [python, 'generated_client.py'] },
  { name: 'oapi-codegen', needs: 'Go, and its modules', isThere: () => has('go', 'run', oapiCodegen, '-version'),
    files: { 'go.mod': 'module example.test/generated\n\ngo 1.24.0\n\nrequire github.com/oapi-codegen/runtime v1.8.0\n' },
    generate: ['go', 'run', oapiCodegen, '-generate', 'types,client', '-package', 'main', '-o', 'client.go', document],
    program: 'generated.go', call: ['go', 'run', '-mod=mod', '.'] },
];

for (const { name, needs, isThere, files = {}, generate, program, call } of generators)
  foreignTest(`a client that ${name} generates compiles, and calls the server`, needs, isThere, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'conform-generated-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const inFolder = async ([command, ...args]: Command): Promise<string> =>
      (await run(command, args, { cwd: folder })).stdout.trim();
    const { server, url } = await started({}, onTestFinished);
    const segments = await server.store.list('segments');
    // Generated where no go.mod says what the generator may be made of.
    await inFolder(generate);
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    copyFileSync(at(`reference-server/proof/clients/${program}`), join(folder, program));
    expect(await inFolder([...call, url, server.apiKey])).toBe(`2 ${segments[0]?.id}`);
  });
