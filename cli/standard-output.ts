/**
 * Keeps a standard output that cannot be written from ending this process: a run still has to put its target back and to write its files. Who reads no
 * further (`| head`) has what they wanted and changes nothing; of anything else, a full disk above all, the end tells in one line, with exit code 2 in the
 * place of 0, 1 and 3.
 */
export function outliveStandardOutput(): void {
  let first: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', error => {
    first ??= error;
  });
  // There is nowhere left to tell of it.
  process.stderr.on('error', () => {});
  process.on('exit', code => {
    if (first === undefined || first.code === 'EPIPE') return;
    process.stderr.write(`conform: cannot write the standard output (${first.code ?? first.message})\n`);
    if (code < 4) process.exitCode = 2;
  });
}
