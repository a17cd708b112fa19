import { expect, test } from 'vitest';
import type { LoggedRequest } from '../reference-server/index.ts';
import { requestLine, requestPrinter } from './served.ts';

const request: LoggedRequest = {
  number: 1,
  time: 0,
  took: 3.25,
  method: 'PATCH',
  url: '/console/v1/gates/a?\u001b[31m',
  endpoint: 'patch-gate',
  status: 400,
  headers: {},
  body: '',
  answerHeaders: {},
  answer: '',
  refused: {
    message: 'The request body is not valid.',
    errors: [
      { property: 'name', errorMessage: 'must be a string', requirement: 'gate.name' },
      { property: 'tags', errorMessage: 'must be an array', requirement: 'gate.tags' },
    ],
    requirements: ['gate.name', 'gate.tags'],
  },
  behaviours: [],
  answeredBy: null,
  keyName: 'api-key',
};

const out = (isTTY: boolean) => {
  const written: string[] = [];
  return { written, stream: { isTTY, say: (text: string) => void written.push(text) } };
};

test('a request is told on one line, with why it was refused, and nothing of it moves the cursor', () => {
  expect(requestLine(request, 'default')).toBe(
    'PATCH   /console/v1/gates/a?\\u{1b}[31m  400  3.3 ms  name must be a string; tags must be an array',
  );
  const lost = { ...request, url: '/a', status: null, took: 2000.4, refused: null, behaviours: ['b1'] };
  expect(requestLine(lost, 'sandbox-1')).toBe('PATCH   /a  no answer  2000 ms  sandbox-1  [b1]');
  expect(requestLine({ ...lost, keyName: 'reader', status: 403 }, 'default')).toBe(
    'PATCH   /a  403  2000 ms  reader  [b1]',
  );
});

const printing = (flags: Partial<Parameters<typeof requestPrinter>[0]>) => ({
  log: undefined,
  quiet: undefined,
  ...flags,
});

test('requests are told on a terminal, or where it is asked for, and in JSON with all that is known', () => {
  const [terminal, pipe] = [out(true), out(false)];
  requestPrinter(printing({}), terminal.stream)?.(request, 'default');
  expect(terminal.written).toHaveLength(1);
  expect(requestPrinter(printing({}), pipe.stream)).toBeUndefined();
  expect(requestPrinter(printing({ quiet: true }), terminal.stream)).toBeUndefined();
  requestPrinter(printing({ log: 'json' }), pipe.stream)?.(request, 'default');
  expect(JSON.parse(pipe.written[0] ?? '')).toEqual({ world: 'default', ...request });
  requestPrinter(printing({ log: 'text' }), pipe.stream)?.(request, 'default');
  expect(pipe.written[1]).toMatch(/^PATCH .*\n$/);
  expect(() => requestPrinter({ log: 'text', quiet: true }, pipe.stream)).toThrow('--quiet prints nothing');
});
