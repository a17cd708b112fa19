import { specificationNaming } from '../../contracts/target.ts';
import { createTrafficJudge, type ExchangeSink } from '../../suites/traffic/index.ts';
import { harEntry } from '../../suites/traffic/proxy/har.ts';
import { type Listening, type ProxyOptions, type RunningProxy, startProxy } from '../../suites/traffic/proxy/proxy.ts';
import { type RunningCommand, startCommand } from '../exec.ts';
import { type HarFile, openHar } from '../har-file.ts';
import { UsageError } from '../input.ts';
import { liveLines } from '../live-lines.ts';
import { terminalOf } from '../outputs.ts';
import { type ProxiedFlags, type ProxiedTarget, proxiedTarget } from '../proxied-target.ts';
import { judgingOf, openTrafficReports, type TrafficFlags } from '../traffic.ts';

/** The flags of `proxy`. */
export interface ProxyFlags extends TrafficFlags, ProxiedFlags {
  readonly listen?: Listening;
  readonly preserveHost?: boolean;
  /** Milliseconds. */
  readonly untilIdle?: number;
  readonly exec?: string;
  /** Names of variables that hold the address of the proxy for the command. */
  readonly env: readonly string[];
  readonly record?: string;
}

/** Where the proxy listens unless told otherwise; a command is told the address, so any free port will do. */
const usual: Listening = { host: '127.0.0.1', port: 4011 };

/** The exit code where the command failed, and nothing is wrong with what the proxy saw. */
const commandFailed = 5;

async function started(options: ProxyOptions, flags: ProxyFlags): Promise<RunningProxy> {
  const at = flags.listen ?? (flags.exec === undefined ? usual : { ...usual, port: 0 });
  return startProxy(options, at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new UsageError(`port ${at.port} is taken; choose another with --listen`);
    throw new UsageError(`cannot listen on ${at.host}:${at.port} (${error.code ?? error.message})`);
  });
}

function greet({ url }: RunningProxy, target: ProxiedTarget, flags: ProxyFlags): void {
  const { baseUrl, embedded, apiKey } = target;
  const lines = [
    `${url.origin} passes everything on to ${embedded ? 'the embedded reference server' : baseUrl.href}, and judges both sides.`,
    ...(embedded && flags.apiKey === undefined ? [`Its API key is ${apiKey}.`] : []),
    ...(flags.exec === undefined ? ['Ctrl-C writes the reports.'] : []),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** What ends the proxy: a signal, idleness, or the command; and what is known of the command then. */
interface Ending {
  readonly isInterrupted: boolean;
  readonly commandCode?: number;
}

/** Waits for the end. Signals go to the command, where there is one; a second one ends it for certain. */
async function untilTheEnd(command: RunningCommand | undefined, idle: Promise<void>): Promise<Ending> {
  let signals = 0;
  let stop: () => void = () => {};
  const stopped = new Promise<void>(resolve => {
    stop = resolve;
  });
  const onSignal = (name: NodeJS.Signals): void => {
    signals += 1;
    if (command === undefined) stop();
    else command.signal(signals > 1 ? 'SIGKILL' : name);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    if (command === undefined) {
      await Promise.race([stopped, idle]);
      return { isInterrupted: false };
    }
    const commandCode = await command.ended;
    await command.cleanUp();
    return { isInterrupted: signals > 0, commandCode };
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** A sink that judges and then records; what is recorded is redacted by what the judge has seen. */
function recording(
  judge: ExchangeSink,
  entryOf: (exchange: Parameters<ExchangeSink['observe']>[0]) => object,
  har: HarFile,
) {
  let broken: Error | null = null;
  return {
    sink: {
      observe(exchange) {
        judge.observe(exchange);
        if (broken !== null) return;
        try {
          har.add(entryOf(exchange));
        } catch (error) {
          broken = error as Error;
        }
      },
    } satisfies ExchangeSink,
    end() {
      if (broken === null) har.close();
      else throw broken;
    },
  };
}

/**
 * Stands before a target, passes everything on and judges it, until it is interrupted, nothing comes any more, or the
 * command of `--exec` has ended. Returns the exit code: that of the traffic, and 5 where it is clean and the command
 * failed.
 */
export async function proxyCommand(flags: ProxyFlags, environment: NodeJS.ProcessEnv): Promise<number> {
  if (flags.untilIdle !== undefined && flags.exec !== undefined)
    throw new UsageError('--until-idle and --exec both say when to end: give one of them');
  const judging = judgingOf(flags);
  const reports = await openTrafficReports(flags, environment);
  const har = flags.record === undefined ? undefined : openHar(flags.record);
  const target = await proxiedTarget(flags, environment);
  const { baseUrl, naming, apiKey, embedded } = target;
  const isTerminal = terminalOf(process.stderr, environment).interactive && flags.exec === undefined;
  const live = isTerminal ? liveLines(process.stderr, terminalOf(process.stderr, environment).colour) : undefined;
  const startedAt = Date.now();
  const judge = createTrafficJudge({
    ...judging,
    soleWriter: flags.soleWriter === true || embedded,
    baseUrl,
    naming,
    embedded,
    ...(apiKey === undefined ? {} : { apiKey }),
    sources: ['the proxy'],
    startedAt: new Date(startedAt).toISOString(),
    emit: reports.emit,
    ...(live === undefined ? {} : { onBreach: live.breach }),
  });
  const shown = live?.around(judge) ?? judge;
  const keyHeader = naming.apiKeyHeader ?? specificationNaming.apiKeyHeader;
  const entries = { baseUrl, startedAt, keyHeader, redact: judge.redact };
  const recorder = har === undefined ? undefined : recording(shown, exchange => harEntry(exchange, entries), har);
  let onIdle = (): void => {};
  const idle = new Promise<void>(resolve => {
    onIdle = resolve;
  });
  let unread = 0;
  const notice = (text: string): void => {
    unread += 1;
    if (unread <= 20) process.stderr.write(`conform: ${text}\n`);
  };
  const { preserveHost = false, untilIdle: idleMs, exec } = flags;
  const options = {
    target: baseUrl,
    access: target.access,
    sink: recorder?.sink ?? shown,
    preserveHost,
    notice,
    onIdle,
  };
  try {
    const proxy = await started({ ...options, ...(idleMs === undefined ? {} : { idleMs }) }, flags);
    greet(proxy, target, flags);
    const own = ['CONFORM_BASE_URL', ...flags.env].map(name => [name, proxy.url.origin]);
    const key = embedded && apiKey !== undefined ? { SERVICE_API_KEY: apiKey } : {};
    const command =
      exec === undefined ? undefined : startCommand(exec, { ...environment, ...key, ...Object.fromEntries(own) });
    const ending = await untilTheEnd(command, idle);
    await proxy.close();
    if (unread > 0)
      process.stderr.write(`${unread} times something that passed could not be read, and was not judged.\n`);
    judge.end(ending.isInterrupted ? 'interrupted' : 'complete');
    const code = await reports.end();
    recorder?.end();
    return exitCodeOf(code, ending, proxy.exchanges());
  } finally {
    await target.close();
  }
}

/** One exit code for the traffic and the command: a command that failed counts where the traffic is clean, or is none. */
function exitCodeOf(code: number, { commandCode = 0 }: Ending, exchanges: number): number {
  if (commandCode === 0) return code;
  process.stderr.write(`The command ended with exit code ${commandCode}.\n`);
  return code === 0 || (code === 3 && exchanges === 0) ? commandFailed : code;
}
