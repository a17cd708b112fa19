import { list, object, requiring } from '../object.ts';
import { rule } from './rule.ts';
import { flag, flagOf, freeForm, integer, owner, tags, text, textOf, texts } from './shared.ts';

/** Dynamic configs (sections 2.4, 4.2, 4.5 and 4.10). */

/** A dynamic config, or one version of it, in an answer. */
// biome-ignore format: a table
export const dynamicConfig = requiring('A dynamic config, or one version of it.', {
    id:                text,
    name:              text,
    description:       text,
    idType:            text,
    isEnabled:         flag,
    rules:             list(rule),
    defaultValue:      freeForm,
    defaultValueJson5: text,
    schema:            text,
    schemaJson5:       text,
    tags,
    targetApps:        text,
    holdoutIDs:        texts,
    team:              text,
    teamID:            text,
    owner,
    creatorID:         text,
    creatorName:       text,
    creatorEmail:      text,
    lastModifierID:    text,
    lastModifierName:  text,
    lastModifierEmail: text,
    createdTime:       integer,
    lastModifiedTime:  integer,
    version:           integer,
    permalink:         text,
    releasePipelineID: text,
    isTemplate:        flag,
    checksPerHour:     integer,
  }, ['id', 'version']);

/** The body of Archive Dynamic Config. */
export const archiveBody = object({
  forceArchive: flagOf({ semantics: 'guarded', compare: 'never' }),
  archiveReason: textOf({ formatHint: 'sentence', compare: 'never' }),
});
