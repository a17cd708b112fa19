import type { PassiveCheck } from '../../protocol/check.ts';
import type { Violation } from '../../protocol/violation.ts';

/** Fields that section 4 names for an answer without requiring them are expected there (SHOULD). */
export const presence: PassiveCheck = {
  kind: 'passive',
  id: 'presence',
  level: 'SHOULD',
  title: 'The fields that section 4 names for the answer are there',
  detects: 'A documented field that never appears: a client written from the documents reads undefined.',
  requirements: () => ['presence.named'],
  appliesTo: (_endpoint, row) => row.expected.length > 0,
  observe(answer, row) {
    if (!answer.success || !answer.own) return null;
    const { data } = answer;
    const items: readonly unknown[] = row.list ? (Array.isArray(data) ? data : []) : [data];
    const objects = items.flatMap((item, index) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? [{ entity: item as Record<string, unknown>, at: row.list ? `/data/${index}` : '/data' }]
        : [],
    );
    if (objects.length === 0) return null;
    const violations: Violation[] = [];
    for (const { entity, at } of objects) {
      for (const field of row.expected) {
        // A query source has no table, so nothing is missing when it names none.
        if (field === 'tableName' && entity.sourceType !== 'table') continue;
        if (entity[field] !== undefined) continue;
        violations.push({
          requirement: 'presence.named',
          pointer: `${at}/${field}`,
          expected: `the member \`${field}\` that section ${row.section} names`,
          actual: 'no such member',
          answer,
        });
      }
    }
    return violations;
  },
};
