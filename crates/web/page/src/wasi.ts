// As much of WASI as a program needs that reads a question and writes an answer: no files, no network.

const DONE = 0, BAD_HANDLE = 8, NOT_THERE = 52;
const IN = 0, OUT = 1, ERR = 2;

export class Ended extends Error {
  constructor(public code: number) { super(`it ended with ${code}`); }
}

// Runs a program to its end. Each line that it writes is handed over as it comes.
export function start(module: WebAssembly.Module, input: Uint8Array, hear: (line: string) => void, complain: (text: string) => void): number {
  let memory: WebAssembly.Memory;
  let taken = 0;
  // Memory that grew is another one.
  const view = () => new DataView(memory.buffer);
  const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length);
  const lines = new Lines(hear), errors = new Lines(complain);

  const own: Record<string, (...given: any[]) => number> = {
    fd_read(handle: number, list: number, count: number, told: number) {
      if (handle !== IN) return BAD_HANDLE;
      let read = 0;
      for (let at = list; at < list + 8 * count; at += 8) {
        const part = input.subarray(taken, taken + view().getUint32(at + 4, true));
        bytes(view().getUint32(at, true), part.length).set(part);
        taken += part.length;
        read += part.length;
      }
      view().setUint32(told, read, true);
      return DONE;
    },
    fd_write(handle: number, list: number, count: number, told: number) {
      if (handle !== OUT && handle !== ERR) return BAD_HANDLE;
      let written = 0;
      for (let at = list; at < list + 8 * count; at += 8) {
        const length = view().getUint32(at + 4, true);
        (handle === OUT ? lines : errors).take(bytes(view().getUint32(at, true), length));
        written += length;
      }
      view().setUint32(told, written, true);
      return DONE;
    },
    clock_time_get(clock: number, _: bigint, told: number) {
      const now = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(told, BigInt(Math.round(now * 1e6)), true);
      return DONE;
    },
    random_get(at: number, length: number) {
      // No more than this is given at once.
      for (let from = 0; from < length; from += 65536) crypto.getRandomValues(bytes(at + from, Math.min(65536, length - from)));
      return DONE;
    },
    // Neither arguments nor an environment.
    args_sizes_get: nothing, environ_sizes_get: nothing, args_get: () => DONE, environ_get: () => DONE,
    sched_yield: () => DONE,
    proc_exit(code: number): number { throw new Ended(code); },
  };
  function nothing(number: number, length: number) {
    view().setUint32(number, 0, true);
    view().setUint32(length, 0, true);
    return DONE;
  }

  const wanted: Record<string, Record<string, (...given: any[]) => number>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    // There are no files: a program that looks for folders finds none.
    (wanted[from] ??= {})[name] = own[name] ?? (() => (name.startsWith('fd_') ? BAD_HANDLE : NOT_THERE));
  }
  const instance = new WebAssembly.Instance(module, wanted);
  memory = instance.exports.memory as WebAssembly.Memory;
  try {
    (instance.exports._start as () => void)();
    return 0;
  } catch (error) {
    if (error instanceof Ended) return error.code;
    throw error;
  } finally {
    lines.end();
    errors.end();
  }
}

// Bytes as lines of text; a letter may be cut in two.
class Lines {
  private decoder = new TextDecoder();
  private rest: string[] = [];
  constructor(private hear: (line: string) => void) {}
  take(some: Uint8Array) {
    const parts = this.decoder.decode(some, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      this.hear(this.rest.join('') + part);
      this.rest = [];
    }
    this.rest.push(parts[parts.length - 1]);
  }
  end() {
    const last = this.rest.join('');
    if (last) this.hear(last);
  }
}
