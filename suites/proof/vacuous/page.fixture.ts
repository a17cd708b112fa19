import { grouped } from '../../../contracts/grouped.ts';
import { code, table } from '../../../contracts/markdown.ts';
import { justified, reasonFor } from './justified.fixture.ts';
import { vacuousTargets } from './targets.fixture.ts';
import { verifiedOfNothing } from './verified.fixture.ts';

/** Returns ids by group: `auth.` `bearer`, `empty-key` … */
function inGroups(ids: readonly string[]): string {
  const groups = grouped(ids, id => id.slice(0, id.indexOf('.')));
  return [...groups]
    .map(([group, own]) => `${code(`${group}.`)} ${own.map(id => id.slice(group.length + 1)).join(', ')}`)
    .join('; ');
}

function section(id: string, title: string, verified: readonly string[]): string {
  const row = justified[id] ?? { verified: [] };
  const rows = row.verified.map(one => [one.why, inGroups(verified.filter(name => reasonFor(name, row) === one))]);
  const conforming = (row.conformant ?? []).map(({ endpoint, why }) => `- ${code(endpoint)}: ${why}.`);
  return [
    `## ${code(id)}`,
    `A server that ${title}. ${verified.length === 0 ? 'Nothing is verified.' : `Verified: ${verified.length}.`}`,
    ...(rows.length === 0 ? [] : [table(['because', 'requirements'], rows)]),
    ...(conforming.length === 0 ? [] : [`Endpoints that conform all the same:\n\n${conforming.join('\n')}`]),
  ].join('\n\n');
}

/** Returns `docs/vacuous.md`: what a run verifies for servers that do nothing, and why that is right. */
export function vacuousPage(): string {
  const noted = verifiedOfNothing();
  return `${[
    '# Vacuous targets',
    [
      'A requirement is verified only by a case that could have shown it to be broken. These servers do nothing of what',
      'the API is for; the whole suite was run against each, and this is every requirement that it called verified, with the',
      'case that could have failed there. The rest had failed, or was untested, or there was nothing to judge; no run conforms.',
      '`npm run prove -- vacuous` measures it again, and a test is red where it was measured with other checks.',
    ].join('\n'),
    table(
      ['server', 'what it does', 'verified'],
      vacuousTargets.map(({ id, title }) => [code(id), title, `${noted[id]?.verified.length ?? 0}`]),
    ),
    ...vacuousTargets.map(({ id, title }) => section(id, title, noted[id]?.verified ?? [])),
  ].join('\n\n')}\n`;
}
