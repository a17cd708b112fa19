/** A program that crashes with an uncaught error which quotes a secret. */
import { endWithFaults } from '../fault.ts';
import { learnCommand } from '../writer.ts';

endWithFaults();
learnCommand(['--api-key', 'key-of-a-crash-1'], {});
setTimeout(() => {
  throw new Error('no answer to key-of-a-crash-1');
});
