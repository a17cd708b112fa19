import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawingOf } from './drawing.ts';

const arbitrary = fc.array(fc.record({ text: fc.string(), number: fc.double() }), { maxLength: 4 });

test('draws what a sample of the seed gives, from any place on, whatever the portions', async () => {
  const sample = fc.sample(arbitrary, { seed: 7, numRuns: 60 });
  const drawing = drawingOf(arbitrary, 7, 20);
  const drawn = [...(await drawing.take(1)), ...(await drawing.take(25)), ...(await drawing.take(14))];
  await drawing.close();
  expect(drawn.map(({ value }) => value)).toEqual(sample.slice(20));
  expect(drawn.map(({ index }) => index)).toEqual(Array.from({ length: 40 }, (_, at) => at + 20));
});

test('the place of a value is the path that replays it', async () => {
  const drawing = drawingOf(arbitrary, 7, 20);
  const [, , third] = await drawing.take(3);
  await drawing.close();
  expect(fc.sample(arbitrary, { seed: 7, path: String(third?.index), numRuns: 1 })).toEqual([third?.value]);
});

test('may be closed before anything was drawn', async () => {
  await expect(drawingOf(arbitrary, 7, 0).close()).resolves.toBeUndefined();
});

test('an arbitrary that fails ends the drawing with its error', async () => {
  const failing = fc.integer().map(() => {
    throw new Error('cannot be drawn');
  });
  await expect(drawingOf(failing, 7, 0).take(1)).rejects.toThrow(/cannot be drawn|no more values/);
});
