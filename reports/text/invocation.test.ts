import { expect, test } from 'vitest';
import { tool } from '../../contracts/report/tool.ts';
import { invocation, invocationFrom } from './shell.ts';

test('an installed package names itself and its version, a checkout its command, and the one file itself', () => {
  const installed = `file:///a/node_modules/${tool.name}/dist/reports/text/invocation.js`;
  expect(invocationFrom(installed)).toBe(`npx console-conformance@${tool.version}`);
  expect(invocationFrom('file:///a/console-conformance/dist/reports/text/invocation.js')).toBe('npx conform');
  expect(invocationFrom('file:///a/conform.mjs/reports/text/invocation.js')).toBe('node conform.mjs');
  expect(invocation).toBe('npx conform');
});
