import { resourceNames } from '../../contracts/endpoint.ts';
import { inWords, inWordsApart } from '../judge/words.ts';
import type { Suspicion } from '../model/suspicion.ts';

/** What an answer should have shown, and what it showed, in words. */
export function suspicionWords({ kind, resource, id, field, expected, got }: Suspicion): {
  readonly expected: string;
  readonly actual: string;
} {
  const entity = `the ${resourceNames[resource]} ${id}`;
  const [should, is] = inWordsApart(expected.at(-1), got);
  switch (kind) {
    case 'missing':
      return { expected: `${entity} in the list`, actual: 'it is not listed' };
    case 'present':
      if (expected.length > 0)
        return { expected: `${inWords(expected[0])} in the lineage of ${entity}`, actual: inWords(got) };
      return { expected: `no ${resourceNames[resource]} ${id} in the list`, actual: `it shows ${inWords(got)}` };
    case 'swapped':
      return { expected: entity, actual: `what another ${resourceNames[resource]} has` };
    case 'lost':
      return { expected: `${should}, as last sent to ${entity}`, actual: is };
    case 'trace':
      return {
        expected: `${field} of ${entity} as it was: ${should}, for the request was not carried out`,
        actual: is,
      };
    case 'changed':
      return { expected: `${field} of ${entity} as it was: ${should}`, actual: is };
    case 'disagree':
      return { expected: `${field} of ${entity} as other answers show it: ${should}`, actual: is };
  }
}
