/**
 * Writes the newest set of requirements in its present state (`npm run freeze`). With `--release` makes it final: it is
 * never rewritten from then on. `npm run freeze -- 2027-03` begins another set.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestSet, presentSet, releasedSets, setHash, setNames, setText } from '../contracts/requirements/sets.ts';
import { root } from './repository.ts';

const folder = join(root, 'contracts/requirements/sets');
const words = process.argv.slice(2);
const name = words.find(word => !word.startsWith('-')) ?? newestSet;

function frozen(): string {
  if (!/^\d{4}-\d{2}$/.test(name)) return `${name} is no name of a set; give a month, such as 2027-03`;
  if (Object.hasOwn(releasedSets, name))
    return `${name} was released, and a released set never changes; add an erratum`;
  const set = presentSet(name);
  writeFileSync(join(folder, `${name}.json`), setText(set));
  const count = Object.keys(set.requirements).length;
  if (words.includes('--release')) {
    const released = { ...releasedSets, [name]: setHash(set) };
    writeFileSync(join(folder, 'released.json'), `${JSON.stringify(released, null, 2)}\n`);
    process.stdout.write(`${name}: ${count} requirements, released as ${setHash(set)}\n`);
  } else process.stdout.write(`${name}: ${count} requirements, a draft; --release makes it final\n`);
  return setNames.includes(name) ? '' : `give contracts/requirements/sets.ts a row for ${name}.json`;
}

const problem = frozen();
if (problem !== '') {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
