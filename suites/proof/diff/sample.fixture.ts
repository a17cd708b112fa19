import { shareOf } from '../testing/proof-share.ts';

/** Every how-manieth row of a catalogue `npm test` takes: each row is several runs. */
const step = Number(process.env.DIFFERENCE_STEP ?? 10);

/** The rows of a catalogue that are compared: all of them by `npm run prove -- differences`. */
export const sampleOf = <Row>(rows: readonly Row[]): readonly Row[] =>
  shareOf(rows.filter((_, index) => index % step === Math.floor(step / 2)));
