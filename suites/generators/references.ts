import type { ReferenceKind, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { nodeOf } from './node.ts';

/** The words of each kind of reference, and where they stand in the target file; null where no list of it holds any. */
// biome-ignore format: a table
export const references: Record<ReferenceKind, { readonly what: string; readonly list: string | null }> = {
  idType:           { what: 'unit types',                         list: 'vocabulary.idTypes' },
  gate:             { what: 'gates',                              list: 'fixtures.gates' },
  metric:           { what: 'metrics',                            list: 'vocabulary.metrics' },
  event:            { what: 'logged events',                      list: 'fixtures.events' },
  group:            { what: 'the keys of groups',                 list: null },
  reviewGroup:      { what: 'review groups',                      list: 'vocabulary.reviewGroups' },
  user:             { what: 'users',                              list: 'vocabulary.users' },
  email:            { what: 'users with their email',             list: 'vocabulary.users' },
  team:             { what: 'teams',                              list: 'vocabulary.teams' },
  app:              { what: 'target apps',                        list: 'vocabulary.apps' },
  pipeline:         { what: 'release pipelines',                  list: 'vocabulary.pipelines' },
  environment:      { what: 'environments',                       list: 'vocabulary.environments' },
  model:            { what: 'models',                             list: 'vocabulary.models' },
  provider:         { what: 'providers',                          list: 'vocabulary.providers' },
  metricSource:     { what: 'metric sources',                     list: 'vocabulary.metricSources' },
  assignmentSource: { what: 'assignment sources',                 list: null },
  identitySource:   { what: 'identity resolution sources',        list: null },
  column:           { what: 'columns of the metric sources',      list: 'vocabulary.columns' },
  layer:            { what: 'layers',                             list: null },
};

/** What to add to the target file so that a reference of this kind can be sent. */
export function remedyFor(kind: ReferenceKind | undefined): string {
  if (kind === undefined) return 'nothing in the target file says what it refers to';
  const { what, list } = references[kind];
  return list === null ? `the target file has no place for ${what}` : `name ${what} under ${list}`;
}

/**
 * The values of a reference node: the words that the target declares of its kind, in the shape of the node (a word
 * alone, its `name` where the word is an object, a list of words where the node is an array).
 */
export function referencesFor(schema: Schema, capabilities: TargetCapabilities): readonly Json[] {
  const kind = schema.annotation?.refersTo;
  return kind === undefined ? [] : shaped(schema, capabilities.references(kind));
}

function shaped(schema: Schema, words: readonly Json[]): readonly Json[] {
  const node = nodeOf(schema);
  switch (node.kind) {
    case 'string':
      return words.flatMap(word => {
        const text = isObject(word) ? (word.name ?? word.id) : word;
        return typeof text === 'string' ? [text] : [];
      });
    case 'object':
      return words.flatMap(word => (isObject(word) ? [memberwise(node.schema.properties, word)] : []));
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
    case 'integer':
      return words.filter(word => typeof word === 'number');
    default:
      return [];
  }
}

/** The members of a word that the schema names; all where it names none. */
function memberwise(properties: Readonly<Record<string, Schema>> | undefined, word: { [name: string]: Json }): Json {
  if (properties === undefined) return word;
  return Object.fromEntries(Object.entries(word).filter(([name]) => Object.hasOwn(properties, name)));
}
