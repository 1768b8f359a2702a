// A web space as teachers have one: it hands out files, from some folder or other, and can do nothing else.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';

const KINDS = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', json: 'application/json', wasm: 'application/wasm' };

// The page is at /some/where/. At /class/ it has the models of a folder beside it, and no kind is known of the engines.
export function space(page, models) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const [, place, own] = /^\/(some\/where|class)\/(.*)$/.exec(path) ?? [];
    const name = own || 'index.html';
    const kind = place === 'class' && name.endsWith('.wasm') ? 'application/octet-stream' : KINDS[name.split('.').pop()] ?? 'text/plain';
    try {
      const lies = place === 'class' && /^models(\.json$|\/)/.test(name) ? models : page;
      const file = readFileSync(join(lies, lies === models ? name.replace(/^models\//, '') : name));
      response.writeHead(200, { 'Content-Type': kind }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => {
    const base = `http://127.0.0.1:${server.address().port}/`;
    ready({ link: base + 'some/where/#', close: () => { server.closeAllConnections(); server.close(); } });
  }));
}
