import type { EndpointId } from '../../../contracts/endpoints.ts';
import { fieldRequirements } from '../../../contracts/requirements/field-rows.ts';

/** Requirements that a run against a vacuous target may verify, and the case that could have failed there. */
export interface Justified {
  /** Ids, or `group.*` for a whole group. */
  readonly ids: readonly string[];
  readonly why: string;
}

/** What may be verified for a vacuous target, and which endpoints may conform. */
export interface JustifiedTarget {
  readonly verified: readonly Justified[];
  readonly conformant?: readonly { readonly endpoint: EndpointId; readonly why: string }[];
}

/** The groups of the fields of section 2. */
const ofFields = [...new Set(fieldRequirements.map(({ id }) => `${id.split('.')[0]}.*`))];

// biome-ignore format: a table
const reasons = {
  frame:    { ids: ['envelope.*'],   why: 'the frame of the answers is sound; it could have lacked a part, or had another shape' },
  accepted: { ids: ['accept.combination', 'accept.documented-null', 'accept.metric-count-types', 'accept.metric-types', 'accept.plain-value', 'accept.sql-placeholders', 'accept.stated-boundary'], why: 'what the specification allows was sent and taken in a sound frame; it could have been refused' },
  taken:    { ids: ['accept.metric-count-types', 'accept.metric-types'], why: 'a metric of each type was sent and taken in a sound frame; it could have been refused' },
  survived: { ids: ['robust.never-5xx', 'robust.no-hang', 'robust.no-drop', 'robust.alive-after', 'pagination.odd-values'], why: 'the endpoints take requests, were sent odd ones, and could have failed at them' },
  pages:    { ids: ['pagination.*'], why: 'the pagination of a list is there even where the list is empty: each number and link could have been wrong' },
  typed:    { ids: ofFields,         why: 'the value was there, and could have been of another type' },
  echoed:   { ids: ['echo.*', 'meaning.quality-scores-added', 'robust.same-number', 'state.environments-listed', 'state.prompt-fields'], why: 'what was sent came back in the same answer, and could have come back otherwise' },
  messages: { ids: ['message.*'],    why: 'the message was there, and could have had another text' },
  apart:    { ids: ['state.archive-reason'], why: 'the answer shows a config, and could have shown the reason for archiving as one of its fields' },
  named:    { ids: ['identity.*'],   why: 'the answer carries an id or a name, and could have carried another' },
} as const satisfies Record<string, Justified>;

const { frame, accepted, taken, survived, pages, typed, echoed, messages, named, apart } = reasons;

/** What may be verified for each vacuous target. */
// biome-ignore format: a table
export const justified: Readonly<Record<string, JustifiedTarget>> = {
  'empty-object':     { verified: [] },
  'null':             { verified: [] },
  'no-body':          { verified: [] },
  'request-returned': { verified: [] },
  'body-as-data':     { verified: [frame, accepted, echoed, typed] },
  'sound-and-empty':  { verified: [frame, taken, survived, pages] },
  'empty-with-key':   { verified: [frame, taken, survived, pages] },
  'first-answer':     { verified: [frame, messages, pages, typed] },
  'one-gate':         { verified: [frame, messages, accepted, typed, apart] },
  'same-entity':      { verified: [frame, messages, accepted, survived, pages, named, typed, apart] },
  'nothing-stored':   { verified: [frame, messages, accepted, survived, pages, named, echoed, typed, apart] },
  'nothing-stored-with-key': {
    verified: [frame, messages, accepted, survived, pages, named, echoed, typed, apart],
    conformant: [
      { endpoint: 'disable-config',         why: 'what disabling does to a dynamic config is open, and its whole answer is right' },
    ],
  },
  'nothing-found':    { verified: [] },
  'nothing-allowed':  { verified: [] },
  'nothing-accepted': { verified: [frame, messages, pages] },
};

/** Returns the first reason for a requirement; undefined if nothing justifies its verification. */
export const reasonFor = (id: string, { verified }: JustifiedTarget): Justified | undefined =>
  verified.find(({ ids }) => ids.some(one => one === id || (one.endsWith('.*') && id.startsWith(one.slice(0, -1)))));
