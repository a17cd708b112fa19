import { RunStopped } from '../protocol/stop.ts';
import type { OpenUnit } from './unit.ts';

/** A unit that draws random cases, of which there may be more. */
export interface FuzzedUnit<U> {
  readonly unit: U;
  readonly draws: 'scenario' | 'fuzz';
  readonly open: OpenUnit;
}

/** Cases at a time: a scenario is several requests, one after another. */
const portion = { scenario: 20, fuzz: 100 } as const;

/** What `extend` asks and reports. */
export interface FuzzingObserver<U> {
  isTimeUp(): boolean;
  /** After each portion: whose it was. */
  onPortion(unit: U): void;
  /** A unit cannot go on, by an error that does not end the run. Nothing further is drawn from it. */
  onFailure(unit: U, error: unknown): void;
}

/**
 * Goes on with the random cases of some units until the time is up, or there are no more: in each round a portion of
 * every scenario, then one of every fuzz. The end of the run (`RunStopped`) ends it too.
 */
export async function extend<U>(units: readonly FuzzedUnit<U>[], watch: FuzzingObserver<U>): Promise<void> {
  let going = (['scenario', 'fuzz'] as const).flatMap(kind => units.filter(({ draws }) => draws === kind));
  try {
    while (going.length > 0 && !watch.isTimeUp()) {
      for (const one of going) {
        if (watch.isTimeUp()) return;
        const cases = await one.open.extend(portion[one.draws]).catch((error: unknown) => {
          if (error instanceof RunStopped) throw error;
          watch.onFailure(one.unit, error);
          return 0;
        });
        watch.onPortion(one.unit);
        if (cases === 0) going = going.filter(other => other !== one);
      }
    }
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
  }
}
