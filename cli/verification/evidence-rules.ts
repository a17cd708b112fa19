import { isDeepStrictEqual } from 'node:util';
import { parsedJson } from '../../contracts/json.ts';
import { at } from '../../contracts/pointer.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { RunStart } from '../../contracts/report/journal.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { scoringOf, setNamed } from '../../contracts/requirements/sets.ts';
import type { Contradiction, Rule } from './journal-parts.ts';

/** How the set of requirements of a run scores findings. */
export const scoringIn = ({ requirementSet }: RunStart) => scoringOf(setNamed(requirementSet?.name ?? ''));

/** Findings: as the set of requirements has them, and as the answers show that they carry. */
export const findingRule: Rule = ({ start, ends, plan }) => {
  const scoring = scoringIn(start);
  return ends.flatMap(({ id, findings: own }) =>
    own.flatMap(finding => {
      const { requirement, level, doubt, notScored, seen, counterexample } = finding;
      if (!isRequirementId(requirement)) return [`${id} found ${requirement} broken, which is no requirement`];
      const stated = requirementById(requirement).level;
      const score = scoring(requirement, stated);
      const isLevel = doubt === undefined ? [stated, score.level].includes(level) : level === 'SHOULD';
      return [
        !isLevel && `${id} found ${requirement} broken as a ${level}, and it is a ${stated}`,
        notScored !== undefined &&
          notScored !== score.notScored &&
          `${id} says that ${requirement} is not scored (${notScored}), and the set of requirements scores it`,
        plan.get(id)?.requirements.includes(requirement) === false &&
          `${id} found ${requirement} broken, which it does not judge`,
        seen !== undefined && seen.times > seen.of && `${id} saw a finding again more often than it looked`,
        counterexample?.unit !== undefined &&
          !counterexample.unit.includes('/') &&
          `${id} has a case of no check: ${counterexample.unit}`,
        ...accused(id, finding),
      ];
    }),
  );
};

/** True of a text of which something was taken out or cut. */
export const isHidden = (text: string): boolean => text.includes('«') || text.includes('…');

/** What a finding says that an answer shows, beside the answer that it carries. */
function accused(id: string, { pointer, actual, fault, exchange }: Finding): readonly (Contradiction | false)[] {
  const response = exchange?.response;
  if (fault === undefined || response === undefined) return [];
  const { kind, got } = fault;
  if (kind === 'accepted')
    return [
      (response.status < 200 || response.status > 299) && `${id} says accepted, and shows status ${response.status}`,
    ];
  if (kind === 'refused') return [response.status < 300 && `${id} says refused, and shows status ${response.status}`];
  if (kind === 'failed') return [response.status < 500 && `${id} says failed, and shows status ${response.status}`];
  const [, status] = /^status (\d{3})$/.exec(actual) ?? [];
  if (status !== undefined && Number(status) !== response.status)
    return [`${id} says status ${status}, and shows status ${response.status}`];
  if (got === undefined || !pointer.startsWith('/')) return [];
  if (response.body.truncated || isHidden(response.body.text)) return [];
  const body = parsedJson(response.body.text);
  if (body === undefined) return [`${id} accuses ${pointer} of an answer that is no JSON`];
  const shown = at(body, pointer);
  return [
    shown !== undefined && !isDeepStrictEqual(shown, got) && `${id} says of ${pointer} what its answer does not show`,
  ];
}

const created = /\bconform_([0-9a-f]{8})_/g;

/** What was sent: where the run said that it would send it. */
export const evidenceRule: Rule = ({ start, exchanges, isReport }) => {
  const { baseUrl } = start.target;
  return exchanges.flatMap(({ id, request, response }) => {
    const texts = [request.url, request.body?.text ?? ''];
    const tokens = texts.flatMap(text => [...text.matchAll(created)].map(([, token]) => token));
    const { options } = start;
    return [
      options.traffic === undefined &&
        !request.url.startsWith(`${baseUrl}/`) &&
        request.url !== baseUrl &&
        `${id} was sent elsewhere than to ${baseUrl}`,
      options.traffic === undefined &&
        // The report of several shards has the token of one.
        !isReport &&
        tokens.some(token => token !== start.token) &&
        `${id} sends names of another run than ${start.token}`,
      options.readOnly && request.method !== 'GET' && `${id} is a ${request.method} of a run that only reads`,
      response !== undefined &&
        !response.body.truncated &&
        !isHidden(response.body.text) &&
        Buffer.byteLength(response.body.text) > response.body.bytes * 6 + 64 &&
        `${id} shows more of an answer than there was`,
    ];
  });
};
