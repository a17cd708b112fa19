import type { Schema } from '../../contracts/dialect.ts';
import type { Infer } from '../../contracts/infer.ts';
import type { Json } from '../../contracts/json.ts';
import { closed, described, record } from '../../contracts/object.ts';
import type { Notes } from '../store/backend.ts';
import { refuseInvalid } from '../tool/refusal.ts';

/** The limits of a Date, before and after 1970, in milliseconds. */
const furthest = 8.64e15;

const time = { type: 'integer', minimum: -furthest, maximum: furthest } as const satisfies Schema;

/** Schema of a change to the clock of a world; its members apply in this order. */
export const clockChange = closed(
  described('What the clock is told; what is given is done in this order.', {
    time: { ...time, description: 'The time that it shows from now on.' },
    advance: { ...time, description: 'So many milliseconds further on.' },
    stopped: { type: 'boolean', description: 'Whether it stands still from now on.' },
    real: { type: 'boolean', description: 'True: back to the time of the server.' },
  }),
);

/** A change to the clock of a world. */
export type ClockChange = Infer<typeof clockChange>;

/** Schema of a clock's reading: milliseconds since 1970, and whether it stands still. */
export const clockReading = record({ time: { type: 'integer' }, stopped: { type: 'boolean' } });

/** A clock's reading. */
export type ClockReading = Infer<typeof clockReading>;

/** How a clock differs from the server's: an offset in milliseconds, or a fixed time. */
export type ClockSetting = { readonly offset: number } | { readonly stoppedAt: number };

/** The key of the clock's setting in the notes. */
export const clockKey = 'clock';

/** Returns the time by a setting; `base` is the server's time. */
export const timeBy = (setting: ClockSetting | undefined, base: number): number => {
  if (setting === undefined) return base;
  return 'stoppedAt' in setting ? setting.stoppedAt : base + setting.offset;
};

const within = (time: number): number => Math.min(furthest, Math.max(-furthest, time));

/** Returns the control of a world's clock, which everything in the world reads; `base` is the server's clock. */
export const clockControl = (notes: Notes, base: () => number) => {
  const setting = async () => (await notes.get(clockKey)) as unknown as ClockSetting | undefined;
  const readingOf = (of: ClockSetting | undefined): ClockReading => ({
    time: timeBy(of, base()),
    stopped: of !== undefined && 'stoppedAt' in of,
  });
  return {
    read: async (): Promise<ClockReading> => readingOf(await setting()),
    async change(change: ClockChange): Promise<ClockReading> {
      refuseInvalid(clockChange, change, 'This is nothing to tell a clock.');
      if (change.real === true) {
        await notes.put(clockKey, undefined);
        return readingOf(undefined);
      }
      const before = readingOf(await setting());
      const time = within((change.time ?? before.time) + (change.advance ?? 0));
      const next: ClockSetting = (change.stopped ?? before.stopped) ? { stoppedAt: time } : { offset: time - base() };
      await notes.put(clockKey, next as unknown as Json);
      return readingOf(next);
    },
  };
};

/** The control of a world's clock. */
export interface ClockControl extends ReturnType<typeof clockControl> {}
