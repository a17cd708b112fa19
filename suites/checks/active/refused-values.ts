import { acceptCases, type Part, type WideBody } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer, RequestDescription } from '../../protocol/answer.ts';
import { type CheckContext, type Session, type Violation, violation } from '../../protocol/check.ts';
import { fewest } from '../../sut/nearest.ts';
import { acceptance, requirementOfAcceptCase } from './acceptance.ts';
import { schemaOf, templateOf } from './body.ts';
import type { TakenApart } from './taken-apart.ts';

/** Maximum number of cases of one refused field. */
const mostCases = 3;
/** Maximum number of requests that find the fewest fields which are refused together. */
const mostSought = 24;

/** Content Too Large (RFC 9110 section 15.5.14): how much a service takes at once is not stated. */
const tooLarge = 413;

/** Returns a violation as one of the request that is described. */
const about = ({ answer, ...found }: Violation, description: RequestDescription): Violation => ({
  ...found,
  answer: { ...answer, request: { ...answer.request, about: description } },
});

/**
 * Judges the fields that a request of many refuses at ordinary values (sections 4 and 8): a small profile sends few of
 * the cases that try one of them alone. A refused field is tried as those would. Fields that are refused together, while
 * each is accepted, are a combination.
 */
export function refusedValues(context: CheckContext) {
  const { target } = context;
  const { run } = acceptance(context, requirementOfAcceptCase);
  /** The body that first showed a field to be refused: the same finding need not be made with every further one. */
  const shownBy = new Map<string, WideBody>();

  async function ofField(name: string, session: Session): Promise<readonly Violation[]> {
    const { cases } = acceptCases(schemaOf(context), templateOf(context), target);
    const own = cases.filter(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
    const isPlain = ({ keyword, level }: (typeof own)[number]): boolean => keyword === 'example' && level === 'MUST';
    for (const one of [...own.filter(isPlain), ...own.filter(other => !isPlain(other))].slice(0, mostCases)) {
      const { violations } = await run(one, session);
      const { title, pointer, value } = one;
      if (violations.length > 0) return violations.map(found => about(found, { title, pointer, sent: value }));
    }
    return [];
  }

  async function ofTogether(
    parts: readonly Part[],
    send: (parts: readonly Part[]) => Promise<Answer>,
  ): Promise<readonly Violation[]> {
    const isRefused = async (some: readonly Part[]): Promise<boolean> => isClientError(await send(some));
    if (parts.length < 2 || !(await isRefused(parts))) return [];
    let left = mostSought;
    const counted = (some: readonly Part[]): Promise<boolean> => {
      left -= 1;
      return isRefused(some);
    };
    const { kept } = await fewest(parts, counted, () => left <= 0);
    const again = await send(kept);
    if (!isClientError(again) || isCircumstantial(again) || again.status === tooLarge) return [];
    const names = kept.map(({ field }) => field.name).join(' and ');
    const expected = 'a success, as each of them is accepted alone';
    const found = violation(again, 'accept.combination', 'status', expected, refusalInWords(again));
    return [about(found, { title: `${names} together`, pointer: '' })];
  }

  return async (
    wide: WideBody,
    { refused, together }: TakenApart,
    session: Session,
    send: (parts: readonly Part[]) => Promise<Answer>,
  ): Promise<readonly Violation[]> => {
    const violations: Violation[] = [];
    for (const { leaf, field } of refused) {
      const known = shownBy.get(field.name);
      if (leaf !== undefined || (known !== undefined && known !== wide)) continue;
      shownBy.set(field.name, wide);
      violations.push(...(await ofField(field.name, session)));
    }
    return [
      ...violations,
      ...(await ofTogether(
        together.filter(({ leaf }) => leaf === undefined),
        send,
      )),
    ];
  };
}
