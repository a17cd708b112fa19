import { once } from 'node:events';
import { createServer } from 'node:net';
import { compact, present } from '../../contracts/present.ts';
import { own, vouched } from '../../contracts/redaction/shown.ts';
import { deferred } from '../../suites/protocol/deferred.ts';
import { createTrafficJudge, type ExchangeSink, type ObservedExchange } from '../../suites/traffic/index.ts';
import { type HarOptions, harEntry } from '../../suites/traffic/recordings/har-entry.ts';
import { startEnforcingProxy } from '../../suites/traffic/wire/enforce.ts';
import { type Listening, type RunningProxy, startProxy } from '../../suites/traffic/wire/proxy.ts';
import type { ProxyFlags } from '../definitions/traffic.ts';
import { gateBefore } from '../enforcing.ts';
import { type RunningCommand, refuseNoCommand, startCommand } from '../exec.ts';
import { refuse } from '../input.ts';
import { onEndingSignal } from '../interruption.ts';
import { refuseUnwritable } from '../later-file.ts';
import { terminalOf } from '../outputs.ts';
import { openHar } from '../record-output.ts';
import { inFolder } from '../run-folder.ts';
import { judgingOf, liveLines, noticing, openTrafficReports, proxiedTarget } from '../traffic.ts';
import { errors } from '../writer.ts';

/** Where the proxy listens by default. With a command any free port will do, because the command gets the address. */
const usual: Listening = { host: '127.0.0.1', port: 4011 };

/** Starts something where the flags say. Throws a `UsageError` if it cannot listen there. */
async function listeningAs<T>(flags: ProxyFlags, start: (at: Listening) => Promise<T>): Promise<T> {
  const at = flags.listen ?? (flags.exec === undefined ? usual : { ...usual, port: 0 });
  return start(at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') refuse(`port ${at.port} is taken; choose another with --listen`);
    refuse(`cannot listen on ${at.host}:${at.port} (${error.code ?? error.message})`);
  });
}

/** Listens at an address and closes it again. Throws the error of the system if it is taken. */
async function triedOut({ host, port }: Listening): Promise<void> {
  // A client that connects meanwhile must not keep it open.
  const server = createServer(socket => socket.destroy()).listen(port, host);
  await once(server, 'listening');
  await once(server.close(), 'close');
}

function greet({ url }: RunningProxy, { baseUrl, embedded, apiKey }: ProxiedTarget, flags: ProxyFlags): void {
  const behind = embedded ? 'the embedded reference server' : baseUrl.href;
  const lines = compact([
    flags.enforce
      ? `${url.origin} holds back what comes until it has been judged, and passes on to ${behind} what is right.`
      : `${url.origin} passes everything on to ${behind}, and judges both sides.`,
    embedded && flags.apiKey === undefined && `Its API key is ${apiKey}.`,
    flags.exec === undefined && 'Ctrl-C writes the reports.',
  ]);
  errors.say(vouched(`${lines.join('\n')}\n`));
}

/** Collects the signals of the process from now on, and keeps those that come before a handler is set. */
function heededSignals() {
  const early: NodeJS.Signals[] = [];
  let act = (name: NodeJS.Signals): void => void early.push(name);
  return {
    off: onEndingSignal(name => act(name)),
    each(next: typeof act): void {
      act = next;
      for (const name of early) next(name);
    },
  };
}

type ProxiedTarget = Awaited<ReturnType<typeof proxiedTarget>>;
type Signals = ReturnType<typeof heededSignals>;

/**
 * Waits for a signal, idleness, or the end of the command. Passes signals on to the command, if any; the second kills
 * it.
 */
async function untilTheEnd(command: RunningCommand | undefined, idle: Promise<void>, heeded: Signals) {
  let signals = 0;
  const stopped = deferred();
  heeded.each(name => {
    signals += 1;
    if (!command) stopped.resolve();
    else command.signal(signals > 1 ? 'SIGKILL' : name);
  });
  if (!command) {
    await Promise.race([stopped.promise, idle]);
    return { isInterrupted: false, commandCode: 0 };
  }
  const commandCode = await command.ended;
  await command.cleanUp();
  return { isInterrupted: signals > 0, commandCode };
}

/** Returns a sink that judges, then records. The judge must come first: its knowledge redacts the recording. */
function recording(har: ReturnType<typeof openHar>, judge: ExchangeSink, options: HarOptions) {
  let broken: Error | null = null;
  return {
    observe(exchange: ObservedExchange): void {
      judge.observe(exchange);
      if (broken) return;
      try {
        har.add(harEntry(exchange, options));
      } catch (error) {
        broken = error as Error;
      }
    },
    end(): void {
      if (broken) throw broken;
      har.close();
    },
  };
}

function refuseFlags({ untilIdle, exec, enforce }: ProxyFlags): void {
  if (exec !== undefined) refuseNoCommand('--exec', exec);
  if (untilIdle !== undefined && exec !== undefined)
    refuse('--until-idle and --exec both say when to end: give one of them');
  if (untilIdle !== undefined && enforce) refuse('--until-idle and --enforce cannot be combined');
}

/**
 * Stands before a target, passes everything on and judges it, until it is interrupted, idle, or the command of `--exec`
 * ends. Returns the exit code of the traffic, or 5 if the traffic is clean and the command failed.
 */
export const command = async (flags: ProxyFlags) => {
  refuseFlags(flags);
  const judging = judgingOf(flags);
  // Heed signals before the address is printed, because its reader may stop the proxy at once.
  const signals = heededSignals();
  try {
    return await inFolder(flags.out, async () => {
      const target = await proxiedTarget(flags);
      try {
        // Files of an earlier run are replaced only once nothing else is wrong.
        await listeningAs(flags, triedOut);
        if (flags.record !== undefined) refuseUnwritable(flags.record, '--record');
        return await judgedProxy(flags, target, judging, signals);
      } finally {
        await target.close();
      }
    });
  } finally {
    signals.off();
  }
};

async function judgedProxy(
  flags: ProxyFlags,
  target: ProxiedTarget,
  judging: ReturnType<typeof judgingOf>,
  signals: Signals,
): Promise<number> {
  const { record, exec, enforce, env, preserveHost = false, untilIdle: idleMs } = flags;
  const reports = await openTrafficReports(flags, compact([record]));
  const har = record === undefined ? undefined : openHar(record);
  const { baseUrl, naming, apiKey, embedded, access } = target;
  const { colour, interactive } = terminalOf(errors);
  const live = interactive && exec === undefined ? liveLines(colour) : undefined;
  const startedAt = Date.now();
  const options = {
    ...judging,
    // Only this proxy writes to the embedded server, where writes show at once.
    ...(embedded && { soleWriter: true, settleMs: 0 }),
    baseUrl,
    naming,
    embedded,
    ...present({ apiKey }),
    sources: ['the proxy'],
    startedAt: new Date(startedAt).toISOString(),
  };
  const gate = enforce ? gateBefore(() => ({ sink, settle: judge.settle }), options) : undefined;
  const judge = createTrafficJudge({
    ...options,
    emit: reports.emit,
    onBreach(breach) {
      live?.breach(breach);
      gate?.breach(breach);
    },
    ...present({ onUnjudged: gate?.unjudged }),
  });
  const looked = live?.around(judge) ?? judge;
  const recorder = har && recording(har, looked, { baseUrl, startedAt, redaction: judge.redaction });
  const sink: ExchangeSink = recorder ?? looked;
  const idle = deferred();
  const { notice, end: endNotices } = noticing(judge);
  const passing = { target: baseUrl, access, preserveHost, notice };
  const watching = present({ ...passing, sink, onIdle: idle.resolve, idleMs });
  const proxy = await listeningAs(flags, at =>
    !gate ? startProxy(watching, at) : startEnforcingProxy({ ...passing, gate }, at),
  );
  const addresses = Object.fromEntries(['CONFORM_BASE_URL', ...env].map(name => [name, proxy.url.origin]));
  const key = embedded && apiKey !== undefined ? { SERVICE_API_KEY: apiKey } : {};
  const command = exec === undefined ? undefined : startCommand(exec, { ...process.env, ...key, ...addresses });
  const end = untilTheEnd(command, idle.promise, signals);
  greet(proxy, target, flags);
  const { isInterrupted, commandCode } = await end;
  await proxy.close();
  endNotices();
  if (commandCode !== 0 && !isInterrupted) {
    const text = `the command of --exec ended with exit code ${commandCode}: where its traffic is clean, or there is none, the process ends with 5 in place of the exit code of this report`;
    reports.emit(vouched({ event: 'notice', severity: 'warning', text }));
  }
  judge.end(isInterrupted ? 'interrupted' : 'complete');
  const code = await reports.end();
  recorder?.end();
  if (commandCode === 0) return code;
  errors.say(own`The command ended with exit code ${commandCode}.\n`);
  // A failed command counts if the traffic is clean or there was none.
  return code === 0 || (code === 3 && proxy.exchanges() === 0) ? 5 : code;
}
