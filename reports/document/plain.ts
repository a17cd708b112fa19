import { compact } from '../../contracts/present.ts';
import { type Clause, clauseText, type Message, type Step } from './document.ts';

/** Lays out rules, requests and answers as plain lines, for the blocks of comments and for test reports. */

/** Maximum characters of a body. */
const most = 1_500;

const bodyOf = ({ body }: Message): string =>
  !body || body.text.length <= most ? (body?.text ?? '') : `${body.text.slice(0, most)}…`;

/** Returns a clause with its statement, as far as known. */
export const ruleText = (clause: Clause): string => [clauseText(clause), clause.statement].filter(Boolean).join(': ');

/** Returns the steps of an item: each request, its body below it, and each answer with its body. */
export const plainSteps = (steps: readonly Step[]): string[] =>
  steps.flatMap(({ number, requests, answers }) => [
    ...requests.flatMap(one => {
      const to = one.letter !== '' && `to ${one.letter}`;
      const body = bodyOf(one);
      return compact([compact([number, to, one.brief]).join(' '), body !== '' && body]);
    }),
    ...answers.map(one => `  ${[one.letter, one.brief, bodyOf(one)].filter(Boolean).join(' ')}`),
  ]);
