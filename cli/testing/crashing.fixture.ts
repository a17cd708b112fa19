/** A program that ends by an error that nobody catches, which quotes what it was told in confidence. */
import { endWithFaults } from '../fault.ts';
import { learnCommand } from '../known-secrets.ts';

endWithFaults();
learnCommand(['--api-key', 'key-of-a-crash-1'], {});
setTimeout(() => {
  throw new Error('no answer to key-of-a-crash-1');
});
