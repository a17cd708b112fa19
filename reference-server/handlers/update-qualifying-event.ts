import type { BodyOf } from '../../contracts/endpoints.ts';
import { notFound, type Problem, refuseAny } from '../api/answer.ts';
import { checkName } from '../api/references.ts';
import { bodyOf, type Handler, type Settings } from '../api/request.ts';
import { sentOf } from '../api/sent.ts';
import { success } from '../api/success.ts';
import { sqlProblem } from '../qualifying-event/sql.ts';

type Body = BodyOf<'update-qualifying-event'>;

const annotation = (sent: Body, naming: Settings['naming']): Problem[] => {
  const problems: Problem[] = [];
  checkName(problems, 'team', 'team', sent.team);
  checkName(problems, 'teamID', 'team', sent.teamID);
  for (const [index, mapping] of sent.idTypeMapping.entries())
    checkName(problems, `idTypeMapping.${index}.serviceUnitID`, 'idType', mapping.serviceUnitID);
  if (sent.skip_validation === true) {
    if (sent.all_columns?.length !== sent.column_types?.length)
      problems.push({ property: 'column_types', errorMessage: 'must have one entry for each of all_columns' });
  } else {
    const errorMessage = sqlProblem(sent.sql, naming);
    if (errorMessage !== undefined) problems.push({ property: 'sql', errorMessage });
  }
  return problems;
};

/**
 * Update Qualifying Event (section 4.3). Optional fields that are not sent keep their values, the name always does. `dryRun` answers
 * what would be and keeps nothing; `skip_validation` leaves the SQL unread and keeps the columns that are sent for it.
 */
export const updateQualifyingEvent: Handler = (request, store, { naming }) =>
  store.transaction(async transaction => {
    const source = await transaction.get('qualifyingEvents', request.param);
    if (source === undefined) throw notFound('Qualifying event');
    const sent = sentOf('update-qualifying-event', bodyOf<Body>(request));
    refuseAny(annotation(sent, naming));
    const { name: _, dryRun, skip_validation, all_columns, column_types, ...fields } = sent;
    const columns = skip_validation === true && all_columns && column_types ? { all_columns, column_types } : {};
    const changed = { ...source, ...fields, ...columns };
    if (dryRun !== true) await transaction.put('qualifyingEvents', request.param, changed);
    return success('update-qualifying-event', changed);
  });
