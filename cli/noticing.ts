import { own } from '../contracts/redaction/shown.ts';
import { safeText } from '../reports/text/safe-text.ts';
import type { TrafficJudge } from '../suites/traffic/index.ts';
import { shown } from './known-secrets.ts';
import { errors } from './writer.ts';

/** Tells of what could not be read: some of it as it happens, and how often in all at the end. */
export function noticing({ redaction }: Pick<TrafficJudge, 'redaction'>) {
  let times = 0;
  return {
    notice(text: string): void {
      times += 1;
      if (times <= 20) errors.say(shown(`conform: ${safeText(redaction.text(text), 400)}\n`));
    },
    end(): void {
      if (times > 0) errors.say(own`${times} times something passed that could not be read, and was not judged.\n`);
    },
  };
}
