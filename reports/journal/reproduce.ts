import type { Counterexample } from '../../contracts/report/evidence.ts';
import type { RunStart } from '../../contracts/report/journal.ts';
import { invocation } from '../text/invocation.ts';
import { shellWord, singleQuoted } from '../text/shell.ts';

/** True of a finding that no case shows: what the run sent beside its cases did, before them, after them or between. */
export const isOfNoCase = (counterexample: Pick<Counterexample, 'path'> | undefined): boolean =>
  counterexample?.path === '';

/**
 * Returns what sends again what showed a finding of a check (`endpoint/check`): a selection, as `--only` takes it, and
 * the `--path` of its case. The minimal request has none: every run of its check sends it. What no case shows takes all
 * of the operation.
 */
export function replayed(
  check: string,
  counterexample: Pick<Counterexample, 'path'> | undefined,
): { readonly only: string; readonly path: string | undefined } {
  if (isOfNoCase(counterexample)) return { only: check.replace(/\/.*/s, '/*'), path: undefined };
  return { only: check, path: counterexample?.path === 'plain' ? undefined : counterexample?.path };
}

/**
 * Returns the command that replays one check, or with a counterexample exactly that case, with the seed and profile of
 * the run. A run against the embedded server is replayed against the embedded server.
 *
 * @param check the id of the check, `endpoint/check`
 * @param hasLearned true if the run learned names: they are taken from its journal, where there is one, for learned anew
 *   they might be others
 */
export function reproduceLine(
  run: RunStart,
  check: string,
  counterexample?: Pick<Counterexample, 'path'>,
  hasLearned = false,
): string {
  const { target, options, seed, profile } = run;
  // What others sent is judged again, never sent again.
  if (options.traffic !== undefined) return [invocation, 'judge', ...options.traffic.sources.map(shellWord)].join(' ');
  const words = [invocation, 'run'];
  const add = (flag: string, value: string | undefined) => {
    if (value === undefined) return;
    // `--seed=-5`: a separate `-5` would be read as a flag.
    words.push(...(value.startsWith('-') ? [`${flag}=${shellWord(value)}`] : [flag, shellWord(value)]));
  };
  if (!target.embedded) add('--base-url', target.baseUrl);
  add('--config', options.config);
  const { only, path } = replayed(check, counterexample);
  words.push('--only', singleQuoted(only));
  add('--seed', String(seed));
  add('--profile', profile);
  if (options.readOnly) words.push('--read-only');
  if (options.strict) words.push('--strict');
  if (hasLearned) add('--learned', options.journal);
  add('--path', path);
  return words.join(' ');
}
