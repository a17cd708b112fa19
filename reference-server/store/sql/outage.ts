import { setTimeout as delay } from 'node:timers/promises';
import { StoreOutage } from '../store-error.ts';
import type { Database, Query } from './database.ts';

/** A database that can be out of use for a while: its statements fail with a `StoreOutage` then. */
interface Driver extends Database {
  /** Makes it usable again, or rejects. Called while no new statement is sent. */
  readonly recover: () => Promise<void>;
}

/** How long to wait before trying to recover, in milliseconds. */
const pause = 500;

/**
 * The same database, which fails at once from the first statement that met an outage until the driver has recovered.
 * Otherwise each of the requests that queue for a world would wait in turn for a server that gives no answer.
 */
export function failingFast(driver: Driver): Database {
  let outage: StoreOutage | undefined;
  let isClosed = false;

  const recover = async (): Promise<void> => {
    while (outage !== undefined && !isClosed) {
      await delay(pause, undefined, { ref: false });
      const isUsable = await driver.recover().then(
        () => true,
        () => false,
      );
      if (isUsable) outage = undefined;
    }
  };

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (outage !== undefined) throw outage;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreOutage)) throw error;
      if (outage === undefined) {
        outage = error;
        void recover();
      }
      throw outage;
    }
  };

  const query: Query = (sql, parameters) => guarded(() => driver.query(sql, parameters));
  return {
    ...driver,
    query,
    transaction: work => guarded(() => driver.transaction(work)),
    close: () => {
      isClosed = true;
      return driver.close();
    },
  };
}
