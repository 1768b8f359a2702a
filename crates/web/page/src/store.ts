// The state of the page, in one place; who shows a part of it is told when it changes.
import { useEffect, useState } from 'preact/hooks';
import type {
  About, Answer, Done, FileEntry, Judged, Look, ModelView, Shown, Simulated, StoryEvent,
} from './types';

export type Panel = 'run' | 'story' | 'evidence' | 'console';
export type Part = 'editor' | 'picture' | 'cards' | 'below';
export interface Line { kind: 'command' | 'text' | 'error' | 'good'; text: string }
export interface Work {
  verb: string;
  stage: 'queued' | 'running' | 'done';
  before: number;
  began: number;
  story: StoryEvent[];
  done: Done | null;
  only: string | null;
}
export interface State {
  about: About | null;
  files: FileEntry[];
  trouble: string;
  example: string | null;
  path: string;            // the model
  tab: string;             // the file in the editor
  texts: Record<string, string>;  // as they are in the editor, by path
  saved: Record<string, string>;  // as they were read
  look: Look | null;
  looking: boolean;
  settings: [string, string][];
  work: Work | null;
  answers: Answer[];
  checkedText: string;     // the text that the answers are about
  model: ModelView | null;
  chosen: string | null;
  step: number;
  panel: Panel;
  part: Part;              // on narrow screens
  shown: Shown | null;
  shownPart: string;
  picture: string;
  sim: Simulated | null;
  simBusy: boolean;
  judged: Record<string, Judged | 'busy' | { failed: string }>;
  log: Line[];
  gallery: boolean;
  keys: boolean;
  theme: 'auto' | 'light' | 'dark';
  attempt: number;
  frame: number;           // of the film
  wide: boolean;           // the picture has the room of the editor and of what is below
  down: boolean;           // layers of graphs are below each other
  playing: boolean;
  asked: Shown | null;
}

export const initial: State = {
  about: null, files: [], trouble: '', example: null, path: '', tab: '', texts: {}, saved: {}, look: null,
  looking: false, settings: [], work: null, answers: [], checkedText: '', model: null, chosen: null, step: 0,
  panel: 'run', part: 'editor', shown: null, shownPart: '', picture: '', sim: null, simBusy: false, judged: {},
  log: [], gallery: false, keys: false, theme: 'auto', attempt: -1, frame: 0, down: false, wide: false, playing: false, asked: null,
};

let state: State = initial;
const listeners = new Set<() => void>();

export const get = () => state;

let waiting = false;
export function set(change: Partial<State> | ((state: State) => Partial<State>)) {
  const next = typeof change === 'function' ? change(state) : change;
  state = { ...state, ...next };
  if (!waiting) {
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      listeners.forEach((listener) => listener());
    });
  }
}

export function useStore<T>(select: (state: State) => T): T {
  const [value, setValue] = useState(() => select(state));
  useEffect(() => {
    const listener = () => setValue(() => select(state));
    listeners.add(listener);
    listener();
    return () => { listeners.delete(listener); };
  }, []);
  return value;
}

export function onChange(listener: () => void) { listeners.add(listener); }

export const language = (state: State) =>
  state.about?.languages.find((one) => one.id === state.look?.language) ?? null;

export const chosenAnswer = (state: State) =>
  state.answers.find((answer) => keyOf(answer) === state.chosen) ?? null;

// The run under the cursor: one that is made by hand, or that of the chosen answer.
export const currentRun = (state: State) =>
  state.sim ? state.sim.run : chosenAnswer(state)?.view.run ?? null;

export const keyOf = (answer: { property?: string; name?: string; number?: number | null }) =>
  (answer.number ? answer.number + '. ' : '') + (answer.property ?? answer.name ?? '');

export const log = (kind: Line['kind'], text: string) =>
  set((state) => ({ log: [...state.log, { kind, text }].slice(-400) }));
