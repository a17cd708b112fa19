import { describe, expect, it } from 'vitest';
import { started } from '../proof/testing/started.ts';

const { send, call, server } = await started({ controlKey: 'c0ntrol' });
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const at = (path: string, headers: Record<string, string> = {}) => send(path, { key: null, headers });

describe('the page of the server', () => {
  it('is given to browsers, and the way to the document to programs', async () => {
    const page = await at('/_reference/', browser);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.vary).toBe('Accept');
    for (const accept of ['*/*', 'application/json'])
      expect((await at('/_reference/', { accept })).json).toEqual({
        openapi: '/_reference/openapi.json',
        version: 'v1',
      });
    expect((await at('/_reference', browser)).headers.location).toBe('/_reference/');
    expect((await send('/_reference', { method: 'POST', key: null })).status).toBe(404);
  });

  it('is whole: what its document names is there, and nothing of it stands elsewhere', async () => {
    const { text } = await at('/_reference/', browser);
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name = '']) => name);
    expect(named).toEqual(['data:,', 'page.css', 'page.js']);
    for (const name of named.slice(1)) {
      const { status, headers, text: content } = await at(`/_reference/${name}`);
      expect([name, status, headers['x-content-type-options']]).toEqual([name, 200, 'nosniff']);
      expect(content.length).toBeGreaterThan(1000);
      expect(content).not.toMatch(/@import|\burl\(|sourceMappingURL/);
    }
    expect((await at('/_reference/page.js')).text).toMatch(/^\/\*! Preact[\s\S]*MIT License/);
  });

  it('has a policy that lets nothing in but its own files', async () => {
    for (const path of ['/_reference/', '/_reference/page.js', '/_reference/page.css']) {
      const { headers } = await at(path, browser);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:",
      );
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
    }
  });

  it('is guarded by host and origin as all control paths are, and tells nothing of a world without the control key', async () => {
    for (const path of ['/_reference/', '/_reference/page.js', '/_reference/page.css']) {
      expect((await at(path, { ...browser, host: 'evil.example' })).status).toBe(403);
      expect((await at(path, { ...browser, origin: 'https://evil.example' })).status).toBe(403);
    }
    expect((await at('/_reference/v1/seed')).status).toBe(401);
    expect((await at('/_reference/v1/requirements/auth.wrong-key')).status).toBe(401);
  });
});

describe('what the page asks for beside the rest', () => {
  const key = { 'Reference-Control-Key': 'c0ntrol' };

  it('is what a requirement says', async () => {
    expect((await at('/_reference/v1/requirements/auth.wrong-key', key)).json).toMatchObject({
      id: 'auth.wrong-key',
      section: '5',
      level: 'MUST',
    });
    for (const id of ['nothing', '__proto__', 'toString'])
      expect((await at(`/_reference/v1/requirements/${id}`, key)).status).toBe(404);
  });

  it('is what the world held at first, whatever was changed', async () => {
    const seed = await server.control.state.all();
    await call('patch-gate', 'dark_mode', { description: 'changed' });
    const { json } = await at('/_reference/v1/seed', key);
    expect(json).toEqual(JSON.parse(JSON.stringify(seed)));
    expect(json).not.toEqual(await server.control.state.all());
  });
});
