import type { Schema } from '../dialect.ts';
import { list, object, requiring } from '../object.ts';
import * as annotations from './annotations.ts';
import {
  flag,
  flagOf,
  listOf,
  nameOf,
  owner,
  sentence,
  tags,
  team,
  teamID,
  textOf,
  unorderedOf,
  untyped,
} from './shared.ts';

/** Qualifying events, that is metric sources (sections 2.6, 4.3 and 4.11). */

/** Maps a column of the source to its kind of unit id. */
export const idTypeMapping = object({
  serviceUnitID: nameOf('idType'),
  column: nameOf('column'),
});

export const customFieldMapping = object({
  key: textOf(annotations.slug),
  formula: nameOf('column'),
});

// biome-ignore format: a table
const fields = {
  sql:                 textOf({ formatHint: 'sql' }),
  timestampColumn:     nameOf('column'),
  idTypeMapping:       list(idTypeMapping),
  description:         sentence,
  tags,
  timestampAsDay:      flag,
  sourceType:          { enum: ['table', 'query'], annotation: { examples: ['query'], valueNeeds: { table: ['tableName'] } } },
  tableName:           textOf({ ...annotations.uncertain, formatHint: 'slug', beside: ['sourceType=table'] }),
  datePartitionColumn: textOf({ ...annotations.uncertain, formatHint: 'column', beside: ['sourceType=table', 'tableName'] }),
  customFieldMapping:  unorderedOf(customFieldMapping),
  isReadOnly:          flagOf(annotations.guarded),
  isVerified:          flagOf(annotations.guarded),
  disableCURE:         flag,
  owner,
  team,
  teamID,
} as const;

/** The body of Update Qualifying Event. An update cannot change the name. */
// biome-ignore format: a table
export const qualifyingEventRequest = {
  type: 'object',
  properties: {
    ...fields,
    name:            { annotation: { semantics: 'guarded', compare: 'never' } },
    dryRun:          flagOf({ semantics: 'guarded', compare: 'never' }),
    skip_validation: flagOf({ semantics: 'capability', capability: 'skip-validation', beside: ['all_columns', 'column_types'], compare: 'never' }),
    all_columns:     listOf(nameOf('column'), { semantics: 'capability', capability: 'skip-validation', beside: ['skip_validation=true', 'column_types'], covers: ['idTypeMapping.column', 'timestampColumn'], compare: 'never' }),
    column_types:    listOf(textOf({ examples: ['string'] }), { semantics: 'capability', capability: 'skip-validation', beside: ['skip_validation=true', 'all_columns'], compare: 'never' }),
  },
  required: ['sql', 'timestampColumn', 'idTypeMapping'],
  allOf: [
    {
      if: { properties: { skip_validation: { const: true } }, required: ['skip_validation'] },
      then: { required: ['all_columns', 'column_types'] },
    },
  ],
} as const satisfies Schema;

/** A qualifying event in an answer. */
export const qualifyingEvent = requiring('A qualifying event, that is a metric source.', { ...fields, name: untyped }, [
  'name',
]);
