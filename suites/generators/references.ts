import type { ReferenceKind, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { at, join, same } from '../../contracts/pointer.ts';
import { compact } from '../../contracts/present.ts';
import { noRemedy } from '../../contracts/report/remedies.ts';
import type { LearnableKind } from '../../contracts/target.ts';
import type { LearnedReference, TargetCapabilities } from '../protocol/sut.ts';
import { exampleValues, memberSchemas, nodeOf } from './node.ts';

/** A kind of reference: what it names, where the target file names it, and which answers teach it. */
interface ReferenceRow {
  readonly what: string;
  /** The line of the target file that names them, with an example; null if no list of it holds any. */
  readonly line: string | null;
  /** The kind under which answers teach it; null if none does. */
  readonly learned: LearnableKind | null;
  /** The member of a word that is the reference, if words of that kind are objects. */
  readonly part?: string;
  /** Where fixtures name some, and why they are not words; absent: they name none. */
  readonly ofFixtures?: string;
}

/** The kinds of references: what the target file says of each, and what answers can teach. */
// biome-ignore format: a table
export const references: Record<ReferenceKind, ReferenceRow> = {
  idType:               { what: 'unit type',                   line: 'vocabulary.idTypes: ["userID"]',                                       learned: 'idTypes' },
  gate:                 { what: 'gate',                        line: 'fixtures.gates: ["a_gate"]',                                           learned: null },
  metric:               { what: 'metric',                      line: 'vocabulary.metrics: [{ "name": "a_metric", "type": "event_count" }]',  learned: 'metrics' },
  event:                { what: 'logged event',                line: 'fixtures.events: ["an_event"]',                                        learned: null },
  group:                { what: 'id of a group',               line: null,                                                                   learned: 'groups' },
  groupKey:             { what: 'key of a group',              line: null,                                                                   learned: 'groupKeys' },
  groupName:            { what: 'name of a group',             line: null,                                                                   learned: null, ofFixtures: 'those of fixtures.experiments are sent as they stand there, and no others' },
  reviewGroup:          { what: 'review group',                line: 'vocabulary.reviewGroups: ["a_review_group"]',                          learned: null },
  user:                 { what: 'user',                        line: 'vocabulary.users: [{ "id": "a_user", "email": "user@example.com" }]',  learned: 'users', part: 'id' },
  email:                { what: 'user with an email',          line: 'vocabulary.users: [{ "id": "a_user", "email": "user@example.com" }]',  learned: 'users', part: 'email' },
  team:                 { what: 'team',                        line: 'vocabulary.teams: [{ "id": "a_team", "name": "A team" }]',              learned: 'teams', part: 'name' },
  teamID:               { what: 'team with an id',              line: 'vocabulary.teams: [{ "id": "a_team", "name": "A team" }]',              learned: 'teams', part: 'id' },
  app:                  { what: 'target app',                  line: 'vocabulary.apps: ["an_app"]',                                          learned: 'apps' },
  pipeline:             { what: 'release pipeline',            line: 'vocabulary.pipelines: ["a_pipeline"]',                                 learned: 'pipelines' },
  environment:          { what: 'environment',                 line: 'vocabulary.environments: ["development"]',                             learned: 'environments', ofFixtures: 'none of fixtures.environments is told to be no production ("isProduction": false)' },
  model:                { what: 'model',                       line: 'vocabulary.models: ["a_model"]',                                       learned: null },
  provider:             { what: 'provider',                    line: 'vocabulary.providers: ["a_provider"]',                                 learned: null },
  metricSource:         { what: 'metric source',               line: 'vocabulary.metricSources: ["a_metric_source"]',                        learned: 'metricSources' },
  assignmentSource:     { what: 'assignment source',           line: null,                                                                   learned: 'assignmentSources', part: 'name' },
  assignmentExperiment: { what: 'experiment of an assignment source', line: null,                                                            learned: 'assignmentSources', part: 'experiment' },
  identitySource:       { what: 'identity resolution source',  line: null,                                                                   learned: 'identitySources' },
  column:               { what: 'column of the metric sources', line: 'vocabulary.columns: ["a_column"]',                                    learned: 'columns' },
  layer:                { what: 'layer',                       line: null,                                                                   learned: null },
};

/** Returns a word of the target as a reference of a kind: the word, or a part of it. A plain text is a name. */
export function referenceIn(kind: ReferenceKind, word: Json): Json | undefined {
  const { part } = references[kind];
  if (part === undefined) return word;
  return isObject(word) ? word[part] : part === 'name' ? word : undefined;
}

/** Returns why no name of a kind can be sent. */
export function unnamedBecause(kind: ReferenceKind | undefined): string {
  const ofFixtures = kind === undefined ? undefined : references[kind].ofFixtures;
  const why = ofFixtures ?? 'neither the target file nor an answer names one';
  return `it must name something that exists (${kind ?? 'unknown'}), and ${why}`;
}

/**
 * Returns what to add to the target file so that a reference of this kind can be sent, or says that nothing can.
 * `known`: how many names of that kind the run has; `wanted`: how many it needs.
 */
export function remedyFor(kind: ReferenceKind | undefined, known = 0, wanted = 1): string {
  if (kind === undefined) return `${noRemedy} can say what it refers to`;
  const { what, line, learned, ofFixtures } = references[kind];
  if (line !== null && known > 0) {
    const more = wanted === 2 ? `a second ${what}` : `${wanted - known} more`;
    return `${line.split(':')[0]}: ${more} (${wanted} wanted, ${known} known)`;
  }
  if (line !== null) return line;
  if (ofFixtures !== undefined) return `${noRemedy} can add the ${what}: ${ofFixtures}`;
  return `${noRemedy} can name the ${what}${learned === null ? '' : '; an experiment whose own answers show one can'}`;
}

/**
 * Returns the values of a reference node: the target's words of its kind, in the shape of the node. A text is a word,
 * or its `name` if it is an object; an array is a list of words. A node made of references (the settings of metrics in
 * groups) has one value, made of the words of all of them.
 */
export const referencesFor = (schema: Schema, capabilities: TargetCapabilities): readonly Json[] =>
  schema.annotation?.refersTo === undefined ? [] : referencesTo(capabilities)(schema);

/** Memoised, because the words of a target do not change, and every node of every body asks for them. */
const referencesTo = memoized((capabilities: TargetCapabilities) =>
  memoized((schema: Schema) => madeOf(schema, capabilities)),
);

function madeOf(schema: Schema, capabilities: TargetCapabilities): readonly Json[] {
  const kind = schema.annotation?.refersTo;
  const words = kind === undefined ? [] : capabilities.references(kind);
  const values = shaped(schema, words);
  const isComposed = ['array', 'object'].includes(nodeOf(schema).kind);
  if (values.length > 0 || words.length === 0 || !isComposed) return values;
  return compact([composed(schema, capabilities)]);
}

/**
 * Returns a value of a node whose parts are references; undefined if one of them has no words. Objects of one list have
 * different ordinary values by their `turn`, so that none can be shown in the place of another.
 */
function composed(schema: Schema, capabilities: TargetCapabilities, turn = 0): Json | undefined {
  if (schema.items !== undefined) {
    const items = composedItems(schema.items, capabilities, turn);
    return items.length === 0 ? undefined : [...items];
  }
  if (nodeOf(schema).kind === 'object') return composedItems(schema, capabilities, turn)[0];
  if (schema.annotation?.refersTo !== undefined) return referencesFor(schema, capabilities)[0];
  const values = [...exampleValues(schema), ...((schema.annotation?.furtherExamples ?? []) as readonly Json[])];
  return values[turn % Math.max(1, values.length)];
}

/** References that tell the objects of a list apart, with the maximum number of objects to make. */
const tellingApart: Partial<Record<ReferenceKind, number>> = { groupKey: Number.POSITIVE_INFINITY, metric: 2 };

/** Returns one object for each word of the reference that tells them apart, of the values from a turn on. */
function composedItems(schema: Schema, capabilities: TargetCapabilities, first: number): readonly Json[] {
  if (nodeOf(schema).kind !== 'object') return compact([composed(schema, capabilities, first)]);
  const objectAt = (turn: number): JsonObject | undefined => {
    const members = memberSchemas(schema).map(
      ([name, member]) => [name, composed(member, capabilities, turn)] as const,
    );
    return members.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(members) as JsonObject);
  };
  const whole = objectAt(first);
  if (whole === undefined) return [];
  for (const [name, member] of memberSchemas(schema)) {
    const most = tellingApart[member.annotation?.refersTo ?? 'idType'];
    const words = referencesFor(member, capabilities).slice(0, most);
    if (most !== undefined) return words.map((word, index) => ({ ...objectAt(first + index), [name]: word }));
  }
  return [whole];
}

/** Returns the learned names that a node may hold, each in the shapes in which it stands there. */
const learnedBy = memoized((capabilities: TargetCapabilities) =>
  memoized((schema: Schema) => {
    const kind = schema.annotation?.refersTo;
    const learned = kind === undefined ? [] : (capabilities.learned?.(kind) ?? []);
    return learned.map(reference => ({ reference, values: shaped(schema, [reference.value]) }));
  }),
);

/** True if a body is a word, or has all members of it. */
const holds = (body: Json, word: Json): boolean =>
  isObject(word) && isObject(body)
    ? Object.entries(word).every(([name, member]) => same(body[name], member))
    : same(word, body);

/** Returns the first learned name that a body holds and its template does not, if there is one. */
export function learnedIn(
  schema: Schema,
  body: Json,
  template: Json | undefined,
  capabilities: TargetCapabilities,
): LearnedReference | undefined {
  if (capabilities.learned === undefined || (template !== undefined && same(body, template))) return undefined;
  const found = learnedBy(capabilities)(schema).find(({ values }) => values.some(word => holds(body, word)));
  if (found !== undefined) return found.reference;
  const { items, anyOf = [] } = schema;
  const parts = anyOf.map(branch => learnedIn(branch, body, template, capabilities));
  if (items !== undefined && Array.isArray(body))
    parts.push(...body.map((item, index) => learnedIn(items, item, at(template, `/${index}`), capabilities)));
  if (isObject(body))
    for (const [name, member] of memberSchemas(schema))
      if (body[name] !== undefined)
        parts.push(learnedIn(member, body[name], at(template, join('', name)), capabilities));
  return parts.find(part => part !== undefined);
}

function shaped(schema: Schema, words: readonly Json[]): readonly Json[] {
  const node = nodeOf(schema);
  switch (node.kind) {
    case 'string':
      return words
        .map(word => (isObject(word) ? (word.name ?? word.id) : word))
        .filter(text => typeof text === 'string');
    case 'object':
      return words.filter(isObject).map(word => memberwise(node.schema.properties, word));
    case 'array': {
      const items = node.schema.items === undefined ? words : shaped(node.schema.items, words);
      const singles = items.map(item => [item]);
      return items.length > 1 ? [...singles, [...items]] : singles;
    }
    case 'union':
      return node.schema.anyOf
        .filter(branch => branch.annotation?.semantics !== 'guarded')
        .flatMap(branch => shaped(branch, words));
    case 'any':
      return words;
    case 'number':
      return words.filter(word => typeof word === 'number');
    default:
      return [];
  }
}

/** Returns the members of a word that the schema names; all if it names none. */
function memberwise(properties: Readonly<Record<string, Schema>> | undefined, word: { [name: string]: Json }): Json {
  if (properties === undefined) return word;
  return Object.fromEntries(Object.entries(word).filter(([name]) => Object.hasOwn(properties, name)));
}

/** A reference in a body: what it names, and how. */
interface Named {
  readonly kind: ReferenceKind;
  readonly value: Json;
}

/** Returns the references of a body that its template does not have. */
export function namesIn(schema: Schema, body: Json, template?: Json): readonly Named[] {
  if (body === null || (template !== undefined && same(body, template))) return [];
  const { items, annotation } = schema;
  const own = annotation?.refersTo === undefined ? [] : [{ kind: annotation.refersTo, value: body }];
  const ofItems =
    items !== undefined && Array.isArray(body)
      ? body.flatMap((item, index) => namesIn(items, item, at(template, `/${index}`)))
      : [];
  const ofMembers = isObject(body)
    ? memberSchemas(schema).flatMap(([name, member]) =>
        body[name] === undefined ? [] : namesIn(member, body[name], at(template, join('', name))),
      )
    : [];
  return [...own, ...ofItems, ...ofMembers];
}

/** Returns the lines of the target file from which a body has names that its template does not have. */
export function linesIn(schema: Schema, body: Json, template: Json | undefined): readonly string[] {
  const lines = namesIn(schema, body, template).flatMap(({ kind }) => references[kind].line?.split(':')[0] ?? []);
  return [...new Set(lines)];
}
