import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { longEnough, readPage } from '../judge/page.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import type { Session } from '../protocol/check.ts';
import type { Target } from '../protocol/sut.ts';
import { fixtureNames, subjectOf } from '../sut/target.ts';
import type { Diagnostic } from './fixture-examination.ts';

/** Maximum number of other fixtures whose list is looked at: a run looks at no more. */
const mostLooked = 8;

/** A list that was read: of which fixture, the answer, and how many items it has; null if no page can be read. */
interface Looked {
  readonly param: string | undefined;
  readonly answer: Answer;
  readonly totalItems: number | null;
}

/** Returns the lists that a run can walk with this target file. */
const walked = (target: Target): readonly EndpointId[] =>
  endpointIds.filter(
    id => endpoints[id].list && (endpoints[id].fixture === null || subjectOf(target, id) !== undefined),
  );

/** Returns the names of the fixtures that have such a list, the run's own first; `undefined` for a list of its own. */
function namesOf(target: Target, endpoint: EndpointId): readonly (string | undefined)[] {
  const own = subjectOf(target, endpoint);
  const { fixture } = endpoints[endpoint];
  if (fixture === null) return [own];
  const others = fixtureNames(target, fixture).filter(name => name !== own);
  return [own, ...others.slice(0, mostLooked)];
}

/** Looks at the lists of an endpoint until one is long enough. Returns the longest: a run walks another if its own is short. */
async function longest(target: Target, endpoint: EndpointId, send: Session['send']): Promise<Looked> {
  let best: Looked | undefined;
  for (const param of namesOf(target, endpoint)) {
    const answer = await send({ endpoint, param });
    const one = { param, answer, totalItems: readPage(answer)?.totalItems ?? null };
    if (best === undefined || (one.totalItems ?? 0) > (best.totalItems ?? 0)) best = one;
    if (best.totalItems === null || best.totalItems >= longEnough) break;
  }
  return best as Looked;
}

const countOf = (items: number): string => `${items.toLocaleString('en')} item${items === 1 ? '' : 's'}`;

function listDiagnostic(endpoint: EndpointId, { param, answer, totalItems }: Looked): Diagnostic {
  const list = param === undefined ? endpoint : `${endpoint} of ${param}`;
  const problem = { area: 'lists', state: 'problem', by: endpoint } as const;
  if (totalItems === null) return { ...problem, text: `${list}: no page of it can be read (${outcomeOf(answer)})` };
  if (totalItems >= longEnough) return { area: 'lists', state: 'ok', text: `${list}: ${countOf(totalItems)}` };
  return {
    ...problem,
    text: `${list}: ${countOf(totalItems)}, too few to prove much about pages`,
    remedy: `give the list ${longEnough} items or more${endpoints[endpoint].fixture === null ? '' : `, or name another of fixtures.${endpoints[endpoint].fixture} that has as many`}`,
  };
}

/** Examines the lists that a run can walk: whether they can be read, and are long enough to test pages. */
export async function examineLists(target: Target, send: Session['send']): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const endpoint of walked(target))
    diagnostics.push(listDiagnostic(endpoint, await longest(target, endpoint, send)));
  return diagnostics;
}
