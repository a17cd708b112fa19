import { expect, it } from 'vitest';
import { postgresDatabase } from '../../store/sql/postgres.ts';
import { StoreOutage } from '../../store/store-error.ts';
import { describeStore, places, sharedCluster } from './places.fixture.ts';

describeStore(places.shared, make => {
  /** Asks until the database is usable again. */
  const usable = async (ask: () => Promise<unknown>): Promise<void> => {
    let error: unknown;
    do error = await ask().then(() => undefined, String);
    while (error !== undefined && (await new Promise(resolve => setTimeout(resolve, 10, true))));
  };

  it('ends a transaction by an error, and not the process, when the server stops while it is under way', async () => {
    const database = await postgresDatabase(await make());
    const { fail } = await sharedCluster();
    for (const how of ['stopped', 'broken off'] as const) {
      let mend: (() => Promise<void>) | undefined;
      const broken = database.transaction(async query => {
        mend = await fail(how);
        await query('SELECT 1');
      });
      await expect(broken).rejects.toBeInstanceOf(StoreOutage);
      await expect(database.query('SELECT 1')).rejects.toBe(await broken.catch(error => error));
      await mend?.();
      await usable(() => database.query('SELECT 1'));
      await database.transaction(query => query('SELECT 1'));
    }
    await database.close();
  });

  it('waits once for a server that is frozen, tells all who ask the same meanwhile, and closes all the same', async () => {
    const address = await make();
    // Long enough for a busy machine to answer while the server is not frozen.
    const database = await postgresDatabase(address, 2_000);
    const { fail } = await sharedCluster();
    const mend = await fail('frozen');
    const first = await database.query('SELECT 1').catch(error => error);
    expect(first).toMatchObject({ reason: 'the server gives no answer' });
    for (let count = 0; count < 1000; count += 1) await expect(database.query('SELECT 1')).rejects.toBe(first);
    await expect(database.transaction(async () => undefined)).rejects.toBe(first);
    await mend();
    await usable(() => database.query('SELECT 1'));
    const again = await fail('frozen');
    await expect(database.query('SELECT 1')).rejects.toBeInstanceOf(StoreOutage);
    await database.close();
    // One that has idle connections, none of which says good-bye.
    await again();
    const idle = await postgresDatabase(address);
    const last = await fail('frozen');
    await idle.close();
    await last();
  });

  it('passes on what is wrong with a statement, and stays usable', async () => {
    const database = await postgresDatabase(await make());
    await expect(database.query('SELECT nothing')).rejects.toMatchObject({ code: '42703' });
    await expect(database.transaction(query => query('SELECT 1/0'))).rejects.toMatchObject({ code: '22012' });
    const own = new Error('of the work');
    await expect(database.transaction(() => Promise.reject(own))).rejects.toBe(own);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });
});
