// The editor: files, live diagnostics, and the line of the step under the cursor.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from '@codemirror/language';
import { type Diagnostic as Squiggle, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField, type Text } from '@codemirror/state';
import {
  Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';
import { check, edit, save, showTab } from './actions';
import { alone, report } from './api';
import { download } from './export';
import { usePrinting } from './printing';
import { currentRun, get, language, onChange, set, type State, useStore } from './store';
import type { Diagnostic, Place } from './types';

// Columns count characters; the editor counts UTF-16 units.
function offset(text: Text, line: number, column: number): number {
  if (line > text.lines) return text.length;
  const found = text.line(Math.max(1, line));
  let at = found.from;
  let left = column - 1;
  for (const letter of found.text) {
    if (left-- <= 0) break;
    at += letter.length;
  }
  return at;
}
const range = (text: Text, place: Place) => {
  const from = offset(text, place.line, place.column);
  return { from, to: Math.max(from, offset(text, place.endLine, place.endColumn)) };
};

// Colours that fit most texts: comments, strings, numbers, names in capitals, words before others.
const plain = StreamLanguage.define<{ block: boolean }>({
  startState: () => ({ block: false }),
  token(stream: StringStream, state) {
    if (state.block) {
      if (stream.skipTo('*/')) { stream.match('*/'); state.block = false; } else stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('/*')) { state.block = true; return 'comment'; }
    if (stream.match('//') || stream.match(/^--(?![->])/) || (stream.peek() === '#' && stream.match(/^#(\s|$|!)/)) || (stream.sol() && stream.match(/^;/))) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^"(\\.|[^"\\])*"?/)) return 'string';
    if (stream.match(/^\d[\d_]*(\.\d+)?([eE][+-]?\d+)?/)) return 'number';
    if (stream.match(/^[A-Za-z_][\w']*/)) {
      const word = stream.current();
      if (WORDS.has(word)) return 'keyword';
      return /^[A-Z][A-Z0-9_]+$/.test(word) ? 'typeName' : 'variableName';
    }
    if (stream.match(/^(->|<->|<=>|=>|:=|\.\.|\|\||&&|[-+*/<>=!&|:?']+)/)) return 'operator';
    stream.next();
    return null;
  },
});
// Words that mean something in several languages; a language may bring more.
const WORDS = new Set(`
MODULE VAR IVAR FROZENVAR ASSIGN DEFINE INIT TRANS INVAR INVARSPEC CTLSPEC LTLSPEC SPEC FAIRNESS JUSTICE COMPASSION CONSTANTS
init next case esac union in mod boolean TRUE FALSE process self
module endmodule rewards endrewards label const global formula dtmc mdp ctmc int double bool system endsystem
range set property progress assert fluent menu minimal when forall exists if then else menu initially
protocol topology step property never always eventually
and or not implies true false net pl tr sort input output bad constraint
`.split(/\s+/).filter(Boolean));

const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.keyword, class: 'tok-keyword' },
  { tag: tags.string, class: 'tok-string' },
  { tag: tags.number, class: 'tok-number' },
  { tag: tags.typeName, class: 'tok-type' },
  { tag: tags.operator, class: 'tok-operator' },
]);

// Marks on the text: the step under the cursor, properties with their verdicts.
const setMarks = StateEffect.define<{ step: Place | null; verdicts: [Place, string][] }>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const text = transaction.state.doc;
      const all = [];
      if (effect.value.step) {
        const { from, to } = range(text, effect.value.step);
        for (let line = text.lineAt(from); ; line = text.line(line.number + 1)) {
          all.push(Decoration.line({ class: 'cm-step' }).range(line.from));
          if (line.to >= to || line.number >= text.lines) break;
        }
      }
      for (const [place, verdict] of effect.value.verdicts) {
        const { from } = range(text, place);
        all.push(Decoration.line({ class: 'cm-verdict cm-' + verdict }).range(text.lineAt(from).from));
      }
      value = Decoration.set(all, true);
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function squiggles(text: Text, path: string, main: string, diagnostics: Diagnostic[]): Squiggle[] {
  const found: Squiggle[] = [];
  for (const one of diagnostics) {
    const own = one.file === undefined ? path === main : one.file === path || path.endsWith('/' + one.file);
    if (!own) continue;
    const places = one.places?.length ? one.places : [{ line: 1, column: 1, endLine: 1, endColumn: 2 } as Place];
    places.forEach((place, number) => {
      let { from, to } = range(text, place);
      if (from === to) to = Math.min(text.length, to + 1);
      if (from === to && from > 0) from--;
      found.push({
        from, to,
        severity: one.severity === 'note' || number > 0 ? 'info' : one.severity,
        message: one.message,
        renderMessage: () => hint(one, place),
      });
    });
  }
  return found;
}

// What the last check says about places of the text: parts that do not matter, reasons to doubt.
function remarks(state: State): Diagnostic[] {
  const note = (message: string, place: Place | null): Diagnostic[] =>
    place ? [{ severity: 'note', code: '', message, places: [place], notes: [], help: [] }] : [];
  return [
    ...state.answers.flatMap((answer) => (answer.view.remarks ?? []).flatMap((one) => note(one.text, one.place))),
    ...(state.model?.doubts ?? []).flatMap((doubt) => note(doubt.text, doubt.place)),
  ];
}

// The same words as on the terminal.
function hint(one: Diagnostic, place: Place): HTMLElement {
  const box = document.createElement('div');
  box.className = 'hint';
  const add = (tag: string, text: string) => {
    const line = document.createElement('div');
    line.className = tag;
    line.textContent = text;
    box.append(line);
  };
  add('hint-' + one.severity, `${one.severity}: ${one.message}`);
  if (place.text) add('hint-label', place.text);
  one.notes.forEach((note) => add('hint-note', 'note: ' + note));
  one.help.forEach((help) => add('hint-help', 'help: ' + help));
  return box;
}

export function Editor() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const states = new Map<string, EditorState>();
    let shown = '';
    let key = '';
    const make = (path: string, text: string) => EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(),
        search({ top: true }), lintGutter(), marks, plain, syntaxHighlighting(colours), EditorView.lineWrapping,
        EditorState.readOnly.of(report !== null),
        EditorView.contentAttributes.of({ 'aria-label': 'The text of ' + path }),
        keymap.of([
          { key: 'Mod-Enter', run: () => { void check(null); return true; } },
          { key: 'Mod-s', run: () => { void save(); return true; } },
          // Tab indents only after Escape was not pressed: the keyboard alone must lead out.
          ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) edit(shown, update.state.doc.toString());
        }),
      ],
    });
    const view = new EditorView({ parent: host.current!, state: make('', '') });
    let last: Partial<State> = {};
    const follow = () => {
      const state = get();
      const model = `${state.example ?? ''}|${state.path}`;
      if (model !== key) { states.clear(); key = model; shown = ''; }
      if (state.tab !== shown && state.tab in state.texts) {
        if (shown) states.set(shown, view.state);
        shown = state.tab;
        view.setState(states.get(shown) ?? make(shown, state.texts[shown]));
        last = {};
      } else if (shown in state.texts && state.texts[shown] !== view.state.doc.toString()) {
        view.setState(make(shown, state.texts[shown]));
        last = {};
      }
      if (state.look !== last.look || state.answers !== last.answers || state.model !== last.model) {
        const said = state.texts[state.path] === state.checkedText ? remarks(state) : [];
        const found = squiggles(view.state.doc, shown, state.path, [...state.look?.diagnostics ?? [], ...said]);
        view.dispatch(setDiagnostics(view.state, found));
      }
      if (state.step !== last.step || state.chosen !== last.chosen || state.sim !== last.sim || state.answers !== last.answers
        || state.look !== last.look || last.tab !== state.tab) {
        const run = currentRun(state);
        const fresh = state.texts[state.path] === state.checkedText || state.sim !== null;
        const step = shown === state.path && fresh ? run?.steps[state.step]?.place ?? null : null;
        const verdicts: [Place, string][] = shown !== state.path ? [] : (state.look?.properties ?? []).flatMap((property) => {
          const answer = state.answers.find((one) => one.property === property.name && (one.number ?? null) === property.number);
          return property.place && answer && fresh ? [[property.place, answer.verdict] as [Place, string]] : [];
        });
        view.dispatch({ effects: setMarks.of({ step, verdicts }) });
        if (step && state.step !== last.step) {
          const { from } = range(view.state.doc, step);
          view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'nearest', yMargin: 60 }) });
        }
      }
      last = state;
    };
    onChange(follow);
    follow();
    // Others ask for a place to be shown.
    const jump = (event: Event) => {
      const place = (event as CustomEvent<Place>).detail;
      const { from, to } = range(view.state.doc, place);
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    };
    window.addEventListener('jump', jump);
    return () => { window.removeEventListener('jump', jump); view.destroy(); };
  }, []);
  return <div class="code" ref={host} />;
}

export const jumpTo = (place: Place, file?: string) => {
  set({ part: 'editor', tab: file ?? get().path });
  queueMicrotask(() => window.dispatchEvent(new CustomEvent('jump', { detail: place })));
};

export function EditorPane() {
  const state = useStore((now) => now);
  const beside = state.example !== null
    ? Object.keys(state.texts)
    : [...new Set([state.path, ...Object.keys(state.texts), ...named(state), ...siblings(state)])];
  const errors = state.look?.diagnostics.filter((one) => one.severity === 'error') ?? [];
  const warnings = state.look?.diagnostics.filter((one) => one.severity === 'warning') ?? [];
  const changed = (path: string) => state.texts[path] !== undefined && state.texts[path] !== state.saved[path];
  return (
    <section class="pane editor" aria-label="Editor">
      <div class="bar">
        <div class="files" role="group" aria-label="Files">
          {beside.filter(Boolean).map((path) => (
            <button class={'file' + (path === state.tab ? ' on' : '')} aria-pressed={path === state.tab} key={path}
              onClick={() => void showTab(path)} title={path}>
              {path.split('/').pop()}{changed(path) ? <span class="dot" title="changed, not saved" aria-label="changed"> ●</span> : null}
            </button>
          ))}
        </div>
        {alone && state.tab in state.texts ? <button class="quiet" onClick={() => download(state.tab.split('/').pop()!, state.texts[state.tab])} title="Download this file">Download</button> : null}
        {report ? null : <button class="quiet" onClick={() => void save()} title="Save (Ctrl+S)">Save</button>}
      </div>
      {state.path && !(state.path in state.texts)
        ? <p class="empty">This is no text that can be shown; it can be checked all the same.</p> : null}
      <Editor />
      <Listing name={state.tab} text={state.texts[state.tab] ?? ''} />
      <div class="status" role="status">
        {errors.length ? <button class="link bad" onClick={() => void jumpToMessage(errors[0], state)}>
          {errors.length === 1 ? '1 error' : `${errors.length} errors`}: {told(errors[0], state.path)}</button>
          : warnings.length ? <button class="link warn" onClick={() => void jumpToMessage(warnings[0], state)}>
            {warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}: {told(warnings[0], state.path)}</button>
            : state.look?.language ? <span>{capital(languageName(state))}, no mistakes</span>
              : <span>{state.looking ? 'reading …' : ''}</span>}
      </div>
    </section>
  );
}

// The whole text on paper, with its numbers: of the editor only what is seen is there.
function Listing({ name, text }: { name: string; text: string }) {
  if (!usePrinting() || !text) return null;
  return (
    <figure class="listing">
      <figcaption>{name}</figcaption>
      <ol>{text.replace(/\n$/, '').split('\n').map((line, number) => <li key={number}>{line}</li>)}</ol>
    </figure>
  );
}

const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
const languageName = (state: State) =>
  state.about?.languages.find((one) => one.id === state.look?.language)?.name ?? report?.languageName ?? state.look?.language ?? '';

// Files that settings name, such as one with properties.
function named(state: State): string[] {
  const folder = state.path.slice(0, state.path.lastIndexOf('/') + 1);
  const kinds = language(state)?.settings.filter((one) => one.kind === 'file').map((one) => one.name) ?? [];
  return state.settings.filter(([name, file]) => kinds.includes(name) && file && !file.includes('#')).map(([, file]) => folder + file);
}

// A message with the file that it is about, if that is another one.
export function told(one: Diagnostic, path: string): string {
  const elsewhere = one.file !== undefined && one.file !== path && !path.endsWith('/' + one.file);
  return `${elsewhere ? `${one.file}${one.places?.[0] ? `, line ${one.places[0].line}` : ''}: ` : ''}${one.message}`;
}

// Where a message points, in its own file.
async function jumpToMessage(one: Diagnostic, state: State) {
  const place = one.places?.[0];
  if (!place) return;
  const own = one.file === undefined || state.path.endsWith(one.file) ? state.path : [...Object.keys(state.texts), ...named(state)].find((path) => path.endsWith(one.file!));
  if (own === undefined) return;
  if (own !== state.path) await showTab(own);
  jumpTo(place, own);
}

// Files in the same folder of the folder.
function siblings(state: State): string[] {
  const folder = state.path.includes('/') ? state.path.slice(0, state.path.lastIndexOf('/') + 1) : null;
  if (folder === null) return [];
  return state.files.map((file) => file.path)
    .filter((path) => path.startsWith(folder) && !path.slice(folder.length).includes('/')).slice(0, 12);
}

