import type { EndpointId } from '../../contracts/endpoints.ts';
import type { TargetFile } from '../../contracts/target.ts';
import type { Target } from './sut.ts';

/** The kinds of fixtures that a target file can mark as disposable. */
export type DisposableKind = keyof NonNullable<TargetFile['disposable']>;

/** Returns the names of a kind's fixtures that the target file marks as disposable. */
export const disposableNames = ({ disposable }: Pick<Target, 'disposable'>, kind: DisposableKind): readonly string[] =>
  disposable?.[kind] ?? [];

/** A kind of fixture, what a run does to a disposable one, and the guarded fields that only disposable ones are sent: they may lock or end an entity. */
interface Consent {
  readonly kind: DisposableKind;
  readonly what: string;
  readonly fields: readonly string[];
}

const consents: Readonly<Partial<Record<EndpointId, Consent>>> = {
  'update-environments': { kind: 'environments', what: 'renamed, and may stay so', fields: [] },
  'update-qualifying-event': {
    kind: 'qualifyingEvents',
    what: 'verified and made read-only, and may stay so',
    fields: ['isVerified', 'isReadOnly'],
  },
  'update-experiment': {
    kind: 'experiments',
    what: 'sent every status, a launched group and other groups, and may stay so',
    fields: ['status', 'launchedGroupID'],
  },
};

/** Returns the kind of an operation's disposable fixtures and what a run does to one; undefined if there are none. */
export const disposalOf = (endpoint: EndpointId): Pick<Consent, 'kind' | 'what'> | undefined => consents[endpoint];

/** Returns the kind whose disposable fixtures are sent a guarded field, by its path in the body; undefined if none is. */
export const consentFor = (endpoint: EndpointId, path: string): DisposableKind | undefined =>
  consents[endpoint]?.fields.includes(path) ? consents[endpoint].kind : undefined;

/** Returns the line that marks a fixture of a kind as disposable, as an example. */
export const disposableLine = (kind: DisposableKind): string => `disposable.${kind}: ["a_second_one"]`;
