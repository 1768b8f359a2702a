// Answers one question after the other, beside the page: the page stays quick, and calls a question off by ending the worker.
import { start } from './wasi';

let module: WebAssembly.Module;
let said = '';

self.onmessage = ({ data }: MessageEvent<{ module?: WebAssembly.Module; question?: string }>) => {
  if (data.module) module = data.module;
  if (data.question === undefined) return;
  said = '';
  try {
    const code = start(module, new TextEncoder().encode(data.question), (line) => self.postMessage({ line }), (text) => { said += text + '\n'; });
    self.postMessage({ ended: code === 0 ? null : `it ended with ${code}`, said });
  } catch (error) {
    // A stack that is too small is no bug: the model is nested too deeply for a browser.
    const deep = error instanceof RangeError || /call stack/.test(String(error));
    self.postMessage({ ended: deep ? 'deep' : String(error), said });
  }
};
