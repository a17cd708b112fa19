/**
 * The rows of a catalogue that a test takes: all of them, or where `PROOF_SHARE` is N every N-th, spread evenly. For
 * machines with little time; what is proved is proved by all rows.
 */
export function shareOf<Row>(rows: readonly Row[]): readonly Row[] {
  const share = Number(process.env.PROOF_SHARE ?? 1);
  return rows.filter((_, index) => index % share === 0);
}
