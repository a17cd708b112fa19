import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { heldOpen } from '../http/held-open.ts';
import type { LoggedRequest } from '../log/request-log.ts';

/** Subscribes a listener and returns the function that ends it. */
type Begin = (listener: (request: LoggedRequest) => void) => () => void;

/** Maximum number of open streams, and maximum unread bytes before a stream is closed. */
const most = 50;
const mostWaiting = 1024 * 1024;
/** Milliseconds between empty comments, which stop proxies from closing an idle stream. */
const pulse = 15_000;

/** Tracks the responses that stay open: server-sent events, and those that never come. */
export const createStreams = () => {
  const ends = new Set<() => void>();
  const stalled = new Set<ServerResponse>();
  return {
    /** Opens a stream; false if there are too many. */
    open(context: Context, begin: Begin): boolean {
      if (ends.size >= most) return false;
      const { res } = context;
      context.respond = false;
      res.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      });
      res.write(': requests\n\n');
      const stops: (() => void)[] = [];
      const end = (): void => {
        for (const stop of stops.splice(0)) stop();
        ends.delete(end);
        if (!res.writableEnded) res.end();
      };
      const tell = (text: string): void => {
        if (res.writableEnded) return;
        if (res.writableLength > mostWaiting) end();
        else res.write(text);
      };
      ends.add(end);
      res.once('close', end);
      stops.push(begin(request => tell(`id: ${request.number}\nevent: request\ndata: ${JSON.stringify(request)}\n\n`)));
      const timer = setInterval(() => tell(': \n\n'), pulse).unref();
      stops.push(() => clearInterval(timer));
      if (res.writableEnded) end();
      return true;
    },
    /** Leaves a response open until its client or the server ends it. */
    stall(res: ServerResponse): void {
      heldOpen(res);
      stalled.add(res);
      res.once('close', () => stalled.delete(res));
    },
    /** Closes all open responses. */
    close(): void {
      for (const end of [...ends]) end();
      for (const res of [...stalled]) res.destroy();
    },
  };
};

/** The open responses of a server. */
export type Streams = ReturnType<typeof createStreams>;
