/** The process of a mutated server: reports its address, and finally how often it differed. */
import { createReferenceServer, referenceTarget } from '../../../reference-server/index.ts';
import { startIndependentServer } from '../independent/server.ts';
import { watchDiffering } from './answers.ts';
import { mutationOf, type ServedQuestion } from './changes.ts';
import { onIndependent, onReference } from './seam.ts';

const { server, change, isWatched } = JSON.parse(process.argv[2] ?? '') as ServedQuestion;
let differed = 0;
const differing = new Set<number>();
// Mutants of sources are already built in.
const mutation =
  change === undefined
    ? isWatched
      ? watchDiffering(differing)
      : undefined
    : mutationOf(change)?.(() => (differed += 1));

const apiKey = 'k3-Mutant-Key';

async function served() {
  if (server === 'independent')
    return startIndependentServer(mutation === undefined ? undefined : onIndependent(mutation));
  const reference = createReferenceServer(
    mutation === undefined ? { apiKey } : onReference(mutation, apiKey, 'SERVICE-API-KEY'),
  );
  const { url } = await reference.listen();
  return { url, apiKey, targetFile: referenceTarget(reference.naming) };
}

process.on('message', () => process.send?.({ differed, differing: [...differing] }));
process.on('disconnect', () => process.exit());
// An unhandled error in a mutant must not end its server.
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
const { url, targetFile, apiKey: key } = await served();
process.send?.({ url, targetFile, apiKey: key });
