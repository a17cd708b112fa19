import { expect, test } from 'vitest';
import { specificationNaming } from '../../contracts/target.ts';
import { translationFor } from './naming.ts';

const acme = translationFor({
  apiKeyHeader: 'ACME-KEY',
  unitIdField: 'acmeUnitID',
  startDatePlaceholder: '{acme_start}',
  endDatePlaceholder: '{acme_end}',
});

const ours = {
  sql: "SELECT * FROM t WHERE d BETWEEN '{service_start_date}' AND '{service_end_date}' OR d = '{service_start_date}'",
  idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
  tags: ['serviceUnitID'],
  nothing: null,
  count: 1,
};
const theirs = {
  sql: "SELECT * FROM t WHERE d BETWEEN '{acme_start}' AND '{acme_end}' OR d = '{acme_start}'",
  idTypeMapping: [{ acmeUnitID: 'userID', column: 'user_id' }],
  tags: ['serviceUnitID'],
  nothing: null,
  count: 1,
};

test('requests go out in the names of the target, field names and placeholders, at every depth', () => {
  expect(acme.toTarget(ours)).toEqual(theirs);
});

test('answers come in with the names of the specification', () => {
  expect(acme.fromTarget(theirs)).toEqual(ours);
});

test('members keep their order', () => {
  const keys = Object.keys(acme.toTarget({ z: 1, serviceUnitID: 2, a: 3 }) as object);
  expect(keys).toEqual(['z', 'acmeUnitID', 'a']);
});

test('a member called __proto__ stays a member', () => {
  const sent = JSON.parse('{"a":{"__proto__":{"serviceUnitID":1}}}');
  const written = JSON.stringify(acme.toTarget(sent));
  expect(written).toBe('{"a":{"__proto__":{"acmeUnitID":1}}}');
  expect(JSON.stringify(acme.fromTarget(JSON.parse(written)))).toBe(JSON.stringify(sent));
});

test('the names of the specification cost nothing: the very value comes back', () => {
  const same = translationFor(specificationNaming);
  expect(same.toTarget(ours)).toBe(ours);
  expect(same.fromTarget(ours)).toBe(ours);
});

test('another header alone renames nothing in bodies', () => {
  const header = translationFor({ ...specificationNaming, apiKeyHeader: 'ACME-KEY' });
  expect(header.toTarget(ours)).toBe(ours);
});

test('one placeholder may be renamed without the other', () => {
  const one = translationFor({ ...specificationNaming, startDatePlaceholder: '{from}' });
  expect(one.toTarget('{service_start_date} {service_end_date}')).toBe('{from} {service_end_date}');
});

test('placeholders that change places come back as they were', () => {
  const swapped = translationFor({
    ...specificationNaming,
    startDatePlaceholder: '{service_end_date}',
    endDatePlaceholder: '{service_start_date}',
  });
  const text = '{service_start_date} to {service_end_date}';
  expect(swapped.toTarget(text)).toBe('{service_end_date} to {service_start_date}');
  expect(swapped.fromTarget(swapped.toTarget(text))).toBe(text);
});

test('signs that mean something in a pattern are taken as they are', () => {
  const odd = translationFor({ ...specificationNaming, startDatePlaceholder: '$&(.*)', endDatePlaceholder: '{{end}}' });
  expect(odd.toTarget('{service_start_date}|{service_end_date}')).toBe('$&(.*)|{{end}}');
  expect(odd.fromTarget('$&(.*)|{{end}}|x.*y')).toBe('{service_start_date}|{service_end_date}|x.*y');
});
