import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { quickFolder } from '../testing/quick-folder.ts';

/** A private cluster of PostgreSQL in a temporary folder, which listens on a socket in it and nowhere else. */
export interface Cluster {
  /** The address of a new, empty database. */
  readonly database: () => Promise<string>;
  /** The same for a user who needs a password, which is `secret`. */
  readonly guarded: (password: string) => string;
  /** Makes the server unusable, and gives what makes it usable again. */
  readonly fail: (how: Failure) => Promise<() => Promise<void>>;
  /** Ends the server and takes its folder away. */
  readonly stop: () => Promise<void>;
}

/** What can become of a server: it ends its clients and stops, it breaks off, or all its processes are frozen. */
export type Failure = 'stopped' | 'broken off' | 'frozen';

/** Where Debian has the programs of PostgreSQL, the newest first. */
const debian = '/usr/lib/postgresql';

const folders = (): string[] => [
  ...(process.env.PATH ?? '').split(':'),
  ...(existsSync(debian) ? readdirSync(debian) : [])
    .sort((one, other) => Number(other) - Number(one))
    .map(version => join(debian, version, 'bin')),
];

const programs = folders().find(folder => folder !== '' && existsSync(join(folder, 'initdb')));

/** Why tests cannot have a PostgreSQL here; undefined if they can. */
export const noPostgres: string | undefined =
  programs === undefined
    ? 'No PostgreSQL on this machine: apt-get install postgresql. The tests of the shared store did not run.'
    : undefined;

/** The user as whom it runs: it refuses to run as root, for whom Debian makes another. */
const owner = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres to run PostgreSQL as');
  return { uid: Number(uid), gid: Number(gid) };
};

/**
 * Runs a server, whatever its files are, until nobody holds the other end of its input any more: when the tests end, or
 * die. Then its folder is taken away. One that ends while there is a file called down begins again when the file called
 * ended, which that becomes, is taken away. Arguments: program, data, folder. Without a disk to wait for, tests are quicker, and prove nothing less.
 */
const running = `
  exec 4<&0
  (cat <&4 >/dev/null; touch "$3/end"; kill -INT "$(head -n 1 "$2/postmaster.pid")" 2>/dev/null) &
  while true; do
    "$1" -D "$2" -k "$3" -c listen_addresses= -c fsync=off &
    wait $!
    mv "$3/down" "$3/ended" 2>/dev/null || break
    while [ -e "$3/ended" ] && [ ! -e "$3/end" ]; do sleep 0.02; done
    [ ! -e "$3/end" ] || break
  done
  cd / && rm -rf "$3"`;

/** The options with which a program of PostgreSQL is started, . */
const settingsOf = (as: ReturnType<typeof owner>, cwd: string) => ({
  ...as,
  cwd,
  env: { ...process.env, LC_ALL: 'C' },
});

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** The state stands behind the name in parentheses (proc(5)). */
const isStopped = (pid: number): boolean => / T [^)]*$/u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const ended = (child: ChildProcess): Promise<void> =>
  new Promise(resolve =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve()),
  );

const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', chunk => {
      log += String(chunk);
      if (log.includes('database system is ready')) resolve();
    });
    child.once('exit', code => reject(new Error(`PostgreSQL ended with code ${code}: ${log}`)));
  });

/** Starts a cluster. It ends with `stop`, and with this process at the latest. */
export async function startCluster(): Promise<Cluster> {
  if (programs === undefined) throw new Error(noPostgres);
  const folder = quickFolder('conform-postgres-');
  const as = owner();
  if (as !== undefined) chownSync(folder, as.uid, as.gid);
  const settings = settingsOf(as, folder);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'tester', '-A', 'trust', '-N', '-E', 'UTF8'],
    settings,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  writeFileSync(join(data, 'pg_hba.conf'), 'local all guarded scram-sha-256\nlocal all all trust\n');
  const server = spawn('/bin/sh', ['-c', running, 'sh', join(programs, 'postgres'), data, folder], {
    ...settings,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const stop = async (): Promise<void> => {
    server.stdin.end();
    await ended(server);
  };
  const sql = async (statement: string): Promise<void> => {
    const client = new pg.Client({ host: folder, user: 'tester', database: 'postgres' });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const postmaster = (): number => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const answers = (): Promise<boolean> =>
    sql('SELECT 1').then(
      () => true,
      () => false,
    );
  const fail: Cluster['fail'] = async how => {
    if (how === 'frozen') {
      // The server first, so that it begins no more, and last when it goes on: it takes away those that ended meanwhile.
      const server = postmaster();
      process.kill(server, 'SIGSTOP');
      while (!isStopped(server)) await delay(1);
      const children = childrenOf(server);
      for (const pid of children) process.kill(pid, 'SIGSTOP');
      return async () => {
        for (const pid of [...children, server]) process.kill(pid, 'SIGCONT');
      };
    }
    const ended = join(folder, 'ended');
    writeFileSync(join(folder, 'down'), '');
    process.kill(postmaster(), how === 'stopped' ? 'SIGINT' : 'SIGQUIT');
    while (!existsSync(ended)) await delay(20);
    return async () => {
      rmSync(ended);
      while (!(await answers())) await delay(20);
    };
  };
  let databases = 0;
  const fresh = async (): Promise<string> => {
    databases += 1;
    const name = `d${databases}`;
    await sql(`CREATE DATABASE ${name}`);
    return name;
  };
  try {
    await ready(server);
    await sql(`CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'secret'`);
  } catch (error) {
    await stop();
    throw error;
  }
  const query = `host=${encodeURIComponent(folder)}`;
  return {
    database: async () => `postgres://tester@localhost/${await fresh()}?${query}`,
    guarded: password => `postgres://guarded:${encodeURIComponent(password)}@localhost/postgres?${query}`,
    fail,
    stop,
  };
}
