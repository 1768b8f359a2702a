// The page without a server: questions go to workers that have the engines inside, files stay in this browser.
import { Failed } from './failed';
import { Pool } from './pool';
import { Shelf } from './shelf';

export interface Transport {
  ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<any>;
  run(order: unknown, hear: (name: string, data: any) => void): { cancel: () => void; ended: Promise<void> };
}

// The questions that are answered while somebody waits, and runs, have workers of their own.
const QUICK = 2, RUNS = 2;

export class Alone implements Transport {
  private quick: Pool;
  private runs: Pool;
  private shelf = new Shelf();
  private ready: Promise<void>;
  private reports = new Map<string, any>();
  private counted = 0;

  constructor(program: string, script: string) {
    const module = compiled(program);
    // Whoever asks hears of it.
    module.catch(() => {});
    this.quick = new Pool(module, script, QUICK);
    this.runs = new Pool(module, script, RUNS);
    this.ready = this.shelf.begin();
    this.ready.catch(() => {});
  }

  async ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<any> {
    await this.ready;
    const [what, query] = path.split('?');
    if (what === 'files') return this.shelf.list();
    if (what === 'file') return method === 'PUT' ? this.shelf.write(body as any) : this.shelf.read(new URLSearchParams(query).get('path') ?? '');
    if (what === 'runs' && method === 'POST') return this.begin(body);
    if (what.startsWith('runs/')) return this.reports.get(what.slice(5)) ?? { running: true };
    const { status, body: said } = await this.quick.ask({ method, path, body: this.complete(body) }, undefined, signal);
    if (status >= 400) throw new Failed(status, said.error);
    return what === 'about' ? { ...said, first: this.shelf.first } : said;
  }

  // A run that nobody listens to: its report is asked for.
  private begin(order: unknown) {
    const id = String(++this.counted);
    this.runs.ask({ method: 'POST', path: 'runs', body: this.complete(order) })
      .then(({ status, body }) => { this.reports.set(id, status < 400 ? body : { exit: 3, because: body.error }); })
      .catch((error: Error) => { this.reports.set(id, { exit: 3, because: error.message }); });
    return { id };
  }

  run(order: unknown, hear: (name: string, data: any) => void) {
    const abort = new AbortController();
    const ended = (async () => {
      await this.ready;
      hear('queued', { before: this.runs.before() });
      const question = { method: 'POST', path: 'runs', body: this.complete(order) };
      try {
        const { status, body } = await this.runs.ask(question, hear, abort.signal);
        if (status >= 400) throw new Failed(status, body.error);
      } catch (error) {
        // As a server says it: what was called off is unknown, and what broke is a mistake of ours.
        const off = (error as Error).name === 'AbortError';
        const mistake = { severity: 'error', code: 'bug', message: (error as Error).message, notes: [], help: [] };
        hear('done', { exit: off ? 2 : 3, verdict: off ? 'unknown' : null, because: off ? 'interrupted' : null, diagnostics: off ? [] : [mistake], leftOut: 0 });
      }
    })();
    return { cancel: () => abort.abort(), ended };
  }

  // A question brings all texts that the model may name; those that are being edited go before.
  private complete(body: unknown): unknown {
    const asked = body as { model?: { example?: string | null; texts: Record<string, string> } } | undefined;
    if (!asked?.model || asked.model.example) return body;
    return { ...asked, model: { ...asked.model, texts: { ...this.shelf.texts(), ...asked.model.texts } } };
  }
}

async function compiled(program: string): Promise<WebAssembly.Module> {
  const response = await fetch(program).catch(() => null);
  if (!response?.ok) {
    throw new Failed(0, location.protocol === 'file:'
      ? 'A browser loads no engines from a file: put this folder on a web space, or serve it here with `python3 -m http.server`.'
      : `The engines (${program}) could not be loaded.`);
  }
  // Web spaces that do not know the kind of the file are not asked to.
  const known = response.headers.get('Content-Type')?.startsWith('application/wasm');
  return known ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
