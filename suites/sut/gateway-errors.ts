import { hasDryRun } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import { isGatewayError, isLimited } from '../client/deferral.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { keepsSchema } from '../judge/schema.ts';
import { type Answer, outcomeOf, usesKey } from '../protocol/answer.ts';
import { interrupted, MetItself, PutOff, WentAway, Withheld } from '../protocol/stop.ts';
import type { Wire } from './session.ts';

/** Number of consecutive gateway errors that count as the target's answer. */
const mostGatewayErrors = 3;

/** If more than one in this many requests was retried, that is no chance. */
export const rare = 200;

/** Returns in words that a target defers a request beyond all waiting. */
export function putOffText(answer: Answer): string {
  const header = clip(String(answer.reply.headers['retry-after'] ?? 'absent'), 40);
  return `puts requests off for longer than the suite waits (${refusalInWords(answer)}; Retry-After ${header})`;
}

/** Returns in words that the whole target is away. */
export const awayText = (answer: Answer): string =>
  `the target went away: it answers no more (${outcomeOf(answer)}), not even a read that it answered before`;

/** The remedy for a server that answers nothing but errors, or went away. */
export const absenceRemedy = 'look at its log; where it is still starting, wait for it with --wait 60s';

/** Throws for an answer that nobody may judge, because it says nothing about the target. */
export function refuseToJudge(wire: Wire, answer: Answer): void {
  const { cutShort } = answer.reply;
  if (cutShort === 'interrupted') throw interrupted();
  if (cutShort === 'away') throw new WentAway(awayText(answer), answer);
  if (cutShort === 'was-away')
    throw new Withheld(
      `the target was away (${outcomeOf(answer)}), and ${answer.request.endpoint} cannot be sent twice`,
    );
  // A target that still defers a request (429, or 503 with `Retry-After`) shows nothing of itself.
  if (isLimited(answer.reply)) throw new PutOff(`${answer.request.endpoint} ${putOffText(answer)}`, answer);
  refuseSelfMet(answer);
  refuseUnknowable(wire, answer);
}

/**
 * Throws if a gateway failed for a one-shot operation: it may have been carried out, and cannot be sent again to find
 * out. A repeated failure is accepted as the target's answer, unless those of other requests often pass: then it may be
 * one of them, as of a gateway that limits the rate by 503.
 */
function refuseUnknowable({ gatewayErrors, client }: Wire, { request: { endpoint }, status }: Answer): void {
  if (endpointRow(endpoint).oneShot !== true) return;
  const errors = isGatewayError(status) ? (gatewayErrors.get(endpoint) ?? 0) + 1 : 0;
  gatewayErrors.set(endpoint, errors);
  const arePassing = client.retries().gateway * rare > client.sent();
  if (errors > 0 && (errors < mostGatewayErrors || arePassing))
    throw new Withheld(`a gateway answered for the target (status ${status}), and ${endpoint} cannot be sent twice`);
}

/**
 * Throws if a sound request was refused after an earlier try of it that may have been carried out: a creation, which had
 * the same name each time and may have taken it, or a one-shot operation, which was put off with 503.
 */
function refuseSelfMet(answer: Answer): void {
  const { request, sent, status, reply, own } = answer;
  const row = endpointRow(request.endpoint);
  const isSentAgain = (reply.attempts ?? 1) > 1;
  if (!isSentAgain || status < 400 || status >= 500 || !usesKey(request)) return;
  if (row.oneShot === true && own && request.raw === undefined && keepsSchema(sent, row))
    throw new MetItself(
      `${request.endpoint} was put off with 503, and refused when it was sent again (${refusalInWords(answer)}): the first may have been carried out`,
    );
  if (row.effect !== 'additive') return;
  // A dry run takes no name.
  const isDry = hasDryRun(row) && membersOf(sent).dryRun === true;
  if (sent === undefined || sent !== request.body || isDry || !keepsSchema(sent, row)) return;
  throw new MetItself(
    `an answer got lost, and the creation was refused when it was sent again (${refusalInWords(answer)})`,
  );
}
