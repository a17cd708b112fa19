import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { passwordsOf, shownAddress } from '../address.ts';
import { StoreError, StoreOutage } from '../store-error.ts';
import type { Database, Query } from './database.ts';

/** A database with outages, during which its statements fail with a `StoreOutage`. */
interface Driver extends Database {
  /** Resolves when the database is usable again, otherwise rejects. No new statements are sent meanwhile. */
  readonly recover: () => Promise<void>;
}

/** How long to wait before trying to recover, in milliseconds. */
const pause = 500;

/**
 * Wraps a database so that after an outage everything fails at once, until the driver has recovered. Otherwise all
 * requests that queue for a world would wait for the silent server in turn.
 */
function failingFast(driver: Driver): Database {
  let outage: StoreOutage | undefined;
  let isClosed = false;

  const recover = async (): Promise<void> => {
    while (outage !== undefined && !isClosed) {
      await delay(pause, undefined, { ref: false });
      await driver.recover().then(
        () => {
          outage = undefined;
        },
        () => undefined,
      );
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

  return {
    query: (sql, parameters) => guarded(() => driver.query(sql, parameters)),
    transaction: work => guarded(() => driver.transaction(work)),
    close: () => {
      isClosed = true;
      return driver.close();
    },
  };
}

/** Maximum number of connections per instance; by default PostgreSQL allows a hundred in all. */
const connections = 8;

/** How long to wait for a connection, and for the result of a statement, in milliseconds. */
const usualPatience = 10_000;

/** How long connections may take to close, in milliseconds: a frozen server never confirms it. */
const farewell = 1000;

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
  '53100':        'the disk of the server is full',
  '53300':        'the server has no connection left',
  '57P01':        'the server is being stopped',
  '57P02':        'the server crashed',
  '57P03':        'the server is starting or stopping',
  'Connection terminated unexpectedly':              'the connection was lost',
  'Client has encountered a connection error and is not queryable': 'the connection was lost',
  'Connection terminated due to connection timeout': 'the server gives no answer',
  'timeout exceeded when trying to connect':         'the server gives no answer',
  'Query read timeout':                              'the server gives no answer',
};

/**
 * Error classes that concern the server, not a statement (PostgreSQL, appendix A): read-only after a failover, no
 * access, no such database, connections, resources, an operator, the system.
 */
const ofTheServer = /^(25006|28|3D|08|53|57|58)/;

const isOutage = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || ofTheServer.test(error.code ?? '');

/** Says briefly why a database cannot be used, without its password. */
const reasonOf = (error: unknown, address: string): string => {
  const { code, message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  const known = reasons[code ?? ''] ?? reasons[message];
  if (known !== undefined) return known;
  const [line = ''] = message.split('\n');
  return passwordsOf(address).reduce((text, password) => text.replaceAll(password, '…'), line);
};

/** Returns the error for an unusable database. */
export const unusable = (error: unknown, address: string): StoreError =>
  error instanceof StoreError
    ? error
    : new StoreError(`cannot use the store at ${shownAddress(address)}: ${reasonOf(error, address)}`);

/**
 * Connects to a PostgreSQL database, which several instances may share. Throws a `StoreError` if it is unreachable.
 * Statements throw a `StoreOutage` if it fails later or does not answer for `patience` milliseconds.
 */
export async function postgresDatabase(address: string, patience = usualPatience): Promise<Database> {
  const sockets = new Set<Socket>();
  const socket = (): Socket => {
    const made = new Socket();
    sockets.add(made.once('close', () => sockets.delete(made)));
    return made;
  };
  const pool = (() => {
    try {
      return new pg.Pool({
        connectionString: address,
        max: connections,
        connectionTimeoutMillis: patience,
        query_timeout: patience,
        stream: socket,
        application_name: 'console-conformance',
      });
    } catch (error) {
      throw unusable(error, address);
    }
  })();
  // A connection may break while idle or during a statement. Without these listeners, either would end the process; the
  // statement reports the error to its caller.
  pool.on('error', () => undefined);
  pool.on('connect', client => client.on('error', () => undefined));

  /** Converts errors of the server to a `StoreOutage`. */
  const asking = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw isOutage(error) ? new StoreOutage(shownAddress(address), reasonOf(error, address)) : error;
    });
  const query: Query = async (sql, parameters) => (await asking(pool.query(sql, parameters as unknown[]))).rows;
  const close = async (): Promise<void> => {
    await Promise.race([pool.end(), delay(farewell, undefined, { ref: false })]);
    for (const open of sockets) open.destroy();
  };
  const recover = async (): Promise<void> => void (await query('SELECT 1'));
  try {
    await recover();
  } catch (error) {
    await close();
    throw error;
  }
  return failingFast({
    query,
    recover,
    close,

    transaction: async work => {
      const client = await asking(pool.connect());
      let isBroken = false;
      const run: Query = async (sql, parameters) => {
        try {
          return (await asking(client.query(sql, parameters as unknown[]))).rows;
        } catch (error) {
          isBroken ||= error instanceof StoreOutage;
          throw error;
        }
      };
      try {
        await run('BEGIN');
        const result = await work(run);
        await run('COMMIT');
        return result;
      } catch (error) {
        // A connection without an answer is closed, which ends its transaction too.
        if (!isBroken) await run('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        client.release(isBroken);
      }
    },
  });
}
