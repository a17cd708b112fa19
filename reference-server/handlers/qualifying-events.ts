import type { BodyOf } from '../../contracts/endpoints.ts';
import type { Naming } from '../../contracts/target.ts';
import { type Names, unknownMembers, unknownNames } from '../api/names.ts';
import { ofEach } from '../api/references.ts';
import type { Handler } from '../api/request.ts';
import { type FieldError, refuseAny } from '../api/response.ts';
import { listed } from '../api/success.ts';
import { onEntity } from './on-entity.ts';

/**
 * Comments, and texts and quoted names with their content: what they hold is no SQL of its own. A comment that does not
 * end goes to the end of the text: were each of its beginnings to look for an end in vain, a long text of them would
 * take hours.
 */
const opaque = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*'|"[^"]*"|`[^`]*`/g;

const withoutOpaque = (sql: string): string =>
  sql.replace(opaque, part => (part.startsWith('/*') && !/^\/\*[\s\S]*\*\/$/.test(part) ? ' /* ' : ' '));

const balanced = (sql: string): boolean => {
  let open = 0;
  for (const character of sql) {
    if (character === '(') open++;
    else if (character === ')' && --open < 0) return false;
  }
  return open === 0;
};

/**
 * What is wrong with the query of a metric source, if anything: it has to be one SELECT (or WITH … SELECT), closed in
 * itself, and its placeholders are the two that the service knows (section 2.6), under the names of `naming`. This is
 * no SQL parser.
 */
const sqlProblem = (sql: string, naming: Naming): string | undefined => {
  const bare = withoutOpaque(sql).trim();
  if (!/^\(*\s*(select|with)\b/i.test(bare)) return 'must be a SELECT statement';
  if (/['"`]|\/\*/.test(bare)) return 'has a text or a comment that does not end';
  if (/;\s*\S/.test(bare)) return 'must be a single statement';
  if (!balanced(bare)) return 'has parentheses that do not match';
  const known = [naming.startDatePlaceholder, naming.endDatePlaceholder];
  const unknown = sql.match(/\{\w+\}/g)?.find(placeholder => !known.includes(placeholder));
  return unknown === undefined ? undefined : `has the unknown placeholder ${unknown}`;
};

const columnsError: FieldError = {
  property: 'column_types',
  errorMessage: 'must have one entry for each of all_columns',
};

/**
 * What is wrong with the queried columns: without SQL validation their names and types differ in number, else the SQL
 * is wrong.
 */
const queryErrors = (sent: BodyOf<'update-qualifying-event'>, naming: Naming): FieldError[] => {
  if (sent.skip_validation === true)
    return sent.all_columns?.length === sent.column_types?.length ? [] : [columnsError];
  const errorMessage = sqlProblem(sent.sql, naming);
  return errorMessage === undefined ? [] : [{ property: 'sql', errorMessage }];
};

/** What an update refers to and does not exist. */
const references = async (names: Names, sent: BodyOf<'update-qualifying-event'>): Promise<FieldError[]> => [
  ...(await unknownMembers(names, sent, { team: 'team', teamID: 'team' })),
  ...(await ofEach(sent.idTypeMapping, ({ serviceUnitID }, index) =>
    unknownNames(names, `idTypeMapping.${index}.serviceUnitID`, 'idType', serviceUnitID),
  )),
];

/** The operations on qualifying events, that is metric sources. */
export const qualifyingEventHandlers = {
  /** Section 4.11. */
  'list-qualifying-events': async (request, store) => listed(request, await store.list('qualifyingEvents')),

  /**
   * Section 4.3: optional fields that are not sent keep their values, the name always does. `dryRun` shows what would
   * be and keeps nothing; `skip_validation` leaves the SQL unread and keeps the columns that are sent for it.
   */
  'update-qualifying-event': onEntity<'update-qualifying-event', 'qualifyingEvents'>(
    'qualifyingEvents',
    async (source, { sent, names, naming }) => {
      refuseAny([...(await references(names, sent)), ...queryErrors(sent, naming)]);
      const { name: _, dryRun, skip_validation, all_columns, column_types, ...fields } = sent;
      const columns = skip_validation === true && all_columns && column_types ? { all_columns, column_types } : {};
      const shown = { ...source, ...fields, ...columns };
      return { kept: dryRun === true ? source : shown, shown };
    },
  ),
} satisfies Record<string, Handler>;
