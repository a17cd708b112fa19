/** A level of a factor. */
export interface Choice {
  readonly factor: number;
  readonly level: number;
}

/** The input of a covering array. */
export interface Covering {
  /** Number of levels of each factor. */
  readonly levels: readonly number[];
  /** False if two choices cannot stand in one row: no row has such a pair. Absent: every two can. */
  compatible?(one: Choice, other: Choice): boolean;
}

/** Number of rows to make each time, of which the one with the most new pairs is taken. */
const candidates = 10;

const isOpen = 1;
const isMet = 2;

/** Tracks which pairs of choices have stood together, and which cannot. */
function createPairs({ levels, compatible = () => true }: Covering) {
  const choices = levels.flatMap((count, factor) => Array.from({ length: count }, (_, level) => ({ factor, level })));
  const { length: size } = choices;
  const first = levels.map((_, factor) => choices.findIndex(one => one.factor === factor));
  const states = new Uint8Array(size * size);
  /** Number of open pairs of each choice. */
  const degrees = new Uint32Array(size);
  const mark = (one: number, other: number, state: number): void => {
    states[one * size + other] = state;
    states[other * size + one] = state;
  };
  for (const [at, one] of choices.entries())
    for (const [past, other] of choices.slice(at + 1).entries()) {
      if (one.factor === other.factor || !compatible(one, other)) continue;
      mark(at, at + 1 + past, isOpen);
      for (const each of [at, at + 1 + past]) degrees[each] = (degrees[each] ?? 0) + 1;
    }
  return {
    placeOf: (factor: number, level: number): number => (first[factor] ?? 0) + level,
    factorOf: (place: number): number => choices[place]?.factor ?? 0,
    levelOf: (place: number): number => choices[place]?.level ?? 0,
    degree: (place: number): number => degrees[place] ?? 0,
    /** Returns how many open pairs a choice has with those of a row; -1 if it cannot stand beside one of them. */
    gain(place: number, row: readonly number[]): number {
      let sum = 0;
      for (const other of row) {
        const state = states[place * size + other];
        if (state === 0) return -1;
        if (state === isOpen) sum += 1;
      }
      return sum;
    },
    /** Returns the choice with the most open pairs; -1 if none is open. */
    neediest(): number {
      let best = -1;
      for (let place = 0; place < size; place += 1)
        if ((degrees[place] ?? 0) > (best < 0 ? 0 : (degrees[best] ?? 0))) best = place;
      return best;
    },
    /** Returns the first choice with which a choice has an open pair. */
    partnerOf: (place: number): number => states.subarray(place * size, (place + 1) * size).indexOf(isOpen),
    meet(row: readonly number[]): void {
      for (const [at, one] of row.entries())
        for (const other of row.slice(at + 1)) {
          if (states[one * size + other] !== isOpen) continue;
          mark(one, other, isMet);
          for (const each of [one, other]) degrees[each] = (degrees[each] ?? 0) - 1;
        }
    },
  };
}

/**
 * Returns rows over some factors, one level of each, so that every two levels of two factors stand together in a row (a
 * covering array of strength two). The search is greedy and deterministic. A factor of which no level fits into a row
 * has level 0 there.
 */
export function coveringRows(covering: Covering): readonly (readonly number[])[] {
  const { levels } = covering;
  const pairs = createPairs(covering);

  /** Extends a row by the level of each further factor that adds most; `turn` orders the factors. */
  function rowFrom(begun: readonly number[], turn: number): { row: readonly number[]; gain: number } {
    const row = [...begun];
    const taken = new Set(begun.map(place => pairs.factorOf(place)));
    let sum = pairs.gain(row[0] ?? 0, row.slice(1));
    for (let step = 0; step < levels.length; step += 1) {
      const factor = (turn % 2 === 0 ? step + turn : 2 * levels.length - step - turn) % levels.length;
      if (taken.has(factor)) continue;
      let [best, most] = [-1, -1];
      for (let level = 0; level < (levels[factor] ?? 0); level += 1) {
        const place = pairs.placeOf(factor, level);
        const gain = pairs.gain(place, row);
        if (gain > most || (gain >= 0 && gain === most && pairs.degree(place) > pairs.degree(best)))
          [best, most] = [place, gain];
      }
      if (best < 0) continue;
      row.push(best);
      sum += most;
    }
    return { row, gain: sum };
  }

  const rows: (readonly number[])[] = [];
  for (let place = pairs.neediest(); place >= 0; place = pairs.neediest()) {
    const begun = [place, pairs.partnerOf(place)];
    const tried = Array.from({ length: candidates }, (_, turn) => rowFrom(begun, turn));
    const best = tried.reduce((one, other) => (other.gain > one.gain ? other : one));
    pairs.meet(best.row);
    const row = levels.map(() => 0);
    for (const each of best.row) row[pairs.factorOf(each)] = pairs.levelOf(each);
    rows.push(row);
  }
  return rows;
}
