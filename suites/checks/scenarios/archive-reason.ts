import { isOperation } from '../../../contracts/endpoint.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  covering,
  minimalApiRequest,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

const apart: RequirementId = 'state.archive-reason';
const { properties = {} } = endpointRow('archive-config').data;

/** What a reason may well hold: characters beyond Latin-1, and more of them than a short column has room for. */
const wide = `Ω 東 🚀 ${'by a conformance run, '.repeat(14)}end`;

/**
 * Archives again a config that the run has archived, for a reason never used before: a field that shows it can only
 * have taken it from there. Repeats a violation once, with another reason.
 */
const otherReasons: Scenario = async (context, session) => {
  let violations: readonly Violation[] = [];
  let isShown = false;
  for (const time of ['once', 'twice']) {
    const plain = `conform ${context.token} archived ${time} more`;
    const send = (reason: string) =>
      session.send(minimalApiRequest(context, { ...context.minimal.body, archiveReason: reason }));
    const long = `${plain}, ${wide}`;
    const first = await send(long);
    const isRefused = isClientError(first);
    const answer = isRefused ? await send(plain) : first;
    // With its quotation marks: a longer text that holds the reason is no copy of it.
    const reason = JSON.stringify(isRefused ? plain : long);
    if (!answer.success) return unproved(`the config was not archived again (${refusalInWords(answer)})`);
    // A member that no section names may well be the reason.
    const fields = Object.entries(dataObject(answer)).filter(([name]) => Object.hasOwn(properties, name));
    isShown ||= fields.length > 0;
    violations = fields
      .filter(([, shown]) => JSON.stringify(shown).includes(reason))
      .map(([name, shown]) =>
        violation(answer, apart, `/data/${name}`, 'the reason for archiving in no other field', inWords(shown)),
      );
    if (violations.length === 0) break;
  }
  return covering(violations, isShown ? [apart] : []);
};

/** Sections 2.4 and 4.10: none of a config's fields shows the reason for archiving. */
export const archiveReason: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'archive-reason',
  role: 'afterwards',
  level: 'SHOULD',
  title: 'The reason for archiving a config is shown as none of its fields',
  detects: 'A handler that writes the reason into the description of the config.',
  requirements: () => [apart, ...liveness],
  appliesTo: row => isOperation(row, 'config', 'archive'),
  plan: context => planOf(context, { title: 'archived for another reason', run: otherReasons }),
};
