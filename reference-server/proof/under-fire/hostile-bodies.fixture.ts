import type { EndpointId } from '../../../contracts/endpoints.ts';
import { bodyLimit } from '../../http/read-body.ts';
import { accepted } from '../testing/accepted.ts';
import { type Attack, headFor, inChunks, type Kind, whole } from './attack.fixture.ts';
import type { Draw } from './draw.fixture.ts';

/** Bodies that nobody should send, in requests that are otherwise right. */

/** Entities that the model of the state does not follow: some of these bodies are valid, and change them. */
const subjects = {
  'patch-gate': 'rate_limit_v2',
  'update-experiment': 'push_timing',
  'enable-groups': 'push_timing',
  'create-prompt-version': 'tone-check',
  'update-qualifying-event': 'refunds_daily',
  'archive-config': 'legacy_limits',
} as const satisfies Partial<Record<EndpointId, string>>;
type Subject = keyof typeof subjects;
const ids = Object.keys(subjects) as Subject[];

const at = (
  id: Subject,
  body: string | Buffer,
  statuses: Attack['statuses'],
  headers: Record<string, string> = {},
): Omit<Attack, 'kind'> => whole(headFor(id, subjects[id], headers), body, statuses, { endpoint: id });

const textOf = (id: Subject): string => JSON.stringify(accepted[id].body);

const spoiled = (draw: Draw, text: string): string => {
  const cut = 1 + draw.below(text.length - 1);
  return draw.pick([
    text.slice(0, cut),
    `${text.slice(0, cut)}${draw.pick(['\0', '\n', "'", ',', '}', '{', ']', '\\', '\u2028', 'NaN', '//'])}${text.slice(cut)}`,
    `${text},`, `\ufeff${text}`, `${text}${text}`, text.replaceAll('"', "'"), text.replace(':', ''), text.replace('{', '{,'),
    'NaN', '', 'undefined', '[]', '"x"', '1e999', 'null', 'tru', '{"a":01}', '{"a":.5}', '{"a":"\\x"}', '{"a":"\\ud800"}', '{"a":1,"a":2}',
  ]); // biome-ignore format: a list
};

/**
 * The statuses that a body allows: only a JSON object or an empty body may be accepted; a byte order mark makes it no
 * JSON.
 */
const statusesOf = (text: string): Attack['statuses'] => {
  if (text === '') return [200, 400];
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [200, 400] : [400];
  } catch {
    return [400];
  }
};

const notUtf8 = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xe2, 0x82],
  [0xfe, 0xff, 0, 0x7b],
];
const types = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/jsonx',
  'json',
  '',
  ';',
  'a/b/c',
  'application/json, text/plain',
  'text/json+x',
];
const encodings = ['gzip', 'br', 'deflate', 'gzip, gzip', 'x', 'identity, gzip'];
const odd = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '\u0000',
  'length',
  '__defineGetter__',
  '$ref',
  '0',
];
const deep = 200_000;
const nested = (open: string, close: string, levels: number): string =>
  `{"tags":${open.repeat(levels)}1${close.repeat(levels)}}`;

const oddValue = (draw: Draw, depth = 0): unknown => {
  const kind = draw.below(depth > 3 ? 6 : 8);
  if (kind === 6) return Array.from({ length: draw.below(4) }, () => oddValue(draw, depth + 1));
  if (kind === 7) return JSON.parse(`{${JSON.stringify(draw.pick(odd))}:${JSON.stringify(oddValue(draw, depth + 1))}}`);
  return [
    null,
    true,
    draw.pick([0, -0.5, 1e308, -1, 2 ** 53, 5e-324]),
    draw.pick(['', 'a', '\ud83c', '🎈', '\u0000', 'x'.repeat(1001), '../../etc/passwd']),
    [],
    {},
  ][kind];
};

const withOdd = (draw: Draw, id: Subject): string => {
  const body = { ...accepted[id].body };
  const members = [
    ...Object.keys(body),
    'rules',
    'tags',
    'targetApps',
    'reviewSettings',
    'monitoringMetrics',
    'description',
    'links',
    'userBuckets',
  ];
  const pairs = Object.entries({ ...body, [draw.pick(members)]: oddValue(draw) });
  const all = [...pairs, [draw.pick(odd), oddValue(draw)] as const].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${all.join()}}`;
};

/** Bodies that repeat one thing: a server that takes quadratic time over them is busy for minutes. */
export const wide: readonly (readonly [Subject, (length: number) => string])[] = [
  ['patch-gate',              length => `{"tags":[${'1,'.repeat(length / 2)}1]}`],
  ['patch-gate',              length => `{"rules":[${'{},'.repeat(length / 3)}{}]}`],
  ['patch-gate',              length => `{"description":"${'x'.repeat(length)}"}`],
  ['patch-gate',              length => `{"${'k'.repeat(length)}":1}`],
  ['patch-gate',              length => `{"monitoringMetrics":[${'{"name":"a","type":"b"},'.repeat(length / 24)}{}]}`],
  ['update-qualifying-event', length => JSON.stringify({ ...accepted['update-qualifying-event'].body, sql: '/* '.repeat(length / 3) })],
  ['update-qualifying-event', length => JSON.stringify({ ...accepted['update-qualifying-event'].body, sql: `SELECT '${"'".repeat(length)}` })],
  ['update-experiment',       length => JSON.stringify({ ...accepted['update-experiment'].body, groups: Array.from({ length: length / 30 }, (_, index) => ({ name: `g${index}`, size: 0 })) })],
  ['enable-groups',           length => `{"group_names":[${'"Control",'.repeat(length / 10)}"x"]}`],
  ['create-prompt-version',   length => `{"prompts":[${'{"role":1},'.repeat(length / 11)}{}]}`],
]; // biome-ignore format: a table

// biome-ignore format: a table
export const hostileBodies: readonly Kind[] = [
  { kind: 'malformed JSON',   share: 120, make: draw => { const id = draw.pick(ids); const text = spoiled(draw, textOf(id)); return at(id, text, statusesOf(text)); } },
  { kind: 'not UTF-8',        share: 30,  make: draw => { const id = draw.pick(ids); const text = Buffer.from(textOf(id)); const cut = draw.below(text.length); return at(id, Buffer.concat([text.subarray(0, cut), Buffer.from(draw.pick(notUtf8)), text.subarray(cut)]), [400]); } },
  { kind: 'content type',     share: 40,  make: draw => { const id = draw.pick(ids); return at(id, textOf(id), [415], { 'Content-Type': draw.pick(types) }); } },
  { kind: 'content encoding', share: 20,  make: draw => { const id = draw.pick(ids); return at(id, textOf(id), [415], { 'Content-Encoding': draw.pick(encodings) }); } },
  { kind: 'too large',        share: 3,   make: draw => at(draw.pick(ids), Buffer.alloc(bodyLimit + 1 + draw.below(bodyLimit), 'GET /console/v1/segments HTTP/1.1\r\n\r\n'), [413]) },
  { kind: 'too large, chunked', share: 2, make: draw => at(draw.pick(ids), inChunks(Buffer.alloc(bodyLimit + 1 + draw.below(bodyLimit), '{'), 1 + draw.below(65_536)  + 200), [413], { 'Transfer-Encoding': 'chunked' }) },
  { kind: 'chunked',          share: 40,  make: draw => { const id = draw.pick(ids); const text = spoiled(draw, textOf(id)); return at(id, inChunks(Buffer.from(text), 1 + draw.below(40)), statusesOf(text), { 'Transfer-Encoding': 'chunked' }); } },
  { kind: 'deep',             share: 6,   make: draw => at(draw.pick(ids), draw.pick([nested('[', ']', deep), nested('{"":', '}', deep), nested('[', '', deep), '['.repeat(deep), nested('[', ']', 201)]), [400]) },
  { kind: 'as deep as may be', share: 6,  make: draw => at('patch-gate', `{"rules":[${'{"a":['.repeat(98)}${']}'.repeat(98)}],"x":${oddNumber(draw)}}`, [200, 400]) },
  { kind: 'wide',             share: 3,   make: draw => { const [id, make] = draw.pick(wide); return at(id, make(1000 + draw.below(1_000_000)), [200, 400, 413]); } },
  { kind: 'odd members',      share: 100, make: draw => { const id = draw.pick(ids); return at(id, withOdd(draw, id), [200, 400, 409]); } },
];

function oddNumber(draw: Draw): string {
  return draw.pick(['1e400', '-0', '0.1e-400', '123456789012345678901234567890', '1E+2']);
}
