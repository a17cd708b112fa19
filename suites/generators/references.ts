import type { ReferenceKind, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { nodeOf } from './node.ts';

/** The line of the target file that declares the words of each kind of reference. */
// biome-ignore format: a table
const remedies: Record<ReferenceKind, string> = {
  idType: 'name unit types under vocabulary.idTypes',
  gate: 'name gates under fixtures.gates',
  metric: 'name metrics under vocabulary.metrics',
  event: 'name logged events under fixtures.events',
  group: 'the target file has no place for the keys of groups',
  reviewGroup: 'name review groups under vocabulary.reviewGroups',
  user: 'name users under vocabulary.users',
  email: 'name users with their email under vocabulary.users',
  team: 'name teams under vocabulary.teams',
  app: 'name target apps under vocabulary.apps',
  pipeline: 'name release pipelines under vocabulary.pipelines',
  environment: 'name environments under vocabulary.environments',
  model: 'name models under vocabulary.models',
  provider: 'name providers under vocabulary.providers',
  metricSource: 'name metric sources under vocabulary.metricSources',
  assignmentSource: 'the target file has no place for assignment sources',
  identitySource: 'the target file has no place for identity resolution sources',
  column: 'name columns of the metric sources under vocabulary.columns',
  layer: 'the target file has no place for layers',
};

/** What to add to the target file so that a reference of this kind can be sent. */
export function remedyFor(kind: ReferenceKind | undefined): string {
  return kind === undefined ? 'nothing in the target file says what it refers to' : remedies[kind];
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
