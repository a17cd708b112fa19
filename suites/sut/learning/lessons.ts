import type { ReferenceKind, Schema } from '../../../contracts/dialect.ts';
import type { Resource } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type Members, membersOf } from '../../../contracts/json.ts';
import type { LearnableKind } from '../../../contracts/target.ts';
import { childrenOf } from '../../../contracts/walk.ts';
import { references } from '../../generators/index.ts';
import type { Target } from '../../protocol/sut.ts';

/** True if a value may be used as a name. */
export type IsName = (value: unknown) => value is string;

const longestName = 200;

/**
 * Returns a test whether a text of the target may appear in a file, a request and a URL: short, visible, without the
 * key.
 *
 * @param redact returns the text with every secret replaced; a text that it changes is no name
 */
export function namesFor(apiKey: string, redact: (text: string) => string = text => text): IsName {
  const hidesKey = (text: string): boolean => (apiKey.length < 8 ? text === apiKey : text.includes(apiKey));
  return (value): value is string =>
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= longestName &&
    value.trim() === value &&
    !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(value) &&
    !hidesKey(value) &&
    redact(value) === value;
}

/** The words that one field of an answered entity teaches, in the form of the target file. */
interface Lesson {
  readonly kind: LearnableKind;
  /** The field, dotted; a list in the path stands for each of its items. */
  readonly field: string;
  readonly read: (entity: Members, isName: IsName) => readonly Json[];
}

/** Maximum number of items read of a list in an answer. */
const mostItems = 200;

/** Returns the values at a dotted path, through lists. Inherited members do not count. */
function valuesAt(value: unknown, steps: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, mostItems).flatMap(item => valuesAt(item, steps));
  const [step, ...rest] = steps;
  if (step === undefined) return value === undefined ? [] : [value];
  return isObject(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}

/** Returns the values of a dotted field in an entity. */
export const fieldValues = (entity: unknown, field: string): readonly unknown[] => valuesAt(entity, field.split('.'));

const names = (kind: LearnableKind, field: string): Lesson => ({
  kind,
  field,
  read: (entity, isName) => fieldValues(entity, field).filter(isName),
});

/** Returns the lesson about a person, from the members that hold the id and the email. */
function person(id: string, email: string): Lesson {
  return {
    kind: 'users',
    field: id,
    read(entity, isName) {
      const [userID] = fieldValues(entity, id);
      const [address] = fieldValues(entity, email);
      return isName(userID) ? [{ id: userID, ...(isName(address) && { email: address }) }] : [];
    },
  };
}

/** The owner (section 2.1), if it is a person. */
const owner: Lesson = {
  kind: 'users',
  field: 'owner.ownerID',
  read: (entity, isName) =>
    membersOf(entity.owner).ownerType === 'USER'
      ? person('owner.ownerID', 'owner.ownerEmail').read(entity, isName)
      : [],
};

/** Reviewers (sections 2.3 and 2.5): ids, or objects with an id and an email. */
const reviewers: Lesson = {
  kind: 'users',
  field: 'reviewSettings.allowedReviewers',
  read: (entity, isName) =>
    fieldValues(entity, 'reviewSettings.allowedReviewers').flatMap(one =>
      isName(one) ? [{ id: one }] : isObject(one) ? person('id', 'email').read(one, isName) : [],
    ),
};

/** Returns the lesson about metrics that an entity refers to by name and type. */
const metrics = (field: string): Lesson => ({
  kind: 'metrics',
  field,
  read: (entity, isName) =>
    fieldValues(entity, field).flatMap(one => {
      const { name, type } = membersOf(one);
      return isName(name) && isName(type) ? [{ name, type }] : [];
    }),
});

/** Names that the suite created in an earlier run. */
const ownName = /^conform_/;

/** A metric itself (section 2.7), if its id consists of its name and type. */
const metricItself: Lesson = {
  kind: 'metrics',
  field: 'id',
  read: ({ id, name, type }, isName) =>
    isName(name) && isName(type) && id === `${name}::${type}` && !ownName.test(name) ? [{ name, type }] : [],
};

/** The groups of an experiment: by id, or by name if they have none. */
const groups = (kind: 'groups' | 'groupKeys'): Lesson => ({
  kind,
  field: 'groups',
  read: (entity, isName) =>
    fieldValues(entity, 'groups').flatMap(group => {
      const { id, name } = membersOf(group);
      return isName(id) ? [id] : isName(name) ? [name] : [];
    }),
});

/** The source of an experiment's assignments (section 2.5), and the experiment's name there. */
const assignments: Lesson = {
  kind: 'assignmentSources',
  field: 'assignmentSourceName',
  read({ assignmentSourceName: name, assignmentSourceExperimentName: experiment }, isName) {
    const word = { ...(isName(name) && { name }), ...(isName(experiment) && { experiment }) };
    return Object.keys(word).length === 0 ? [] : [word];
  },
};

/** A team by its name, its id, or both (section 2.3). */
const team: Lesson = {
  kind: 'teams',
  field: 'team',
  read({ team: name, teamID: id }, isName) {
    if (!isName(id)) return isName(name) ? [name] : [];
    return [isName(name) ? { id, name } : { id }];
  },
};

const people = [person('creatorID', 'creatorEmail'), person('lastModifierID', 'lastModifierEmail'), owner, reviewers];

/** The lessons of each resource. */
export const lessons: Readonly<Partial<Record<Resource, readonly Lesson[]>>> = {
  'qualifying-event': [
    names('idTypes', 'idTypeMapping.serviceUnitID'),
    names('columns', 'timestampColumn'),
    names('columns', 'idTypeMapping.column'),
    names('columns', 'all_columns'),
    names('metricSources', 'name'),
    team,
  ],
  metric: [names('idTypes', 'unitTypes'), metricItself],
  'config-version': [
    names('idTypes', 'idType'),
    names('apps', 'targetApps'),
    names('environments', 'rules.environments'),
  ],
  gate: [
    names('idTypes', 'idType'),
    names('apps', 'targetApps'),
    metrics('monitoringMetrics'),
    names('pipelines', 'releasePipelineID'),
    ...people,
    team,
  ],
  experiment: [
    names('idTypes', 'idType'),
    names('idTypes', 'secondaryIDType'),
    names('apps', 'targetApps'),
    ...['primaryMetrics', 'secondaryMetrics', 'otherMetrics'].map(metrics),
    names('environments', 'enabledNonProdEnvironments'),
    names('identitySources', 'identityResolutionSource'),
    assignments,
    groups('groups'),
    groups('groupKeys'),
    ...people,
    team,
  ],
};

/** Kinds that are sent back only to the entity that holds them, because others would get mail. */
export const heldKinds: ReadonlySet<LearnableKind> = new Set(['teams', 'users', 'pipelines']);

/** Kinds that are never sent to a resource: learned names must not rename environments. */
export const notSentTo: Readonly<Partial<Record<Resource, readonly ReferenceKind[]>>> = {
  environment: ['environment'],
};

/** Returns the kinds of references in a schema, without features that the target does not declare. */
function referencesIn(schema: Schema, target: Target): readonly ReferenceKind[] {
  const { refersTo, capability, semantics } = schema.annotation ?? {};
  if (semantics === 'guarded' || (capability !== undefined && !target.has(capability))) return [];
  const below = childrenOf(schema).flatMap(([, node]) => referencesIn(node, target));
  return refersTo === undefined ? below : [refersTo, ...below];
}

/** Returns the kinds of names that an endpoint's requests need and answers can teach. */
export function kindsFor(target: Target, endpoint: EndpointId): ReadonlySet<LearnableKind> {
  const { body, resource } = endpointRow(endpoint);
  const without = notSentTo[resource] ?? [];
  const asked = body === null ? [] : referencesIn(body, target).filter(kind => !without.includes(kind));
  return new Set(asked.flatMap(kind => references[kind].learned ?? []));
}

/** True if the target file allows learning names of a kind. */
export const mayLearn = ({ learn = true }: Pick<Target, 'learn'>, kind: LearnableKind): boolean =>
  typeof learn === 'boolean' ? learn : learn[kind] !== false;
