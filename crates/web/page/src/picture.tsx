// The picture: a run over time, the model, and what belongs to an answer.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { failed, goTo, setSettings, show } from './actions';
import { ask, report } from './api';
import { center, find, fit, highlight, keepInView, parse } from './drawing';
import { Export } from './export';
import { FilmBar, filmOf, frameOf, showFrame } from './film';
import { chosenAnswer, currentRun, language, set, type State, useStore } from './store';
import type { Exhibit, Film, Picture, Setting } from './types';
import { automaton, Word } from './word';

export { download } from './export';

interface Drawn { key: string; name: string; picture: Picture; exhibit?: Exhibit; film?: Film }

// All there is to see now.
export function drawings(state: State): Drawn[] {
  const all: Drawn[] = [];
  const run = currentRun(state);
  const plain = (svg: string): Picture => ({ title: 'run', kind: 'lanes', nodes: 0, svg });
  if (run?.drawing) all.push({ key: 'run', name: 'Run over time', picture: plain(run.drawing) });
  if (run?.waves) all.push({ key: 'waves', name: 'Wave forms', picture: plain(run.waves) });
  // What an answer shows again is there once.
  const exhibited = new Set((chosenAnswer(state)?.view.exhibits ?? []).flatMap((one) => (one.picture?.svg ? [one.picture.svg] : [])));
  state.shown?.pictures.forEach((picture, number) => {
    if (!picture.svg || !exhibited.has(picture.svg)) all.push({ key: 'model:' + number, name: titled(picture, state), picture });
  });
  const film = filmOf(state);
  if (film) {
    const exhibits = chosenAnswer(state)!.view.exhibits;
    const frame = frameOf(film, state);
    all.push({ key: 'film', name: 'How it was found, step by step', film, exhibit: exhibits[frame.exhibit],
      picture: { title: frame.caption, kind: 'film', nodes: frame.nodes.length, svg: film.layouts[frame.layout] } });
  }
  chosenAnswer(state)?.view.exhibits.forEach((exhibit, number) => {
    if (exhibit.picture) all.push({ key: 'answer:' + number, name: exhibit.caption || exhibit.name, picture: exhibit.picture, exhibit });
  });
  state.model?.exhibits.forEach((exhibit, number) => {
    if (exhibit.picture) all.push({ key: 'part:' + number, name: exhibit.caption || exhibit.name, picture: exhibit.picture, exhibit });
  });
  return all;
}

// A part and the structure around it may have one name.
function titled(picture: Picture, state: State): string {
  // A report names the file with its folder.
  const folder = report ? report.title.slice(0, report.title.lastIndexOf('/') + 1) : '';
  const whole = picture.title || 'Model';
  const title = folder && whole.startsWith(folder) ? whole.slice(folder.length) : whole;
  if (picture.kind !== 'graph' || !(state.shown?.parts ?? []).includes(title)) return title;
  // A report has only the drawings: lines without heads are a structure.
  const headless = picture.graph ? picture.graph.undirected : !picture.svg.includes('class="h"');
  return `${title}: ${headless ? 'structure' : 'states'}`;
}

// How somebody wants to see a graph: what was opened in it, and what was to be seen.
interface Wish { open: number[]; reveal: number[] }
const NOTHING: Wish = { open: [], reveal: [] };
// Where graphs are drawn from left to right or downwards, and opened: the server draws them again.
const canRedraw = (picture: Picture | undefined) => picture?.graph !== undefined && !report;

function useDrawing(picture: Picture | undefined, down: boolean, wish: Wish): string {
  const [drawn, setDrawn] = useState<{ of: Picture; svg: string } | null>(null);
  const key = JSON.stringify([down, wish]);
  // Large drawings are made when they are looked at.
  const plain = !down && !wish.open.length && !wish.reveal.length && picture?.svg !== '';
  useEffect(() => {
    if (!picture || plain || !canRedraw(picture)) return setDrawn(null);
    const abort = new AbortController();
    ask<{ text: string }>('POST', 'draw', { graph: picture.graph, down, ...wish, to: 'svg' }, abort.signal)
      .then(({ text }) => setDrawn({ of: picture, svg: text }))
      .catch((error) => { if (!abort.signal.aborted) failed(error); });
    return () => abort.abort();
  }, [picture, key]);
  return !plain && drawn && drawn.of === picture ? drawn.svg : picture?.svg ?? '';
}

// Of a long run, the part around the cursor is drawn.
const WINDOW = 200;
const LONG = 400;
function useWindow(chosen: Drawn | undefined, state: State): Picture | undefined {
  const run = currentRun(state);
  const kind = chosen?.key === 'run' ? 'lanes' : chosen?.key === 'waves' ? 'waves' : null;
  const long = kind !== null && run !== null && run.steps.length > LONG && !report;
  const first = Math.floor(state.step / WINDOW) * WINDOW;
  const [drawn, setDrawn] = useState<{ of: unknown; key: string; svg: string } | null>(null);
  const key = `${kind} ${first}`;
  useEffect(() => {
    if (!long || first === 0) return;
    const abort = new AbortController();
    const steps = run!.steps.slice(first, first + WINDOW + 1);
    ask<{ text: string | null }>('POST', 'draw', { run: { layout: run!.layout, columns: run!.columns, steps }, first, to: kind }, abort.signal)
      .then(({ text }) => { if (text) setDrawn({ of: run, key, svg: text }); })
      .catch((error) => { if (!abort.signal.aborted) failed(error); });
    return () => abort.abort();
  }, [run, long, key]);
  if (!long || first === 0 || drawn?.of !== run || drawn?.key !== key) return chosen?.picture;
  return { ...chosen!.picture, svg: drawn!.svg };
}

export function PicturePane() {
  const state = useStore((now) => now);
  const all = drawings(state);
  const chosen = all.find((one) => one.key === state.picture) ?? all.find((one) => one.key.startsWith('model')) ?? all[0];
  const [zoom, setZoom] = useState(1);
  const [wishes, setWishes] = useState<Record<string, Wish>>({});
  const place = `${state.path}|${state.shownPart}|${chosen?.key ?? ''}`;
  const wish = wishes[place] ?? NOTHING;
  const setWish = (next: Wish) => setWishes({ ...wishes, [place]: next });
  const host = useRef<HTMLDivElement>(null);
  const picture = useWindow(chosen, state);
  const svg = useDrawing(picture, state.down && canRedraw(chosen?.picture), wish);
  const node = useMemo(() => parse(svg), [svg]);
  const opened = useRef<number | null>(null);
  useEffect(() => {
    if (!host.current) return;
    host.current.replaceChildren(...(node ? [node] : []));
    setZoom(node ? fit(host.current, node) : 1);
    // What was asked for is in sight.
    const asked = opened.current === null ? null : node?.querySelector(`[data-at="${opened.current}"]`);
    opened.current = null;
    if (asked) setTimeout(() => { asked.classList.add('found'); if (host.current) keepInView(host.current, asked); }, 30);
  }, [node]);
  useEffect(() => { if (host.current && node) setZoom(fit(host.current, node)); }, [state.wide]);
  useEffect(() => {
    if (!node) return;
    node.style.width = node.dataset.width ? `${Number(node.dataset.width) * zoom}px` : '';
    node.style.height = 'auto';
  }, [node, zoom]);
  const film = chosen?.film;
  useEffect(() => {
    if (!node || !film) return;
    showFrame(node, film, frameOf(film, state));
    if (host.current) center(host.current, node);
  }, [node, film, state.frame, zoom]);
  useEffect(() => { if (node && host.current && !film) highlight(host.current, node, state, chosen?.picture.graph); }, [node, state.step, state.sim, state.chosen, state.answers, film]);
  const parts = state.shown?.parts ?? [];
  const machine = useMemo(() => automaton(chosen?.exhibit), [chosen?.exhibit]);
  const open = (element: Element | null) => {
    const group = element?.closest<SVGGElement>('g.folded, g.more');
    if (!group || !canRedraw(chosen?.picture)) return false;
    const at = Number(group.dataset.at);
    opened.current = at;
    if (group.dataset.fold) setWish({ ...wish, open: [...wish.open, at] });
    else setWish({ ...wish, reveal: [...wish.reveal, at] });
    return true;
  };
  const clicked = (event: MouseEvent) => {
    if (open(event.target as Element)) return;
    const moment = (event.target as Element).closest('[data-id^="moment-"]');
    if (moment) goTo(Number(moment.getAttribute('data-id')!.slice(7)));
  };
  const pressed = (event: KeyboardEvent) => {
    if ((event.key === 'Enter' || event.key === ' ') && open(event.target as Element)) event.preventDefault();
  };
  const graph = chosen?.picture.kind === 'graph';
  return (
    <section class="pane picture" aria-label="Picture">
      <div class="bar">
        <select aria-label="Which picture" class="which" value={chosen?.key ?? ''} disabled={!all.length}
          onChange={(event) => set({ picture: event.currentTarget.value })}>
          {all.length ? all.map((one) => <option value={one.key} key={one.key}>{one.name}</option>) : <option value="">No picture</option>}
        </select>
        {parts.length && !report ? (
          <select aria-label="Part of the model" value={state.shownPart}
            onChange={(event) => { set({ picture: 'model:0' }); void show(event.currentTarget.value); }}>
            <option value="">whole model</option>
            {parts.map((part) => <option value={part} key={part}>{part}</option>)}
          </select>
        ) : null}
        <span class="grow" />
        <button class="quiet widen" aria-label="Large picture" aria-pressed={state.wide} title={state.wide ? 'Back (Escape)' : 'Large picture'} onClick={() => set({ wide: !state.wide })}><svg viewBox="0 0 14 14" width="13" height="13" aria-hidden="true"><path d={state.wide ? 'M5 1v4H1M9 13V9h4M5 5L1 1M9 9l4 4' : 'M1 5V1h4M13 9v4H9M1 1l4 4M13 13L9 9'} fill="none" stroke="currentColor" stroke-width="1.6" /></svg></button>
        {chosen ? <Export picture={chosen.picture} name={chosen.name} svg={() => (film && node ? seen(node, svg) : svg)} /> : null}
      </div>
      {graph && chosen!.picture.nodes > 12 ? <Search picture={chosen!.picture} host={host.current} node={node} wish={wish}
        reveal={(nodes) => { opened.current = nodes[0] ?? null; setWish({ ...wish, reveal: [...wish.reveal, ...nodes] }); }} fold={() => setWish(NOTHING)} /> : null}
      {film ? <FilmBar film={film} state={state} /> : null}
      {chosen?.key.startsWith('answer:') ? <Pages all={all.filter((one) => one.key.startsWith('answer:'))} at={chosen.key} /> : null}
      {chosen?.key.startsWith('model:') ? <Chosen state={state} /> : null}
      {chosen ? <div class="stage"><div class="canvas" ref={host} tabIndex={0} role="group" aria-label={'Drawing: ' + chosen.name} onClick={clicked} onKeyDown={pressed} />
      <div class="tools" role="group" aria-label="Size and direction">
        {graph && canRedraw(chosen!.picture) ? <button class="quiet" aria-label={state.down ? 'From left to right' : 'From top to bottom'} aria-pressed={state.down}
          title={state.down ? 'Draw from left to right' : 'Draw from top to bottom'} onClick={() => set({ down: !state.down })}>{state.down ? '↓' : '→'}</button> : null}
        <button class="quiet" aria-label="Smaller" title="Smaller" onClick={() => setZoom(zoom / 1.25)}>−</button>
        <button class="quiet" aria-label="Fit" title="Fit" onClick={() => setZoom(fit(host.current!, node))}>⤢</button>
        <button class="quiet" aria-label="Larger" title="Larger" onClick={() => setZoom(zoom * 1.25)}>+</button>
      </div></div>
        : <div class="empty">
          <p>{state.path ? nothing(state) : ''}</p>
          {state.shown?.diagnostics.slice(0, 2).map((one) => <p>{one.message}</p>)}
        </div>}
      {chosen?.key.startsWith('answer:') && machine && !film ? <Words notes={chosenAnswer(state)?.view.notes ?? []} /> : null}
      {machine && (!film || state.wide) ? <Word key={chosen!.film ? 'film' : chosen!.key} machine={machine} drawing={node} places={film ? frameOf(film, state).nodes.map(([number]) => number) : null} /> : null}
      <Facts open={!chosen} />
    </section>
  );
}

// Why nothing is drawn, and what to do about it.
function nothing(state: State): string {
  if (!state.shown || state.shown.diagnostics.length) return 'Nothing to draw yet.';
  const offers = language(state)?.offers ?? [];
  return `This model has no picture of its own.${offers.includes('simulate') && !report ? ' A run by hand (Simulate) is drawn here.' : ''}`;
}

// The same in words, beside the drawing.
function Words({ notes }: { notes: string[] }) {
  return notes.length ? <pre class="in-words" tabIndex={0} aria-label="In words">{notes.join('\n')}</pre> : null;
}

// The drawing as it is seen, as a file: what is not in the frame is left out.
function seen(node: SVGSVGElement, original: string): string {
  const copy = node.cloneNode(true) as SVGSVGElement;
  copy.querySelectorAll('.ghost, .gone').forEach((element) => element.remove());
  copy.setAttribute('width', node.dataset.width ?? '');
  copy.setAttribute('height', node.dataset.height ?? '');
  copy.removeAttribute('style');
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = /<style>([^<]*)<\/style>/.exec(original)?.[1] ?? '';
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

// Finding in a graph, also in what is folded or left out of the drawing.
function Search({ picture, host, node, wish, reveal, fold }: {
  picture: Picture; host: HTMLElement | null; node: SVGSVGElement | null; wish: Wish; reveal: (nodes: number[]) => void; fold: () => void;
}) {
  const [words, setWords] = useState('');
  useEffect(() => { if (host) find(host, node, words); }, [node, words]);
  const wanted = words.trim().toLowerCase();
  const fitting = useMemo(() => !wanted ? [] : (picture.graph?.nodes ?? []).flatMap(([label, hint], number) =>
    label.toLowerCase().includes(wanted) || hint.toLowerCase().includes(wanted) ? [number] : []), [picture, wanted]);
  const drawn = new Set([...(node?.querySelectorAll<SVGGElement>('g.node:not(.folded)') ?? [])].map((one) => Number(one.dataset.at)));
  const hidden = fitting.filter((number) => !drawn.has(number));
  const showHidden = () => { if (hidden.length && canRedraw(picture)) reveal(hidden.slice(0, 6)); };
  const cut = node?.querySelector('g.folded, g.more') !== null;
  return (
    <form class="search" onSubmit={(event) => { event.preventDefault(); showHidden(); }}>
      <input type="search" class="find" aria-label="Find in the picture" placeholder={`Find among ${picture.nodes} states`} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
      {wanted ? <span class="muted" role="status">{fitting.length} found{hidden.length ? `, ${hidden.length} not drawn` : ''}</span>
        : cut && canRedraw(picture) ? <span class="muted">click what is thick or dashed to open it</span> : null}
      {hidden.length && canRedraw(picture) ? <button type="submit" class="quiet">Show</button> : null}
      {wish.open.length || wish.reveal.length ? <button type="button" class="quiet" onClick={fold}>Fold again</button> : null}
    </form>
  );
}

// What the language lets be chosen about a picture, such as the variables that a graph of states is about.
function Chosen({ state }: { state: State }) {
  const settings = (language(state)?.settings ?? []).filter((one: Setting) => one.verbs.includes('show') && !one.verbs.includes('check') && one.kind === 'text' && one.name === 'over');
  if (!settings.length || report) return null;
  const names = [...new Set([...(currentRun(state)?.columns ?? []), ...(state.shown?.parts ?? [])])];
  return (
    <div class="search">{settings.map((one) => {
      const value = state.settings.find(([name]) => name === one.name)?.[1] ?? '';
      const put = (text: string) => setSettings([...state.settings.filter(([name]) => name !== one.name), ...(text.trim() ? [[one.name, text.trim()] as [string, string]] : [])]);
      const on = value.split(',').map((name) => name.trim()).filter(Boolean);
      return <>
        <label for={'picture-' + one.name} title={one.help}>{one.name}</label>
        <input id={'picture-' + one.name} class="find" value={value} placeholder="variables, with commas" title={one.help} onChange={(event) => put(event.currentTarget.value)} />
        {names.slice(0, 10).map((name) => <button class={'quiet chip' + (on.includes(name) ? ' on' : '')} aria-pressed={on.includes(name)} key={name}
          onClick={() => put((on.includes(name) ? on.filter((own) => own !== name) : [...on, name]).join(','))}>{name}</button>)}
      </>;
    })}</div>
  );
}

// The pictures of an answer one after the other.
function Pages({ all, at }: { all: Drawn[]; at: string }) {
  const place = all.findIndex((one) => one.key === at);
  if (all.length < 3) return null;
  const go = (to: number) => set({ picture: all[Math.max(0, Math.min(all.length - 1, to))].key });
  return (
    <div class="film-bar">
      <button class="quiet" aria-label="The picture before" onClick={() => go(place - 1)}>◀</button>
      <input type="range" min={0} max={all.length - 1} value={place} aria-label="Picture of the answer" aria-valuetext={all[place].name}
        onInput={(event) => go(Number(event.currentTarget.value))} />
      <button class="quiet" aria-label="The next picture" onClick={() => go(place + 1)}>▶</button>
      <span class="muted">{place + 1} / {all.length}</span>
    </div>
  );
}

// What is said about the model, below its picture.
function Facts({ open }: { open: boolean }) {
  const state = useStore((now) => now);
  const blocks = state.shown?.blocks ?? [];
  if (!blocks.length) return null;
  return (
    <details class="facts" open={open || undefined}>
      <summary>About the model</summary>
      <div class="facts-body" tabIndex={0} role="group" aria-label="Facts">
        {blocks.map((one) => {
          if (one.block === 'head') return <h3>{one.text}</h3>;
          if (one.block === 'fact') return <div class="fact"><span>{one.name}</span><span>{one.text}</span></div>;
          if (one.block === 'line') return <div class="mono" style={{ paddingLeft: `${one.indent ?? 0}ch` }}>{one.text}</div>;
          if (one.block === 'verbatim') return <pre>{one.text}</pre>;
          if (one.block === 'table' && one.table) return <Rows head={one.table.head} rows={one.table.rows} />;
          return <div class="blank" />;
        })}
      </div>
    </details>
  );
}

// A table that can be sorted by any column.
export function Rows({ head, rows }: { head: string[]; rows: string[][] }) {
  const [by, setBy] = useState<[number, boolean] | null>(null);
  const sorted = by === null ? rows : [...rows].sort((left, right) => {
    const [a, b] = [left[by[0]] ?? '', right[by[0]] ?? ''];
    const order = a !== '' && b !== '' && !isNaN(Number(a)) && !isNaN(Number(b)) ? Number(a) - Number(b) : a.localeCompare(b);
    return by[1] ? order : -order;
  });
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Table">
      <table>
        {head.some(Boolean) ? <thead><tr>{head.map((name, number) => (
          <th aria-sort={by?.[0] === number ? (by[1] ? 'ascending' : 'descending') : 'none'}>
            <button class="sort" onClick={() => setBy(by?.[0] === number ? [number, !by[1]] : [number, true])}>
              {name || '\u00a0'}{by?.[0] === number ? (by[1] ? ' ↑' : ' ↓') : ''}</button></th>
        ))}</tr></thead> : null}
        <tbody>{sorted.slice(0, 500).map((row) => <tr>{row.map((cell) => <td>{cell}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}
