// The page: a bar, three parts, and what is below.
import { useEffect, useRef, useState } from 'preact/hooks';
import { addFiles, check, goBack, goOn, isModel, openExample, openFile, openNew, save, stop, theme } from './actions';
import { alone, report } from './api';
import { Below } from './below';
import { CardsPane } from './cards';
import { EditorPane } from './editor';
import { PicturePane } from './picture';
import { currentRun, get, language, type Part, set, type State, useStore } from './store';

const PARTS: [Part, string][] = [['editor', 'Model'], ['picture', 'Picture'], ['cards', 'Properties'], ['below', 'Run']];

export function App() {
  const state = useStore((now) => now);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      // The editor has the first word.
      if (event.defaultPrevented) return;
      const mod = event.ctrlKey || event.metaKey;
      if (mod && event.key === 'Enter') { event.preventDefault(); void check(null); }
      if (mod && event.key === 's') { event.preventDefault(); void save(); }
      if (mod && event.key === 'o') { event.preventDefault(); set({ gallery: true }); }
      if (event.key === 'Escape') set({ gallery: false, keys: false, wide: false });
      const typing = (event.target as HTMLElement).closest('input,select,textarea,.cm-editor,[role=tab],.run,.canvas,.table');
      if (!typing && !mod && currentRun(get())) {
        if (event.key === 'ArrowRight') goOn();
        if (event.key === 'ArrowLeft') goBack();
      }
      if (!typing && event.key === '?') set({ keys: true });
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  }, []);
  return (
    <>
      <Bar state={state} />
      {state.trouble ? <div class="trouble" role="alert">{state.trouble}
        <button class="quiet" aria-label="Close this message" onClick={() => set({ trouble: '' })}>✕</button></div> : null}
      <nav class="parts" aria-label="Parts of the page">
        {PARTS.map(([part, name]) => <button class={state.part === part ? 'on' : ''} aria-pressed={state.part === part} key={part} onClick={() => set({ part })}>{name}</button>)}
      </nav>
      <main class={'parts-' + state.part + (state.wide ? ' wide' : '')}>
        <EditorPane />
        <PicturePane />
        <CardsPane />
        <Below />
      </main>
      {state.gallery ? <Gallery state={state} /> : null}
      {state.keys ? <Keys /> : null}
    </>
  );
}

function Bar({ state }: { state: State }) {
  const busy = state.work !== null && state.work.stage !== 'done';
  const counts = { holds: 0, violated: 0, unknown: 0 };
  state.answers.forEach((answer) => counts[answer.verdict]++);
  const said = (['violated', 'unknown', 'holds'] as const).filter((verdict) => counts[verdict]).map((verdict) => `${counts[verdict]} ${verdict}`).join(', ');
  return (
    <header class="top">
      <h1><svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1d4ed8" /><g fill="none" stroke="#fff" stroke-width="2.6"><circle cx="10" cy="16" r="4.2" /><circle cx="22.5" cy="10" r="3.4" /><circle cx="22.5" cy="22" r="3.4" /><path d="M13.8 14.2l5.6-2.6M13.8 17.8l5.6 2.6" /></g></svg> <span>Quotient</span></h1>
      {report ? <span class="title" title={report.title}>{report.title.split('/').pop()}</span> : (
        <>
          <button class="open" onClick={() => set({ gallery: true })} title="Open a file or an example (Ctrl+O)">
            {state.example !== null ? `Example: ${state.example.split('/').pop()}` : state.path || 'Open …'} <span aria-hidden="true">▾</span></button>
          {busy ? <button class="stop" onClick={stop}>■ Stop</button>
            : <button class="primary" disabled={!state.path || !(language(state)?.offers.includes('check') ?? false)} onClick={() => void check(null)} title="Check all properties (Ctrl+Enter)">▶ Check</button>}
        </>
      )}
      <span class="said" role="status">{busy ? progress(state) : alone && !state.about && !state.trouble ? 'loading the engines …' : said}</span>
      <span class="grow" />
      <button class="quiet keys-button" onClick={() => set({ keys: true })} aria-label="Keys" title="Keys (?)">⌨</button>
      <select aria-label="Colours" value={state.theme} onChange={(event) => theme(event.currentTarget.value as State['theme'])}>
        <option value="auto">Auto</option><option value="light">Light</option><option value="dark">Dark</option>
      </select>
    </header>
  );
}

function progress(state: State): string {
  const work = state.work!;
  if (work.stage === 'queued') return work.before ? `waiting, ${work.before} before it` : 'waiting';
  const last = work.story[work.story.length - 1];
  if (!last) return 'checking …';
  const sizes = Object.entries(last.sizes ?? {}).map(([what, size]) => `${size} ${what}`).join(', ');
  const what = last.event === 'step' ? `attempt ${last.attempt}, step ${last.step}` : last.text ?? last.name ?? last.detail ?? last.outcome ?? last.event;
  return `${last.method ? last.method + ': ' : ''}${what}${sizes ? ': ' + sizes : ''}`;
}

// Files of the folder and examples, by language.
function Gallery({ state }: { state: State }) {
  const [filter, setFilter] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    input.current?.focus();
    return () => before?.focus?.();
  }, []);
  const fits = (text: string) => text.toLowerCase().includes(filter.toLowerCase());
  const files = state.files.filter((file) => fits(file.path) && isModel(file.path));
  const languages = state.about?.languages ?? [];
  return (
    <div class="veil" onClick={(event) => { if (event.target === event.currentTarget) set({ gallery: false }); }}>
      <div class="gallery" role="dialog" aria-modal="true" aria-label="Open a model" ref={box} onKeyDown={(event) => trap(event, box.current!)}>
        <div class="row">
          <input ref={input} type="search" placeholder="Find a file or an example" aria-label="Find a file or an example" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
          <button class="quiet" onClick={() => set({ gallery: false })} aria-label="Close">✕</button>
        </div>
        <div class="gallery-body" tabIndex={-1}>
          <section><h2>Files in {state.about?.folder}</h2>
            {alone ? <label class="add">Add files <input type="file" multiple onChange={(event) => void addFiles([...event.currentTarget.files ?? []])} /></label> : null}
            {files.length ? <ul class="tiles">{files.slice(0, 200).map((file) => <li key={file.path}><button class="tile" onClick={() => void openFile(file.path)}>
              <strong>{file.path}</strong></button></li>)}</ul> : <p class="muted">{state.files.length ? 'none fits' : 'no models here yet'}</p>}
          </section>
          <section><h2>New</h2>
            <ul class="tiles">{languages.filter((one) => fits(one.name + ' new')).map((one) => <li key={one.id}><button class="tile" onClick={() => openNew(one.id)}>
              <strong>{one.name}</strong><span>{one.line}</span></button></li>)}</ul></section>
          {languages.map((one) => {
            const examples = one.examples.filter((example) => fits(`${example.name} ${example.title} ${one.name}`));
            return examples.length ? <section key={one.id}><h2>{one.name} <span class="muted">{one.line}</span></h2>
              <ul class="tiles">{examples.map((example) => <li key={example.name}><button class="tile" onClick={() => openExample(`${one.id}/${example.name}`)}>
                <strong>{example.name}</strong><span>{example.title}</span></button></li>)}</ul></section> : null;
          })}
        </div>
      </div>
    </div>
  );
}

// The focus stays in a dialog.
function trap(event: KeyboardEvent, box: HTMLElement) {
  if (event.key !== 'Tab') return;
  const all = [...box.querySelectorAll<HTMLElement>('button,input,select,[tabindex="0"]')];
  const [first, last] = [all[0], all[all.length - 1]];
  if (event.shiftKey && document.activeElement === first) { event.preventDefault(); last.focus(); }
  else if (!event.shiftKey && document.activeElement === last) { event.preventDefault(); first.focus(); }
}

function Keys() {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  const keys = [
    ['Ctrl+Enter', 'check all properties'], ['Ctrl+S', 'save'], ['Ctrl+O', 'open a file or an example'],
    ['← →', 'one step back or on in the run'], ['Home End', 'to the start or the end of the run'], ['space', 'play the run (in its panel)'],
    ['Ctrl+F', 'find in the text'], ['Escape, then Tab', 'leave the editor'], ['?', 'this list'],
  ];
  return (
    <div class="veil" onClick={() => set({ keys: false })}>
      <div class="gallery small" role="dialog" aria-modal="true" aria-label="Keys" onClick={(event) => event.stopPropagation()}>
        <div class="row"><h2>Keys</h2><span class="grow" /><button ref={close} class="quiet" onClick={() => set({ keys: false })} aria-label="Close">✕</button></div>
        <table><tbody>{keys.map(([key, what]) => <tr><td><kbd>{key}</kbd></td><td>{what}</td></tr>)}</tbody></table>
      </div>
    </div>
  );
}
