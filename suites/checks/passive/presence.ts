import type { Endpoint } from '../../../contracts/endpoint.ts';
import { isObject, type Members, membersOf } from '../../../contracts/json.ts';
import { isAccepted, itemsOf } from '../../protocol/answer.ts';
import { judged, notJudged, type PassiveCheck, violation } from '../../protocol/check.ts';

/** True unless the field only has a meaning beside a value (`sourceType=table`) that the entity does not have. */
const isDue = (field: string, entity: Members, { data }: Endpoint): boolean =>
  (data.properties?.[field]?.annotation?.beside ?? []).every(condition => {
    const [name = '', value] = condition.split('=');
    return value === undefined || entity[name] === value;
  });

/** Section 4: the fields that it names for an answer, without requiring them, are expected there (SHOULD). */
export const presence: PassiveCheck = {
  kind: 'passive',
  id: 'presence',
  level: 'SHOULD',
  title: 'The fields that section 4 names for the answer are there',
  detects: 'A documented field that never appears: a client written from the documents reads undefined.',
  requirements: () => ['presence.named'],
  appliesTo: row => row.expected.length > 0,
  observe(answer, row) {
    if (!answer.success || !answer.own) return notJudged;
    const entities = itemsOf(answer, row).flatMap(({ item, pointer }) => (isObject(item) ? [{ item, pointer }] : []));
    if (entities.length === 0) return notJudged;
    const violations = entities.flatMap(({ item, pointer }) =>
      row.expected
        .filter(field => item[field] === undefined && isDue(field, item, row))
        // A sent null may come back absent.
        .filter(field => row.list || membersOf(answer.sent)[field] !== null)
        .map(field => {
          const words = `the member \`${field}\` that section ${row.section} names`;
          const expected = { words, kind: 'missing' } as const;
          return violation(answer, 'presence.named', `${pointer}/${field}`, expected, 'no such member');
        }),
    );
    return violations.length > 0 || isAccepted(answer) ? judged(violations) : notJudged;
  },
};
