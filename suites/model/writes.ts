import { openedBy, sideEffectsOf } from '../../contracts/fields.ts';
import { steps } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { isIdle } from './causes.ts';
import type { Fields } from './fields.ts';
import { type Claim, type Field, type Moment, type Outcome, replace, shownClaim, type Write } from './knowledge.ts';
import { entitySchema, kinds } from './resources.ts';

/** Returns the members of an entity that sent fields may change: those that follow from them, too. */
export const mayChange = (fields: Write['fields']): string[] =>
  Object.keys(fields ?? {}).flatMap(field => [field, ...sideEffectsOf(field)]);

const none: ReadonlySet<string> = new Set();

/** Returns the fields of a body that break their schema: only their outcome is open. */
export function brokenFields({ fields, isSound, row: { body, resource } }: Write): ReadonlySet<string> {
  if (body === null || fields === undefined || isSound) return none;
  // An item of a set is validated within a whole body, because a validator of that exists.
  const { set } = kinds[resource];
  const [sent, depth] = set === undefined ? [fields, 0] : [{ [set]: [fields] }, 2];
  return new Set(validatorFor(body)(sent).map(({ pointer }) => steps(pointer)[depth] ?? ''));
}

/** True if a write may create an entity under any id: its body breaks the rules of the fields that make up the id. */
export const hasUnknownId = (write: Write): boolean =>
  kinds[write.row.resource].created !== undefined && ['name', 'type'].some(field => brokenFields(write).has(field));

const claimOf = (write: Write, how: Claim['how'], value: unknown): Claim => ({
  ...shownClaim(value, { begun: write.begun.place, ended: Number.POSITIVE_INFINITY }),
  how,
  write,
});

/** Adds the claims that a write makes of each field of its entity, until its answer comes. */
export function beginWrite(fields: Fields, write: Write): void {
  const { row } = write;
  const kind = kinds[row.resource];
  const effect = kind.effects[row.action];
  const entity = fields.entityOf(row.resource, write.id);
  const schema = entitySchema(row.body, kind);
  const broken = brokenFields(write);
  // What one write has set off may go on after others.
  for (const name of openedBy(write.fields ?? {}, schema)) entity.opened.add(name);
  const told = new Set<string>();
  const claim = (name: string, how: Claim['how'], value?: unknown): void => {
    if (told.has(name)) return;
    told.add(name);
    fields.claim(entity, name, claimOf(write, how, value), write.begun);
  };
  for (const [name, value] of Object.entries(write.fields ?? {})) {
    const own = schema?.properties?.[name];
    if (kind.notStored?.includes(name)) continue;
    const isOpen =
      broken.has(name) ||
      entity.opened.has(name) ||
      own?.annotation?.compare === 'never' ||
      write.onlyJudged?.includes(name) === false;
    claim(name, isOpen ? 'open' : 'sent', kind.within?.[name]?.(value) ?? value);
  }
  for (const [name, value] of Object.entries(effect?.sets ?? {})) claim(name, 'sent', value);
  for (const name of mayChange(write.fields)) claim(name, 'open');
  if (opensAll(write)) for (const name of entity.fields.keys()) claim(name, 'open');
}

/** True if a write may change fields that it does not send. */
const opensAll = ({ row, fields }: Write): boolean =>
  fields === undefined || kinds[row.resource].effects[row.action]?.kept === undefined;

/** Adds the open claims of earlier writes to a field that is shown for the first time. */
export function openLate(field: Field, writes: readonly Write[]): void {
  for (const write of writes) {
    if (isIdle(write) || !opensAll(write)) continue;
    const claim = { ...claimOf(write, 'open', undefined), ended: write.ended?.place ?? Number.POSITIVE_INFINITY };
    field.claims.push(claim);
    if (write.outcome === 'accepted' && write.ended !== undefined) replace(field, claim, write.ended);
  }
}

/** Updates the claims of a write by its outcome. */
export function endWrite(fields: Fields, write: Write, outcome: Outcome, at: Moment): void {
  write.ended = at;
  write.outcome = outcome;
  const entity = fields.known(write.row.resource, write.id);
  for (const field of entity?.fields.values() ?? []) {
    const index = field.claims.findLastIndex(one => one.write === write);
    const claim = field.claims[index];
    if (claim === undefined) continue;
    if (outcome === 'refused') field.claims.splice(index, 1);
    else claim.ended = at.place;
    if (outcome === 'accepted') replace(field, claim, at);
  }
  // A config is shown by its versions.
  fields.openSubject(write);
}
