import { writeSync } from 'node:fs';
import { seedOf } from '../../seed/seed.ts';
import { createReferenceServer } from '../../server.ts';
import { sqlBackend } from '../../store/sql/backend.ts';
import { postgresDatabase } from '../../store/sql/postgres.ts';

/**
 * An instance of the server over a PostgreSQL, in a process of its own. It tells its URL, then a line for each error that
 * was no refusal and differs from the one before. Arguments: address, patience in milliseconds, gates it begins with.
 */

const [address = '', patience = '', gates = ''] = process.argv.slice(2);
const backend = await sqlBackend(await postgresDatabase(address, Number(patience)), 'the cluster');
let last: unknown;
const server = createReferenceServer({
  backend,
  initial: naming => seedOf({ extends: 'empty', gates: gates.split(',') }, naming),
  onError: error => {
    if (error !== last) writeSync(1, `${String(error)}\n`);
    last = error;
  },
});
const { url } = await server.listen();
writeSync(1, `${url}\n`);
