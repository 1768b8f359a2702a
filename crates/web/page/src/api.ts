// Talking to the server, or to the engines inside the page. The key comes with the link, after `#`, and stays in this page.
import { Alone } from './alone';
import { Failed } from './failed';
import type { Report } from './types';

const KEY = 'quotient-key';

export const report: Report | null = (() => {
  const data = document.getElementById('data');
  return data ? JSON.parse(data.textContent ?? 'null') : null;
})();

function takeKey(): string {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const key = wanted.get('token');
  try {
    if (key) {
      wanted.delete('token');
      localStorage.setItem(KEY, key);
      history.replaceState(null, '', location.pathname + (wanted.size ? '#' + wanted : ''));
      return key;
    }
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return key ?? '';
  }
}
// A page that has the engines beside it says where.
const engines = document.querySelector<HTMLMetaElement>('meta[name=quotient-engines]')?.content;
export const alone = engines ? new Alone(engines, 'worker.js') : null;
const key = report || alone ? '' : takeKey();

export { Failed };

async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const response = await fetch('/api/' + path, {
    method,
    signal,
    headers: { Authorization: 'Bearer ' + key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    throw new Failed(0, 'The server does not answer. Is `quotient serve` still running?');
  });
  if (!response.ok) {
    const said = await response.json().catch(() => ({ error: response.statusText }));
    throw new Failed(response.status, said.error);
  }
  return response;
}

export async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  if (alone) return alone.ask(method, path, body, signal);
  return (await call(method, path, body, signal)).json();
}

// Begins a run and hands over its events as they come. Gives a way to call it off.
export function run(order: unknown, hear: (name: string, data: any) => void): { cancel: () => void; ended: Promise<void> } {
  if (alone) return alone.run(order, hear);
  const abort = new AbortController();
  let id = '';
  const ended = (async () => {
    id = (await ask<{ id: string }>('POST', 'runs', order, abort.signal)).id;
    const response = await call('GET', `runs/${id}/events`, undefined, abort.signal);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        let name = '', data = '';
        for (const line of frame.split('\n')) {
          if (line.startsWith('event: ')) name = line.slice(7);
          if (line.startsWith('data: ')) data += line.slice(6);
        }
        if (name) hear(name, JSON.parse(data));
      }
    }
  })();
  const cancel = () => {
    if (id) ask('DELETE', 'runs/' + id).catch(() => abort.abort());
    else abort.abort();
  };
  return { cancel, ended };
}
