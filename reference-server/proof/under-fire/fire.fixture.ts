import type { RawAnswer } from './answers.fixture.ts';
import type { Attack, Write } from './attack.fixture.ts';
import { attackAt } from './attacks.fixture.ts';
import { type Connection, opened } from './connection.fixture.ts';
import { problemOf } from './judge.fixture.ts';
import { requestText } from './request.fixture.ts';

/** A valid write and what was answered. */
export interface Done extends Write {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the model looks into answers of every shape
  readonly data: any;
}

/** The results of some attacks. */
export interface Fired {
  /** What was wrong, with the number and the kind of the attack. */
  readonly problems: string[];
  /** How many answers of each status there were. */
  readonly statuses: Map<number, number>;
  readonly done: Done[];
}

/** Connections at a time. */
const lanes = 24;

const sentinelAt = (page: number): string =>
  requestText({ method: 'GET', target: `/console/v1/segments?limit=1&page=${page}` });

const isSentinelOf = (answer: RawAnswer | undefined, page: number): boolean =>
  answer?.status === 200 && JSON.parse(answer.body).pagination.pageNumber === page;

/**
 * Fires the attacks from number `from` to before number `to` at a server on this port, on several connections at once.
 */
export const fire = async (port: number, seed: number, from: number, to: number): Promise<Fired> => {
  const outcome: Fired = { problems: [], statuses: new Map(), done: [] };
  let next = from;

  const take = (answer: RawAnswer, attack: Attack, tell: (problem: string) => void): void => {
    outcome.statuses.set(answer.status, (outcome.statuses.get(answer.status) ?? 0) + 1);
    const problem = problemOf(answer, attack);
    if (problem !== undefined) tell(problem);
    else if (attack.sent !== undefined)
      outcome.done.push({ ...attack.sent, status: answer.status, data: JSON.parse(answer.body).data });
  };

  const alone = async (attack: Attack, tell: (problem: string) => void): Promise<void> => {
    const connection = await opened(port);
    connection.write(attack.bytes);
    if (attack.ending === 'reset') return connection.reset();
    const closed = connection.end();
    let answers = 0;
    for (let answer = await connection.answer('GET'); answer !== undefined; answer = await connection.answer('GET')) {
      answers++;
      take(answer, attack, tell);
    }
    await closed;
    const rest = await connection.closed;
    if (rest.length > 0) tell(`was answered with more than answers: ${rest.toString('latin1').slice(0, 100)}`);
    if (answers === 0) tell('was not answered');
  };

  /**
   * Sends a whole request and behind it one whose response is unmistakable. Resolves with whether the connection may be
   * used again.
   */
  const among = async (
    connection: Connection,
    attack: Attack,
    index: number,
    tell: (problem: string) => void,
  ): Promise<boolean> => {
    const atOnce = index % 4 === 0;
    const sentinel = Buffer.from(sentinelAt(index + 1));
    connection.write(atOnce ? Buffer.concat([attack.bytes, sentinel]) : attack.bytes);
    const answer = await connection.answer(attack.method);
    if (answer === undefined) {
      tell('was dropped without an answer');
      return false;
    }
    take(answer, attack, tell);
    if (answer.headers.get('connection') === 'close') {
      const rest = await connection.closed;
      if (rest.length > 0) tell(`was answered twice: ${rest.toString('latin1').slice(0, 100)}`);
      return false;
    }
    if (!atOnce) connection.write(sentinel);
    const after = await connection.answer('GET');
    if (isSentinelOf(after, index + 1)) return true;
    tell(`left its connection out of step: ${after?.status} ${after?.body.slice(0, 100)}`);
    return false;
  };

  const lane = async (): Promise<void> => {
    let connection: Connection | undefined;
    while (next < to) {
      const index = next++;
      const attack = attackAt(seed, index);
      const tell = (problem: string): void => {
        if (outcome.problems.length < 50) outcome.problems.push(`${index} (${attack.kind}) ${problem}`);
      };
      try {
        if (attack.ending !== 'whole') await alone(attack, tell);
        else {
          connection ??= await opened(port);
          if (!(await among(connection, attack, index, tell))) {
            connection.socket.destroy();
            connection = undefined;
          }
        }
      } catch (error) {
        tell(`could not be read: ${error}`);
        connection?.socket.destroy();
        connection = undefined;
      }
    }
    await connection?.end();
  };

  await Promise.all(Array.from({ length: lanes }, lane));
  return outcome;
};
