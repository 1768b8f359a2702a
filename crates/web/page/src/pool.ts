// Workers with the engines inside. A question that is called off ends its worker; the next one has another.
import { Failed } from './failed';

export interface Asked { status: number; body: any }
interface Task { question: string; hear: (event: string, data: any) => void; done: (answer: Asked) => void; fail: (why: Error) => void; signal?: AbortSignal; began?: () => void }

const BUG = 'an internal error, which is a bug in quotient';
const DEEP = 'the model is nested too deeply for the browser; the command `quotient` takes it';

export class Pool {
  private idle: Worker[] = [];
  private waiting: Task[] = [];
  private working = 0;
  constructor(private module: Promise<WebAssembly.Module>, private script: string, private most: number) {}

  // How many questions are before the next one.
  before() { return Math.max(0, this.waiting.length + this.working - this.most + 1); }

  ask(question: unknown, hear: Task['hear'] = () => {}, signal?: AbortSignal, began?: () => void): Promise<Asked> {
    return new Promise((done, fail) => {
      const task = { question: JSON.stringify(question), hear, done, fail, signal, began };
      if (signal?.aborted) return fail(called());
      this.waiting.push(task);
      signal?.addEventListener('abort', () => {
        const place = this.waiting.indexOf(task);
        if (place < 0) return;
        this.waiting.splice(place, 1);
        fail(called());
      });
      void this.next();
    });
  }

  private async next() {
    if (this.working >= this.most || !this.waiting.length) return;
    this.working++;
    const task = this.waiting.shift()!;
    try {
      const worker = this.idle.pop() ?? await this.fresh();
      task.began?.();
      task.done(await this.work(worker, task));
    } catch (error) {
      task.fail(error as Error);
    }
    this.working--;
    void this.next();
  }

  private async fresh(): Promise<Worker> {
    const module = await this.module;
    const worker = new Worker(this.script);
    worker.postMessage({ module });
    return worker;
  }

  private work(worker: Worker, task: Task): Promise<Asked> {
    return new Promise((done, fail) => {
      let answer: Asked | null = null;
      const end = (why: Error) => { worker.terminate(); fail(why); };
      const abort = () => end(called());
      if (task.signal?.aborted) return abort();
      task.signal?.addEventListener('abort', abort);
      worker.onerror = (event) => { event.preventDefault(); end(new Failed(500, event.message || BUG)); };
      worker.onmessage = ({ data }: MessageEvent<{ line?: string; ended?: string | null; said?: string }>) => {
        if (data.line !== undefined) {
          const told = JSON.parse(data.line);
          if ('event' in told) task.hear(told.event, told.data);
          else answer = told;
          return;
        }
        task.signal?.removeEventListener('abort', abort);
        if (data.ended === null && answer) {
          this.idle.push(worker);
          return done(answer);
        }
        // What it says about its end is for those who mend it.
        if (data.said) console.warn(data.said);
        end(new Failed(500, data.ended === 'deep' ? DEEP : /memory/i.test(data.said ?? '') ? 'there is not enough memory for it in the browser' : BUG));
      };
      worker.postMessage({ question: task.question });
    });
  }
}

const called = () => new DOMException('called off', 'AbortError');
