import { own } from '../contracts/redaction/shown.ts';
import { type Line, paint, styled } from '../reports/text/page.ts';
import { safeText } from '../reports/text/safe-text.ts';
import type { ExchangeSink, SeenBreach, TrafficJudge } from '../suites/traffic/index.ts';
import { shown } from './known-secrets.ts';
import { errors, type Stream, tell } from './writer.ts';

/**
 * Shows traffic as it passes: a line for each exchange, and one for each breach below it. Writes to the standard error,
 * because the standard output is for the reports.
 */
export function liveLines(stream: Pick<Stream, 'write'>, colour: boolean) {
  let found: SeenBreach[] = [];
  return {
    /** Receives the breaches that the judge finds in an exchange. */
    breach: (breach: SeenBreach) => void found.push(breach),
    /** Returns a sink that hands each exchange on to a judge and then shows it. */
    around: (judge: ExchangeSink & Pick<TrafficJudge, 'redaction'>): ExchangeSink => ({
      observe(exchange) {
        found = [];
        judge.observe(exchange);
        const { request, response, number, sentAtMs, answeredAtMs } = exchange;
        const isAnswered = 'status' in response;
        const outcome = isAnswered ? String(response.status) : '---';
        const title: Line = [
          styled('faint', `${String(number).padStart(5)} `),
          `${outcome} ${request.method} ${judge.redaction.url(request.target).slice(0, 160)}`,
          styled(
            'faint',
            `  ${Math.round(answeredAtMs - sentAtMs)} ms${isAnswered ? '' : `  ${judge.redaction.text(response.failure)}`}`,
          ),
        ];
        const breaches = found.map(
          ({ level, side, requirement, text, number: own }): Line => [
            '      ',
            level === 'MUST' ? styled('bad', `✗ ${side}`) : styled('careful', `! ${side}`),
            ` ${requirement}  ${own === number ? '' : `(exchange ${own}) `}${text}`,
          ],
        );
        stream.write(shown(paint([title, ...breaches], colour)));
      },
    }),
  };
}

/** Reports exchanges that could not be read: the first ones as they happen, and the total at the end. */
export function noticing({ redaction }: Pick<TrafficJudge, 'redaction'>) {
  let times = 0;
  return {
    notice(text: string): void {
      times += 1;
      if (times <= 20) tell(`conform: ${safeText(redaction.text(text), 400)}\n`);
    },
    end(): void {
      if (times > 0) errors.say(own`${times} times something passed that could not be read, and was not judged.\n`);
    },
  };
}
