import pg from 'pg';
import { passwordsOf, shownAddress } from '../address.ts';
import { StoreError } from '../store-error.ts';
import type { Database, Query } from './database.ts';

/** As many connections as an instance opens: PostgreSQL allows a hundred to all, unless told otherwise. */
const connections = 8;

/** How long to wait for a connection, in milliseconds. */
const patience = 10_000;

// biome-ignore format: a table
const reasons: Readonly<Record<string, string>> = {
  'ECONNREFUSED': 'no server answers there',
  'ENOENT':       'there is no such socket',
  'ENOTFOUND':    'there is no host of this name',
  'EAI_AGAIN':    'the name of the host cannot be looked up',
  'ETIMEDOUT':    'no server answers there',
  '28P01':        'the password is wrong',
  '28000':        'the server does not let this user in',
  '3D000':        'there is no such database',
  '42501':        'this user may not create tables there',
  '53300':        'the server has no connection left',
};

/** Why a database cannot be used, in a few words, of which none is the password. */
const reasonOf = (error: unknown, address: string): string => {
  const { code, message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  const known = reasons[code ?? ''];
  if (known !== undefined) return known;
  const [line = ''] = message.split('\n');
  return passwordsOf(address).reduce((text, password) => text.replaceAll(password, '…'), line);
};

/** The error of a database that cannot be used. */
export const unusable = (error: unknown, address: string): StoreError =>
  error instanceof StoreError
    ? error
    : new StoreError(`cannot use the store at ${shownAddress(address)}: ${reasonOf(error, address)}`);

/** A database of PostgreSQL by its address, which several instances may share. A `StoreError` where it cannot be reached. */
export async function postgresDatabase(address: string): Promise<Database> {
  const pool = (() => {
    try {
      return new pg.Pool({
        connectionString: address,
        max: connections,
        connectionTimeoutMillis: patience,
        application_name: 'console-conformance',
      });
    } catch (error) {
      throw unusable(error, address);
    }
  })();
  // A connection that breaks while nobody uses it is replaced by the next one; without a listener it would end the process.
  pool.on('error', () => undefined);
  const query: Query = async (sql, parameters) => (await pool.query(sql, parameters as unknown[])).rows;
  try {
    await query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw unusable(error, address);
  }
  return {
    query,
    isExclusive: false,
    transaction: async work => {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(async (sql, parameters) => (await client.query(sql, parameters as unknown[])).rows);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}
