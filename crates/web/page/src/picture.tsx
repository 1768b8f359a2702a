// The picture: a run over time, the model, and what belongs to an answer.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { goTo, show } from './actions';
import { report } from './api';
import { chosenAnswer, currentRun, set, type State, useStore } from './store';
import type { Exhibit, Picture } from './types';
import { automaton, Word } from './word';

interface Drawn { key: string; name: string; picture: Picture; exhibit?: Exhibit }

// All there is to see now.
export function drawings(state: State): Drawn[] {
  const all: Drawn[] = [];
  const run = currentRun(state);
  if (run?.drawing) {
    all.push({ key: 'run', name: 'Run over time', picture: { title: 'run', kind: 'lanes', nodes: 0, svg: run.drawing } });
  }
  state.shown?.pictures.forEach((picture, number) => {
    all.push({ key: 'model:' + number, name: picture.title || 'Model', picture });
  });
  chosenAnswer(state)?.view.exhibits.forEach((exhibit, number) => {
    if (exhibit.picture) all.push({ key: 'answer:' + number, name: exhibit.caption || exhibit.name, picture: exhibit.picture, exhibit });
  });
  state.model?.exhibits.forEach((exhibit, number) => {
    if (exhibit.picture) all.push({ key: 'part:' + number, name: exhibit.caption || exhibit.name, picture: exhibit.picture, exhibit });
  });
  return all;
}

export function PicturePane() {
  const state = useStore((now) => now);
  const all = drawings(state);
  const chosen = all.find((one) => one.key === state.picture) ?? all.find((one) => one.key.startsWith('model')) ?? all[0];
  const [zoom, setZoom] = useState(1);
  const host = useRef<HTMLDivElement>(null);
  const svg = chosen?.picture.svg ?? '';
  const node = useMemo(() => parse(svg), [svg]);
  useEffect(() => {
    if (!host.current) return;
    host.current.replaceChildren(...(node ? [node] : []));
    fit(host.current, node, setZoom);
  }, [node]);
  useEffect(() => {
    if (!node) return;
    node.style.width = node.dataset.width ? `${Number(node.dataset.width) * zoom}px` : '';
    node.style.height = 'auto';
  }, [node, zoom]);
  useEffect(() => { if (node && host.current) highlight(host.current, node, state); }, [node, state.step, state.sim, state.chosen, state.answers]);
  const parts = state.shown?.parts ?? [];
  const machine = useMemo(() => automaton(chosen?.exhibit), [chosen?.exhibit]);
  return (
    <section class="pane picture" aria-label="Picture">
      <div class="bar">
        <select aria-label="Which picture" value={chosen?.key ?? ''} disabled={!all.length}
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
        {chosen?.picture.nodes && chosen.picture.nodes > 12 ? <input class="find" type="search" aria-label="Find in the picture" placeholder="Find"
          onInput={(event) => find(host.current!, node, event.currentTarget.value)} /> : null}
        <span class="grow" />
        <button class="quiet" aria-label="Smaller" title="Smaller" onClick={() => setZoom(zoom / 1.25)}>−</button>
        <button class="quiet" aria-label="Fit" title="Fit" onClick={() => fit(host.current!, node, setZoom)}>⤢</button>
        <button class="quiet" aria-label="Larger" title="Larger" onClick={() => setZoom(zoom * 1.25)}>+</button>
        {chosen ? <Export picture={chosen.picture} name={chosen.name} /> : null}
      </div>
      {chosen?.key.startsWith('answer:') ? <Film all={all.filter((one) => one.key.startsWith('answer:'))} at={chosen.key} /> : null}
      {chosen ? <div class="canvas" ref={host} tabIndex={0} role="group" aria-label={'Drawing: ' + chosen.name} onClick={clicked} />
        : <div class="empty">
          <p>{state.path ? 'Nothing to draw yet.' : ''}</p>
          {state.shown?.diagnostics.map((one) => <p>{one.message}</p>)}
        </div>}
      {machine ? <Word key={chosen!.key} machine={machine} drawing={node} /> : null}
      <Facts />
    </section>
  );
}

// The pictures of an answer one after the other: each attempt, what was merged, what came of it.
function Film({ all, at }: { all: Drawn[]; at: string }) {
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
function Facts() {
  const state = useStore((now) => now);
  const blocks = state.shown?.blocks ?? [];
  if (!blocks.length) return null;
  const facts = blocks.filter((one) => one.block === 'fact' || one.block === 'head');
  return (
    <details class="facts">
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
        {facts.length ? null : null}
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

// The drawing as part of the page; its own colours give way to those of the page.
function parse(svg: string): SVGSVGElement | null {
  if (!svg) return null;
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (root.localName !== 'svg') return null;
  root.querySelectorAll('style').forEach((style) => style.remove());
  root.dataset.width = root.getAttribute('width') ?? '';
  root.dataset.height = root.getAttribute('height') ?? '';
  if (!root.querySelector('title')?.textContent) root.setAttribute('aria-label', 'a drawing');
  root.removeAttribute('width');
  root.removeAttribute('height');
  // Names of places are unique in a drawing, not on a page.
  root.querySelectorAll('[id]').forEach((element) => {
    element.setAttribute('data-id', element.id);
    element.removeAttribute('id');
  });
  return document.importNode(root, true) as unknown as SVGSVGElement;
}

function fit(host: HTMLElement, node: SVGSVGElement | null, setZoom: (zoom: number) => void) {
  const width = Number(node?.dataset.width);
  const height = Number(node?.dataset.height);
  if (!host || !width) return;
  const lanes = node!.classList.contains('p');
  const scale = (host.clientWidth - 24) / width;
  const both = lanes ? scale : Math.min(scale, (host.clientHeight - 24) / height);
  setZoom(Math.max(lanes ? 0.7 : 0.5, Math.min(1.25, both)));
}

// The cursor in the drawing: the row of the moment, and the nodes where somebody is.
function highlight(host: HTMLElement, node: SVGSVGElement, state: State) {
  node.querySelectorAll('.here').forEach((element) => element.classList.remove('here', 'acts'));
  node.querySelectorAll('.token').forEach((element) => element.remove());
  const run = currentRun(state);
  const step = run?.steps[state.step];
  if (!run || !step) return;
  const moment = node.querySelector(`[data-id="moment-${state.step}"]`);
  if (moment) {
    moment.classList.add('here');
    keepInView(host, moment);
    return;
  }
  // Who is where: nodes are found by what a step says, or else by what the cells say.
  const counts = new Map<string, string[]>();
  const put = (name: string, who: string) => counts.set(name, [...(counts.get(name) ?? []), who]);
  if (step.nodes?.length) step.nodes.forEach((name) => put(name, ''));
  else {
    step.cells.forEach(([text], number) => {
      put(text, run.columns[number] ?? '');
      const first = text.split(' ')[0];
      if (first !== text) put(first, run.columns[number] ?? '');
      put(`${run.columns[number]} = ${text}`, '');
    });
    put(step.cells.map(([text]) => text).join(' '), '');
    step.by.forEach((who) => put(who, ''));
  }
  for (const element of node.querySelectorAll<SVGGElement>('g.node')) {
    const found = counts.get(element.dataset.node ?? '') ?? counts.get(element.dataset.label ?? '');
    if (!found) continue;
    element.classList.add('here');
    const who = found.filter(Boolean);
    if (who.length) token(element, who.length > 2 ? `${who.length}×` : who.join(' '));
    keepInView(host, element);
  }
}

// Nodes and edges whose text has the words.
function find(host: HTMLElement, node: SVGSVGElement | null, words: string) {
  const wanted = words.trim().toLowerCase();
  let first: Element | null = null;
  node?.querySelectorAll<SVGGElement>('g.node, g.edge').forEach((element) => {
    const fits = wanted !== '' && (element.textContent ?? '').toLowerCase().includes(wanted);
    element.classList.toggle('found', fits);
    if (fits) first ??= element;
  });
  if (first) keepInView(host, first);
}

function token(element: SVGGElement, text: string) {
  const box = element.querySelector('rect')?.getBBox?.() ?? (element as SVGGraphicsElement).getBBox();
  const label = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  label.setAttribute('class', 'token');
  label.setAttribute('x', String(box.x + box.width / 2));
  label.setAttribute('y', String(box.y + box.height + 13));
  label.setAttribute('text-anchor', 'middle');
  label.textContent = text;
  element.append(label);
}

function keepInView(host: HTMLElement, element: Element) {
  const [outer, inner] = [host.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) host.scrollTop += inner.top - outer.top - outer.height / 2;
  if (inner.right < outer.left || inner.left > outer.right) host.scrollLeft += inner.left - outer.left - outer.width / 2;
}

// A click on a moment moves the cursor there.
function clicked(event: MouseEvent) {
  const moment = (event.target as Element).closest('[data-id^="moment-"]');
  if (moment) goTo(Number(moment.getAttribute('data-id')!.slice(7)));
}

export function download(name: string, data: Blob | string, kind = 'text/plain') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(typeof data === 'string' ? new Blob([data], { type: kind }) : data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The drawing alone on a page of its size, in the dialogue that prints to paper or to a PDF.
function print(svg: string, name: string) {
  const drawing = parse(svg);
  const page = window.open('', '_blank');
  if (!drawing || !page) return;
  page.document.title = name;
  drawing.setAttribute('width', drawing.dataset.width ?? '');
  drawing.setAttribute('height', drawing.dataset.height ?? '');
  const style = document.querySelector('style, link[rel=stylesheet]')?.cloneNode(true);
  if (style) page.document.head.append(page.document.importNode(style, true));
  page.document.documentElement.dataset.theme = 'light';
  page.document.body.replaceChildren(page.document.importNode(drawing, true));
  setTimeout(() => page.print(), 200);
}

function Export({ picture, name }: { picture: Picture; name: string }) {
  const file = name.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40) || 'picture';
  const png = () => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      const scale = Math.min(2, 8000 / Math.max(image.width, image.height, 1));
      canvas.width = image.width * scale;
      canvas.height = image.height * scale;
      const context = canvas.getContext('2d')!;
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => blob && download(file + '.png', blob));
    };
    const light = picture.svg.replace(/@media\s*\(prefers-color-scheme:\s*dark\)\s*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '');
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(light);
  };
  const chosen = (event: Event) => {
    const select = event.currentTarget as HTMLSelectElement;
    if (select.value === 'svg') download(file + '.svg', picture.svg, 'image/svg+xml');
    if (select.value === 'png') png();
    if (select.value === 'pdf') print(picture.svg, name);
    if (select.value === 'dot') download(file + '.dot', picture.dot!);
    if (select.value === 'tikz') download(file + '.tex', picture.tikz!);
    select.value = '';
  };
  return (
    <select aria-label="Export the picture" class="export" value="" onChange={chosen}>
      <option value="">Export</option>
      <option value="svg">SVG</option>
      <option value="png">PNG</option>
      <option value="pdf">PDF (print)</option>
      {picture.tikz ? <option value="tikz">TikZ (LaTeX)</option> : null}
      {picture.dot ? <option value="dot">Graphviz</option> : null}
    </select>
  );
}
