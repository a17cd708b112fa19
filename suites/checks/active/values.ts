import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { Json } from '../../../contracts/json.ts';
import { longLengths, longLists, oddParts, type PartsInput, wideBodies } from '../../generators/index.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { echo } from '../passive/echo.ts';
import { createCare, liveness } from '../scenarios/scenario.ts';
import { requirementsOfFields } from './acceptance.ts';
import { schemaOf, templateOf } from './body.ts';
import { createsForGood, isLost } from './dry-run.ts';
import { storedRequirements } from './stored-values.ts';
import { type Layer, valueRequests } from './value-requests.ts';

/** The layers of the first body, in the order in which they are sent. */
// biome-ignore format: a table
const kinds: readonly Omit<Layer, 'wide'>[] = [
  { title: 'every field at an ordinary value', real: false, sizes: [] },
  { title: 'marks in all texts, numbers below zero, free-form objects of every kind', real: true, sizes: [{ kinds: ['marks', 'negatives', 'free-form'], turn: 0 }, { kinds: ['tame'], turn: 0 }] },
  { title: 'texts that read like other values, further numbers', real: true, sizes: [{ kinds: ['words', 'numbers', 'flags'], turn: 1, digit: 0 }] },
  { title: 'texts that read like other values, a second time', real: false, sizes: [{ kinds: ['words', 'numbers', 'flags'], turn: 6, digit: 1 }] },
  { title: 'texts that read like other values, a third time', real: false, sizes: [{ kinds: ['words', 'numbers', 'flags'], turn: 11, digit: 2 }] },
  { title: 'texts that read like other values, a fourth time', real: false, sizes: [{ kinds: ['words', 'numbers', 'flags'], turn: 16, digit: 3 }] },
  { title: 'the word null in all texts, numbers as people send them', real: false, sizes: [{ kinds: ['nulls', 'flags', 'tame'], turn: 0, digit: 4 }] },
  { title: 'long texts and long lists, every number zero, every flag set', real: false, isRead: true, sizes: longLengths.map((length, size) => ({ kinds: size === 0 ? ['long', 'lists', 'zeros', 'set'] : ['long', 'lists'], turn: 0, length, items: longLists[Math.min(size, longLists.length - 1)] ?? 60 })) },
];

function layersOf(context: CheckContext): readonly Layer[] {
  const { row, target, seed, amounts } = context;
  const isLeft = (field: string): boolean => isLost(field, context);
  const [first, ...others] = wideBodies(schemaOf(context), templateOf(context), target, isLeft);
  if (first === undefined) return [];
  const turned = (sizes: readonly PartsInput[]): PartsInput[] =>
    sizes.map(size => ({ ...size, turn: size.turn + Math.abs(seed - 1) * 3 }));
  const layers = kinds.map((one): Layer => ({ ...one, wide: first, sizes: turned(one.sizes) }));
  const further = others.map((wide): Layer => {
    const names = wide.fields.map(({ name }) => name).join(', ');
    const sizes: PartsInput[] = [{ kinds: ['marks', 'numbers', 'free-form'], turn: Math.abs(seed) }];
    return { title: `odd values of ${names}`, wide, sizes, real: false, isRead: true };
  });
  // Each list alone, on top of the template.
  const lists = first.fields.flatMap((one): Layer[] =>
    (one.field.schema.type === 'array' ? (one.field.schema.annotation?.furtherExamples ?? []) : []).map(
      (value, index) => {
        const changes = { [one.name]: value as Json };
        const wide = { ...first, fields: [{ ...one, changes }], body: { ...first.template, ...changes } };
        return { title: `further values of ${one.name}, ${index + 1}`, wide, sizes: [], real: false };
      },
    ),
  );
  const isSent = ({ sizes, wide }: Layer): boolean =>
    sizes.length === 0 || sizes.some(size => oddParts(wide, size).length > 0);
  const sent = [...layers, ...further, ...lists].filter(isSent);
  if (!createsForGood(context)) return sent;
  if (!hasDryRun(row)) return sent.filter(({ real }) => real).slice(0, amounts.creations);
  // A dry run shows the answer. With a larger budget the stored values are read back too.
  return amounts.creations > 1 ? sent : sent.map(layer => ({ ...layer, real: false }));
}

/** Section 4: realistic values come back whole, in whatever field they are sent. */
export const values: ActiveCheck<Layer> = {
  kind: 'active',
  id: 'values',
  level: 'MUST',
  title: 'Texts, numbers, lists and free-form objects as people have them come back whole, and stay so',
  detects:
    'A line break, a quote or a blank that is lost on the way, a text that is taken for a number or for null, a member of a free-form object that is renamed, a long text or list that is cut, the first item of a list shown for all, an optional field that is refused.',
  requirements: (row, endpoint) => [
    ...echo.requirements(row, endpoint),
    ...liveness,
    ...storedRequirements(row),
    ...requirementsOfFields,
  ],
  appliesTo: row => row.body !== null && echo.appliesTo(row) && row.oneShot !== true,
  plan(context) {
    const layers = layersOf(context);
    if (layers.length === 0) return { because: 'no field of the body can be sent' };
    return {
      cases: layers,
      parallel: false,
      describe: ({ title }) => ({ title, pointer: '' }),
      run: valueRequests(context, createCare(context.settleMs)),
    };
  },
};
