import { endpointIds } from '../endpoints.ts';
import { code, table } from '../markdown.ts';
import { type RequirementId, requirements } from './index.ts';
import { type Requirement, type RequirementLevel, sections, sectionTitles } from './requirement.ts';

const intro = `# Requirements

Every normative statement of the Console Management API specification, in the words of this project. Generated from \`contracts/requirements\` by
\`npm run generate\`; do not edit.

- **MUST**: the specification states it. Breaking it fails a target.
- **SHOULD**: the specification shows it in a sample or a list, or HTTP practice asks for it. Breaking it warns.
- **OPEN**: the specification does not show it, is silent, or contradicts itself. Never judged; what a target does is recorded as an observation.`;

const levels: readonly RequirementLevel[] = ['MUST', 'SHOULD', 'OPEN'];

function boundEndpoints({ endpoints }: Requirement): string {
  if (endpoints === 'all' || endpoints.length === endpointIds.length) return 'all';
  const others = endpointIds.filter(id => !endpoints.includes(id));
  if (others.length < 4) return `all but ${others.map(code).join(', ')}`;
  return endpoints.map(code).join(', ');
}

function verification(row: Requirement, checks: readonly string[]): string {
  const notes = [
    ...(checks.length > 0 ? [checks.map(code).join(', ')] : []),
    ...(row.unverified === undefined ? [] : [`not verifiable: ${row.unverified}`]),
    ...(row.level === 'OPEN' ? ['observed, not judged'] : []),
  ];
  return notes.join('; ');
}

function counts(): string {
  const rows = levels.map(level => {
    const ofLevel = requirements.filter(row => row.level === level);
    return [level, `${ofLevel.length}`, `${ofLevel.filter(row => row.unverified !== undefined).length}`];
  });
  return table(['level', 'rows', 'not verifiable from outside'], rows);
}

/**
 * Returns `docs/requirements.md`: every requirement by section, with level, statement, endpoints and checks.
 * `verifiedBy` returns the checks that cite a requirement; without it, that column shows only why nothing verifies
 * some.
 */
export function requirementsPage(verifiedBy: (id: RequirementId) => readonly string[] = () => []): string {
  const chapters = sections.flatMap(section => {
    const rows = requirements.filter(row => row.section === section);
    if (rows.length === 0) return [];
    const cells = rows.map(row => [
      code(row.id),
      row.level,
      row.standard === undefined ? row.statement : `${row.statement} (${row.standard})`,
      boundEndpoints(row),
      verification(row, verifiedBy(row.id)),
    ]);
    return [
      `## ${section} ${sectionTitles[section]}`,
      table(['id', 'level', 'statement', 'endpoints', 'verified by'], cells),
    ];
  });
  return `${[intro, counts(), ...chapters].join('\n\n')}\n`;
}
