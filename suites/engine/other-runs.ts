import type { FixtureKind, Resource } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import type { Notice } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { withoutEffect } from '../model/causes.ts';
import { showingsOf } from '../model/resources.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import { marksIn } from '../protocol/created-names.ts';
import { entryOf, remember } from '../protocol/entries.ts';
import type { Target } from '../protocol/sut.ts';
import type { Begun } from '../sut/observer.ts';
import { fixtureNames } from '../sut/target.ts';
import { type Ending, untested } from './ending.ts';
import { notice } from './notice.ts';

/** How many fields are remembered with the marks that they have shown. */
const mostFields = 20_000;

const remedy = 'one run at a time, or fixtures of its own for each';

/** True of a requirement about what is stored: what another run writes looks like a violation of it. */
const isOfState = (requirement: RequirementId): boolean =>
  requirement.startsWith('state.') || withoutEffect.has(requirement);

const none: ReadonlySet<string> = new Set();

/** The fixtures whose entities answers show, by resource. */
const fixturesOf: Readonly<Partial<Record<Resource, FixtureKind>>> = {
  gate: 'gates',
  config: 'dynamicConfigs',
  'config-version': 'dynamicConfigs',
  experiment: 'experiments',
  'qualifying-event': 'qualifyingEvents',
  environment: 'environments',
};

/** Returns the names and ids of the fixtures of each resource. */
function fixturesByResource(target: Target): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = (target.fixtures.environments ?? []).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  return new Map(
    Object.entries(fixturesOf).map(([resource, kind]) => {
      const names = fixtureNames(target, kind);
      return [resource, new Set(kind === 'environments' ? [...names, ...ids] : names)];
    }),
  );
}

/**
 * Watches for another run of the suite that writes to the same fixtures at the same time. Every run marks what it
 * writes with a token of its own. A mark that a field shows from the beginning is what an earlier run left; one that
 * comes into a field which was shown without it, and which this run did not send, is being written now. What is no
 * fixture may be one of the other run: lists show both.
 */
export function createOtherRuns(token: string, target: Target) {
  const fixtures = fixturesByResource(target);
  /** The marks that each field has shown. */
  const shown = new Map<string, ReadonlySet<string>>();
  /** The marks that this run has sent: its own, and what it puts back. */
  const sent = new Set<string>([token]);
  /** The first place where each other run was seen. */
  const others = new Map<string, string>();
  return {
    begun(one: Begun): void {
      for (const mark of marksIn(one.sent)) sent.add(mark);
    },
    note({ request, data, own, success, reply: { body } }: Answer): void {
      if (!own || !success) return;
      const row = endpointRow(request.endpoint);
      // Hardly an answer has the mark of another run.
      const isStrange = body.kind === 'json' && [...marksIn(body.text)].some(mark => !sent.has(mark));
      const names = fixtures.get(row.resource);
      if (names === undefined) return;
      for (const { id, subject, entity } of showingsOf(row, data, request.param ?? '')) {
        if (!names.has(subject)) continue;
        for (const [field, value] of Object.entries(entity)) {
          const key = `${row.resource} ${id} ${field}`;
          const before = shown.get(key);
          const marks = isStrange ? marksIn(value) : none;
          for (const mark of before === undefined ? [] : marks)
            if (!before?.has(mark) && !sent.has(mark))
              entryOf(others, mark, () => `${field} of the ${row.resource.replaceAll('-', ' ')} ${id}`);
          if (before === undefined || marks.size > 0)
            remember(shown, key, marks.size === 0 ? none : new Set([...(before ?? []), ...marks]), mostFields);
        }
      }
    },
    /**
     * Leaves out what another run may have caused, if there is one. Without it nothing was shown, so a unit that found
     * nothing else is untested.
     */
    without<F extends { readonly violation: Pick<Violation, 'requirement'> }>(
      found: readonly F[],
      ending: Ending,
    ): { found: readonly F[]; ending: Ending } {
      const rest = others.size === 0 ? found : found.filter(({ violation }) => !isOfState(violation.requirement));
      const isChanged = rest.length === 0 && found.length > 0 && ending.verdict !== 'error';
      if (!isChanged) return { found: rest, ending };
      const cited = [...new Set(found.map(({ violation }) => violation.requirement))].join(', ');
      const because = `another run of the suite writes to the same fixtures, which may explain what was found (${cited})`;
      const { notExercised, stats } = ending;
      return { found: rest, ending: untested(because, { notExercised, stats, remedy }) };
    },
    all: (): readonly Notice[] => {
      const [first] = others;
      if (first === undefined) return [];
      const [mark, place] = first;
      const text = `Another run of the suite writes to the same fixtures: its mark conform_${mark} has come into ${place}. What is found about stored state from here on is left out, as the other may have done it.`;
      return [notice('warning', text, remedy)];
    },
  };
}
