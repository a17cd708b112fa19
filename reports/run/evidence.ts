import { exactPointer, jsonAt } from '../../contracts/json-tree.ts';
import { compact, present } from '../../contracts/present.ts';
import type { Exchange } from '../../contracts/report/evidence.ts';
import type { Item, Message, Step } from '../document/document.ts';
import type { NamedFinding } from '../journal/selections.ts';
import { differenceText, valueText } from '../text/difference.ts';
import { caseText, gotText, type HeaderFields, type ReportedFinding, symptomOf } from '../text/finding-text.ts';
import { pathOf } from '../text/fitted.ts';

/** Headers that say nothing about a case. */
const uninformative = new Set(
  'host content-length connection keep-alive user-agent accept date transfer-encoding'.split(' '),
);

/** The headers that may matter for a case, eight at most, as `name: value`. */
const headersOf = (headers: HeaderFields): string[] =>
  headers
    .filter(({ name }) => !uninformative.has(name.toLowerCase()))
    .slice(0, 8)
    .map(({ name, value }) => `${name}: ${value.slice(0, 200)}`);

/** Where request and answer are accused, and what is known of the value. */
interface Accused {
  readonly sent: string | undefined;
  readonly shown: string | undefined;
  readonly value?: string | undefined;
  readonly isTold?: boolean;
}

/** The two messages of an exchange. If no answer came, the answer says why. */
function messagesOf({ request, response, failure = 'unknown', durationMs }: Exchange, accused: Accused) {
  const took = `after ${Math.round(durationMs)} ms`;
  const none = `no answer ${took}: ${failure}`;
  const { method, url, headers, body } = request;
  const sent: Message = {
    label: 'Request',
    letter: '',
    line: `${method} ${url}`,
    brief: `${method} ${pathOf(url)}`,
    headers: headersOf(headers),
    ...present({ body, place: accused.sent }),
  };
  const answer: Message = {
    label: 'Answer',
    letter: '',
    line: response === undefined ? none : `${response.status} ${took}`,
    brief: response === undefined ? `no answer: ${failure}` : String(response.status),
    headers: headersOf(response?.headers ?? []),
    isTold: accused.isTold ?? false,
    ...present({ body: response?.body, place: accused.shown, accused: accused.value }),
  };
  return { requests: [sent], answers: [answer] };
}

/** The accused place in the answer, if there is one: of a value that was accepted, what became of it. */
function placeInAnswer({ pointer, counterexample, exchange, fault }: ReportedFinding): string | undefined {
  const { status = 0 } = exchange?.response ?? {};
  if (pointer === 'status')
    return status < 300 && counterexample?.pointer ? `/data${counterexample.pointer}` : undefined;
  return pointer.startsWith('/')
    ? exactPointer(exchange?.response?.body.text ?? '', pointer, JSON.stringify(fault?.got))
    : undefined;
}

/** The requests of a sequence, one after another, the last accused; or the accused request alone. */
function stepsOf(finding: ReportedFinding): Step[] {
  const { steps, exchange, pointer, counterexample, accused } = finding;
  const field = pointer.replace(/^\/data(?=\/)/, '');
  if (steps !== undefined)
    return steps.map(({ number, exchange: own, shown }, index) => {
      const isLast = index === steps.length - 1;
      const isSent = jsonAt(own.request.body?.text ?? '', field) !== undefined;
      return {
        number,
        ...messagesOf(own, {
          sent: isSent ? field : undefined,
          shown: shown === undefined ? undefined : pointer,
          value: isLast ? accused : undefined,
        }),
        ...present({ shown }),
        isOpen: isLast,
      };
    });
  if (exchange === undefined) return [];
  const shown = placeInAnswer(finding);
  return [
    {
      ...messagesOf(exchange, {
        sent: counterexample?.pointer || undefined,
        shown,
        value: accused,
        isTold: pointer === 'status' && shown === undefined,
      }),
      isOpen: true,
    },
  ];
}

/** The value that was sent, if neither the title of the case nor the difference from its control shows it whole. */
function sentValue({ counterexample, exchange }: ReportedFinding, difference: string | undefined): string | undefined {
  if (counterexample?.sent === undefined || (counterexample.pointer === '' && exchange)) return undefined;
  const value = valueText(counterexample.sent);
  return counterexample.title.includes(value) || difference?.includes(value) ? undefined : value;
}

/** Returns a finding as an item of the cause of that title. */
export function itemOf({ name, endpoint, check, finding }: NamedFinding, anchor: string, title: string): Item {
  const { expected, actual, counterexample, doubt, curl, reproduce, timeline } = finding;
  const symptom = symptomOf(finding);
  const difference = counterexample && differenceText(counterexample);
  // biome-ignore format: a table
  const more: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Warning', doubt],
    ['Case',    caseText(finding)],
    ['Differs', difference],
    ['Sent',    sentValue(finding, difference)],
  ];
  return {
    anchor,
    where: name,
    // Nothing where the cause says it.
    note: symptom === title ? '' : symptom,
    endpoint: endpoint.id,
    about: `${endpoint.title}: ${check.title}`,
    pairs: [
      { name: 'Expected', value: expected, kind: 'expected' },
      { name: 'Got', value: gotText(finding), own: actual, kind: 'got' },
    ],
    more: more.flatMap(([one, value]) => (value === undefined || value === '' ? [] : [{ name: one, value }])),
    ...(counterexample?.control === undefined ? {} : { difference: counterexample }),
    steps: stepsOf(finding),
    ...present({ race: timeline?.map(line => line.replace(/^together: /, '')) }),
    commands: compact([
      curl !== undefined && { name: 'Send again', text: curl },
      reproduce !== undefined && { name: 'Replay', text: reproduce },
    ]),
  };
}
