import { writeSync } from 'node:fs';
import { seedOf } from '../../seed/seed.ts';
import { createReferenceServer } from '../../server.ts';
import { sqlBackend } from '../../store/sql/backend.ts';
import { postgresDatabase } from '../../store/sql/postgres.ts';

/**
 * Instances of the server over a PostgreSQL, in a process of their own. It tells their URLs as JSON, then a line for each
 * error that was no refusal and differs from the one before. Arguments: address, patience in milliseconds, gates that the
 * server begins with, of which each instance gets a writer.
 */

const [address = '', patience = '', gates = ''] = process.argv.slice(2);

const started = async (): Promise<string> => {
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
  return (await server.listen()).url;
};

const urls: string[] = [];
while (urls.length < 4) urls.push(await started());
writeSync(1, `${JSON.stringify(urls)}\n`);
