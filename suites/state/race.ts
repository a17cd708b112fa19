import type { Endpoint } from '../../contracts/endpoint.ts';
import type { Json, JsonObject, Members } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { compareEcho } from '../judge/echo.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { inWords, said, saidLost } from '../judge/words.ts';
import { type Answer, type ApiRequest, dataObject, isSilence } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/check.ts';
import type { Said } from '../protocol/fault.ts';
import type { Suspicion, Untried } from './attribution.ts';
import { differencesOf, differenceViolations, volatile } from './difference.ts';
import type { Reading } from './reading.ts';

/** A write of a race: what is sent, and what the entity is to have of it. */
export interface RacingWrite {
  readonly request: ApiRequest;
  readonly fields: JsonObject;
}

/** A race that was run: what was sent at once, and what came of it. */
export interface Race {
  readonly writes: readonly RacingWrite[];
  /** In the order of the writes. */
  readonly answers: readonly Answer[];
  /** The entity before and after. */
  readonly before: Members;
  readonly after: Reading;
}

/** What may be said of races over one kind of entity. */
export interface RaceRules {
  /** The operation whose body and answer describe the fields. */
  readonly row: Endpoint;
  /** The requirement of fields that one write alone sends, and of the rest. */
  readonly fields: RequirementId;
  /** True where what nobody sends has to stay. */
  readonly keepsRest: boolean;
  /** The requirement of what a refused write must not leave; absent where none is stated. */
  readonly trace?: RequirementId;
  /** The requirement that an answer breaks which shows another value of a field that nobody else sent. */
  readonly shows?: RequirementId;
  /** The pointer of the entity in the answer that shows it afterwards. */
  readonly at: string;
  /** Stands in every text that the race sends, and in nothing else. */
  readonly mark: string;
}

const agrees = (value: Json, got: unknown, field: string, { row }: RaceRules): boolean =>
  compareEcho(value, got, row.body?.properties?.[field], '').every(({ kind }) => kind === 'soft' || kind === 'type');

/** A race as it went, a line each: what was sent together, what came back, what was read afterwards. */
export function timelineOf({ writes, answers, after }: Race, field?: string): readonly string[] {
  const shown = after.entity ?? {};
  const fields = field === undefined ? [...new Set(writes.flatMap(one => Object.keys(one.fields)))] : [field];
  return [
    ...writes.map(({ request, fields: sent }, index) => {
      const answer = answers[index];
      const came =
        answer === undefined ? 'not sent' : answer.success ? `status ${answer.status}` : refusalInWords(answer);
      const said = Object.entries(sent).map(([name, value]) => `${name} ${inWords(value)}`);
      return `together: ${request.endpoint} ${request.param ?? ''} ${said.join(', ')}: ${came}`;
    }),
    `afterwards: ${fields.map(name => `${name} ${inWords(shown[name])}`).join(', ')}`,
  ];
}

/** Why a race shows nothing of two writes, and how many were accepted. */
export interface Hindrance extends Untried {
  readonly accepted: number;
}

/** Why a race shows nothing; undefined where two of its writes at least were carried out. */
export function hindrance(answers: readonly Answer[]): Hindrance | undefined {
  const broken = answers.find(answer => isSilence(answer) || answer.status >= 500);
  if (broken !== undefined) return { because: 'a request brought no answer', answer: broken, accepted: 0 };
  const refused = answers.find(({ success }) => !success);
  const accepted = answers.filter(({ success }) => success).length;
  if (accepted >= 2 || refused === undefined) return undefined;
  const how = accepted === 0 ? 'all' : 'all but one';
  return {
    because: `of ${answers.length} requests at once ${how} were refused (${refusalInWords(refused)})`,
    accepted,
  };
}

/**
 * What a race shows to be wrong (section 4.6): a field that one accepted write sent is not there, one that several sent
 * has the value of none, what a refused one sent is there, what nobody sent has changed, an answer shows what nobody
 * sent. What bears the mark of the race, or is as it was before it, nobody else has done.
 */
export function raceSuspicions(race: Race, rules: RaceRules): readonly Suspicion[] {
  const { writes, answers, before } = race;
  const after = race.after.entity ?? {};
  const isAccepted = (index: number): boolean => answers[index]?.success === true;
  const accepted = writes.filter((_, index) => isAccepted(index));
  // One that was sent again may have been carried out before it was refused.
  const refused = writes.filter((_, index) => !isAccepted(index) && (answers[index]?.reply.attempts ?? 1) === 1);
  const changed = new Set(differencesOf(rules.row, before, after, []).map(({ field }) => field));
  const isOurs = (got: unknown): boolean => JSON.stringify(got ?? null).includes(rules.mark);
  const told = (one: Violation, field?: string): Violation => ({ ...one, timeline: timelineOf(race, field) });
  const sent = (field: string, by: readonly RacingWrite[]): Json[] =>
    by.flatMap(({ fields }) => (Object.hasOwn(fields, field) ? [fields[field] as Json] : []));

  function ofField(field: string): Suspicion[] {
    const got = after[field];
    if (got === undefined && before[field] === undefined) return [];
    const values = sent(field, accepted);
    if (values.some(value => agrees(value, got, field, rules))) return [];
    const left = sent(field, refused).some(value => agrees(value, got, field, rules)) && changed.has(field);
    const pointer = `${rules.at}/${field}`;
    const make = (requirement: RequirementId, expected: string | Said): Suspicion => ({
      key: field,
      violation: told(violation(race.after.answer, requirement, pointer, expected, said(got)), field),
      certain: isOurs(got) || (values.length > 0 && !changed.has(field)),
    });
    if (left && rules.trace !== undefined)
      return [make(rules.trace, `no value of ${field} that was sent with a refused write`)];
    const [only, second] = values;
    if (only === undefined) return [];
    return second === undefined
      ? [make(rules.fields, saidLost(only, ', which one accepted write sent and no other'))]
      : [make('state.concurrent-values', `one of the values that were sent: ${values.map(inWords).join(' or ')}`)];
  }

  function ofAnswer(answer: Answer, index: number): Suspicion[] {
    if (!answer.success) return [];
    const shown = dataObject(answer);
    return Object.entries(writes[index]?.fields ?? {}).flatMap(([field, own]) => {
      const others = sent(
        field,
        writes.filter((_, at) => at !== index),
      );
      const requirement = others.length === 0 ? rules.shows : 'state.concurrent-values';
      const got = shown[field];
      // What nobody else sends and stands in the body is compared with every answer.
      const isEcho = others.length === 0 && answer.request.body !== undefined;
      if (requirement === undefined || isEcho || got === undefined) return [];
      if ([own, ...others].some(value => agrees(value, got, field, rules))) return [];
      const expected = `a value of ${field} that was sent: ${[own, ...others].map(inWords).join(' or ')}`;
      const found = violation(answer, requirement, `/data/${field}`, expected, said(got));
      return [{ key: `${field} of an answer`, violation: told(found, field), certain: true }];
    });
  }

  function ofRest(): Suspicion[] {
    if (!rules.keepsRest) return [];
    const all = writes.flatMap(({ fields }) => Object.keys(fields));
    const differences = differencesOf(rules.row, before, after, [...volatile, ...all]);
    const expected = (): string => 'as it was, for none of the writes sent it';
    return differenceViolations(differences, race.after.answer, rules.fields, expected).map((one, index) => ({
      key: differences[index]?.field ?? '',
      violation: told(one, differences[index]?.field),
    }));
  }

  const fields = new Set(writes.flatMap(one => Object.keys(one.fields)));
  return [...[...fields].flatMap(ofField), ...answers.flatMap(ofAnswer), ...ofRest()];
}

/** The requirements that a race could have shown to be broken: there were values to be lost, or to be mixed. */
export function raceCovers({ writes, answers, after, before }: Race, rules: RaceRules): readonly RequirementId[] {
  const accepted = writes.filter((_, index) => answers[index]?.success === true);
  const shown = after.entity ?? {};
  const byField = new Map<string, number>();
  for (const field of accepted.flatMap(({ fields }) => Object.keys(fields)))
    if (shown[field] !== undefined) byField.set(field, (byField.get(field) ?? 0) + 1);
  const changed = new Set(differencesOf(rules.row, before, shown, []).map(({ field }) => field));
  const counts = [...byField];
  const alone = counts.filter(([field, times]) => times === 1 && changed.has(field));
  return [
    ...(alone.length > 0 && accepted.length > 1 ? [rules.fields] : []),
    ...(counts.some(([, times]) => times > 1) ? (['state.concurrent-values'] as const) : []),
  ];
}
