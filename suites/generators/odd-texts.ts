import type { StringSchema } from '../../contracts/dialect.ts';
import { unicodeMixture } from './characters.ts';

/** A text beyond the ordinary, and what it is, in words. None has white space at its ends. */
export type OddText = readonly [what: string, text: string];

/**
 * Marks that people write inside texts, and that encoders, templates and sanitisers stumble over. Each is also right
 * beside the others. No NUL and no lone surrogate: what becomes of those is open.
 */
// biome-ignore format: a table
export const marks: readonly OddText[] = [
  ['several lines',           'one\ntwo\r\nthree\n\nfour'],
  ['a tab',                   'a\tb'],
  ['quotes',                  `it's "so", or \`so\``],
  ['backslashes',             String.raw`C:\temp\new\\x`],
  ['markup',                  '<b class="x">bold</b> & <br/> <i>'],
  ['entities',                '&lt;p&gt; &amp; &#65; &nbsp;'],
  ['an address with a query', 'https://example.com/a%20b+c?x=1&y=%7B2%7D#part'],
  ['a template',              '{{user}} \u0024{name} {0} <%= x %> [[y]]'],
  ['place holders',           '%s %d $1 $& $$ :id ?1 @x'],
  ['doubled blanks',          'two  blanks   three'],
  ['letter case',             'MiXeD Case iPhone'],
  ['signs',                   '100% +1 -1 = a*b ~ ^ | ; -- # _x_'],
  ['escapes',                 String.raw`\n \t \u0041 \x41 %41 %00`],
  ['brackets',                '{"a": [1, (2)]}'],
  ['many scripts',            unicodeMixture],
  ['typography',              '“quoted” – it’s … №5 ½ ©'],
  ['full width and fractions', 'ＡＢＣ １２３ ﬁ ①'],
  ['letters that fold',       'K ſ İ ı ß ẞ Σς'],
  ['blanks of other widths',  'a\u00a0b\u2009c\u3000d'],
  ['zero-width characters',   'a\u200bb\u200dc\ufeffd'],
  ['separators of lines',     'a\u2028b\u2029c\u0085d'],
  ['control characters',      'a\u0007b\u001bc\u007fd'],
];

/**
 * Whole texts that something on the way may take for another value. There are five of each sort, so that a field that
 * gets every fifth of them gets one of each.
 */
// biome-ignore format: a table
export const words: readonly OddText[] = [
  ['digits',                   '42'],
  ['digits after zeros',       '007'],
  ['a decimal with zeros',     '1.50'],
  ['a negative number',        '-1'],
  ['a number with an exponent', '1e3'],

  ['the word null',            'null'],
  ['the word undefined',       'undefined'],
  ['the word NULL',            'NULL'],
  ['the word NaN',             'NaN'],
  ['the word None',            'None'],

  ['the word true',            'true'],
  ['a date',                   '2024-02-29'],
  ['the word false',           'false'],
  ['a time with an offset',    '2024-02-29T23:59:59.999+02:00'],
  ['a big number',             '12345678901234567890'],

  ['a list in brackets',       '[]'],
  ['an object in braces',      '{"a":1}'],
  ['a quoted word',            '"quoted"'],
  ['a list by commas',         'a,b,,c'],
  ['nothing but markup',       '<p>all</p>'],
];

/** The text that some languages take for false, and so for one that was not sent. */
export const zeroDigit: OddText = ['the digit zero', '0'];

/** The text that is taken for something else most often. */
export const nullWord: OddText = ['the word null', 'null'];

/** Lengths, in characters, of texts for fields that state none; the longest first. */
export const longLengths: readonly number[] = [2_500, 1_000, 300];

/** The empty text, which a target may take for none. */
export const emptyText: OddText = ['the empty text', ''];

/** Lengths of lists for fields that state none. */
export const longLists: readonly number[] = [120, 60];

const sentence = 'Long texts are kept to their end. ';

/** Returns a text of exactly `length` ASCII characters, no two parts of which are alike, with a visible end. */
export function longText(length: number): string {
  let text = '';
  for (let line = 1; text.length < length; line += 1) text += `${line}. ${sentence}`;
  return `${text.slice(0, length - 5)} end;`;
}

/** A text as long as people write where no length is stated. */
export const passage: OddText = ['a text of 5,200 characters', longText(5_200)];

/** True of a text that a target may well refuse, because it is empty or very long. */
export const mayBeRefused = (text: unknown): boolean => text === emptyText[1] || text === passage[1];

/** Odd texts by format hint, for fields in which other texts make no sense. */
const formed: Readonly<Record<string, readonly OddText[]>> = {
  url: [
    ['an address with a query', 'https://Example.com:8443/A%20b/c+d;v=1?x=1&y=%7Bz%7D&x=2&empty=#Part-2'],
    ['an address of 300 characters', `https://example.com/?id=${longText(276).replaceAll(/[^a-z0-9]/gi, '-')}`],
    ['an address in another script', 'https://example.com/東京?q=Łódź'],
  ],
  'header-name': [['a header name in mixed case', 'X-Conform_Mixed.Case-2']],
  'iso-date-time': [['an instant at noon, with an offset', '2024-05-17T12:30:00+02:00']],
};

/** True if the constraints of a schema allow any text. */
export const isUnbounded = ({ pattern, annotation }: StringSchema): boolean =>
  pattern === undefined &&
  annotation?.examples === undefined &&
  !['sql', 'iso-date-time', 'digits', 'email'].includes(annotation?.formatHint ?? '');

/** Returns the odd texts of a schema with a form of its own; undefined if it has none. */
export const formedTexts = ({ annotation }: StringSchema): readonly OddText[] | undefined =>
  formed[annotation?.formatHint ?? ''];

/**
 * SQL conditions that hold of every row, each with something that may be lost on the way to a database (section 2.6).
 */
// biome-ignore format: a table
export const conditions: readonly OddText[] = [
  ['a placeholder twice',  `'{service_start_date}' <= '{service_end_date}' AND '{service_start_date}' <> ''`],
  ['several lines',        '1 = 1\n  AND 2 = 2\r\n  AND 3 = 3'],
  ['a tab',                '1\t=\t1'],
  ['quotes',               `'it''s "so"' <> 'a'`],
  ['doubled blanks',       `'two  blanks   three' <> 'a'`],
  ['letter case',          `'MiXeD' <> 'a'`],
  ['place holders',        `'%s $1 $& $$ :id ~%' <> 'a'`],
  ['signs',                `'100%' LIKE '100%' AND 1 <> 2 AND 3 > 2 AND 1 < 2`],
  ['entities',             `'&lt;b&gt; &amp;' <> 'a'`],
  ['backslashes',          String.raw`'a\b\n' <> 'a'`],
  ['many scripts',         `'Ω東 é 🚀' <> 'a'`],
  ['a comment',            '1 = 1 /* not --the end; */'],
  ['a list of 900 numbers', `1 IN (${Array.from({ length: 900 }, (_, index) => index + 1).join(', ')})`],
  ['a semicolon at the end', '3 = 3;'],
];
