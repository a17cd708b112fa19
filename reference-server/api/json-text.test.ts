import { describe, expect, it } from 'vitest';
import { jsonText, keepText } from './json-text.ts';

const kept = Object.freeze({ name: 'kept "ü" 🎈', none: undefined, nested: [{ a: 1 }] });
keepText(kept);
const pagination = { itemsPerPage: 10, nextPage: null };

describe('the text of a body', () => {
  it.each([
    ['a list of kept items', { message: 'm', data: [kept, kept], pagination }],
    ['an empty list', { message: 'm', data: [], pagination }],
    [
      'a list with an item that was not kept',
      { message: 'm', data: [kept, { name: 'other' }, undefined, null], pagination },
    ],
    ['members in another order', { pagination, data: [kept], message: 'm' }],
    ['a member more', { message: 'm', data: [kept], pagination, extra: true }],
    ['a member less', { message: 'm', data: [kept] }],
    ['an undefined member', { message: 'm', data: [kept], pagination: undefined }],
    ['one entity', { message: 'm', data: kept }],
    ['a refusal', { status: 404, message: 'm' }],
    ['null', null],
    ['a text', 'm'],
    ['a list alone', [kept]],
  ])('is that of JSON.stringify: %s', (_what, body) => {
    expect(JSON.parse(jsonText(body))).toEqual(JSON.parse(JSON.stringify(body)));
  });

  it('does not serialise a kept item again', () => {
    const counted = { times: 0, toJSON: () => ({ times: ++counted.times }) };
    keepText(counted);
    keepText(counted);
    for (let round = 0; round < 3; round++)
      expect(jsonText({ message: 'm', data: [counted], pagination })).toContain('"data":[{"times":1}]');
  });
});
