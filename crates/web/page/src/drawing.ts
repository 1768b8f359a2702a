// Drawings as parts of the page: sizes, the cursor, and what is found in them.
import { currentRun, type State } from './store';
import { tokens } from './replay';
import type { GraphData, Run } from './types';

// The drawing as part of the page; its own colours give way to those of the page.
export function parse(svg: string): SVGSVGElement | null {
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
  // What can be opened is a button.
  const openable = root.querySelectorAll<SVGGElement>('g.folded, g.more');
  if (openable.length) root.setAttribute('role', 'group');
  openable.forEach((element) => {
    const folded = element.dataset.fold;
    element.setAttribute('tabindex', '0');
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', folded ? `${element.dataset.label}: ${folded} states, open` : `${element.dataset.label}: show ${element.dataset.more} more`);
    if (!folded) badge(element, `+${element.dataset.more}`, 'plus', -1);
  });
  return document.importNode(root, true) as unknown as SVGSVGElement;
}

// As large as fits, but readable.
export function fit(host: HTMLElement, node: SVGSVGElement | null): number {
  const width = Number(node?.dataset.width);
  const height = Number(node?.dataset.height);
  if (!host || !width) return 1;
  const lanes = node!.classList.contains('p');
  const scale = (host.clientWidth - 24) / width;
  const both = lanes ? scale : Math.min(scale, (host.clientHeight - 56) / height);
  // Few words are to be read, not only seen.
  const few = node!.querySelectorAll('g.node').length < 16;
  const round = node!.classList.contains('ring');
  return Math.max(round ? 0.4 : lanes || few ? 0.7 : 0.5, Math.min(1.25, both));
}

// The cursor in the drawing: the row of the moment, the nodes where somebody is, who takes part.
export function highlight(host: HTMLElement, node: SVGSVGElement, state: State, graph?: GraphData) {
  node.querySelectorAll('.here, .acts').forEach((element) => element.classList.remove('here', 'acts'));
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
  if (!node.querySelector('g.node')) return;
  const places = whereabouts(run, state.step);
  const walked = tokens(graph, run, state.step);
  let first: Element | null = null;
  for (const element of node.querySelectorAll<SVGGElement>('g.node')) {
    const label = element.dataset.label ?? '';
    // A component of the structure: what it is in, and whether it takes part.
    const own = component(run, label);
    if (own >= 0) {
      const [text, changed] = step.cells[own] ?? ['', false];
      if (text) badge(element, text, 'token');
      if (changed || step.by.some((who) => who.split(' → ')[0] === run.columns[own])) { element.classList.add('acts'); first ??= element; }
      continue;
    }
    if (step.by.includes(label)) { element.classList.add('acts'); first ??= element; }
    // A node without a name has a number, which is nothing that a cell says.
    const id = element.dataset.node ?? '';
    const found = walked.size ? (element.dataset.fold ? undefined : walked.get(Number(element.dataset.at ?? NaN)))
      : (/^\d+$/.test(id) ? undefined : places.get(id)) ?? places.get(label) ?? (agrees(element, places) ? [] : undefined);
    if (!found) continue;
    element.classList.add('here');
    const who = found.filter(Boolean);
    if (who.length) badge(element, who.length > 2 ? `${who.length}×` : who.join(' '), 'token');
    first ??= element;
  }
  // The step taken, on the edge that says it.
  if (step.action) {
    for (const edge of node.querySelectorAll<SVGGElement>('g.edge')) {
      const label = edge.querySelector('title')?.textContent ?? edge.textContent ?? '';
      if (label.split(/[\n,{} ]+/).includes(step.action)) edge.classList.add('acts');
    }
  }
  if (first) keepInView(host, first);
}

// Who is where: nodes are found by what a step says, or else by what the cells say.
function whereabouts(run: Run, at: number): Map<string, string[]> {
  const step = run.steps[at];
  const places = new Map<string, string[]>();
  const put = (name: string, who: string) => places.set(name, [...(places.get(name) ?? []), who]);
  if (step.nodes?.length) {
    step.nodes.forEach((name) => put(name, ''));
    return places;
  }
  step.cells.forEach(([text], number) => {
    put(text, run.columns[number] ?? '');
    const first = text.split(' ')[0];
    if (first !== text) put(first, run.columns[number] ?? '');
    put(`${run.columns[number]} = ${text}`, '');
  });
  put(step.cells.map(([text]) => text).join(' '), '');
  return places;
}

// A state of some variables: all that it says is so.
function agrees(element: SVGGElement, places: Map<string, string[]>): boolean {
  const lines = [...element.querySelectorAll('text:not(.token):not(.plus)')].map((text) => text.textContent ?? '');
  return lines.length > 0 && lines.every((line) => line.includes(' = ') && places.has(line));
}

// The column of a component, by its whole name or by what follows its label.
function component(run: Run, label: string): number {
  if (run.layout !== 'events' || !label) return -1;
  // A long name may be on several lines.
  const plain = label.replace(/ /g, '');
  const exact = run.columns.findIndex((name) => name === label || name === plain);
  if (exact >= 0) return exact;
  const short = (name: string) => name.split(':')[0];
  const like = run.columns.findIndex((name) => name.includes(':') && short(name) === label);
  return like;
}

// A small text below a node, or above its corner.
function badge(element: SVGGElement, text: string, kind: string, side = 1) {
  const outline = element.querySelector('rect');
  if (!outline) return;
  const number = (name: string) => Number(outline.getAttribute(name));
  const label = element.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'text');
  label.setAttribute('class', kind);
  label.setAttribute('x', String(side > 0 ? number('x') + number('width') / 2 : number('x') + number('width')));
  label.setAttribute('y', String(side > 0 ? number('y') + number('height') + 13 : number('y') + 2));
  label.setAttribute('text-anchor', 'middle');
  label.textContent = text.length > 24 ? text.slice(0, 23) + '…' : text;
  element.append(label);
}

// Nodes and edges whose text has the words.
export function find(host: HTMLElement, node: SVGSVGElement | null, words: string): number {
  const wanted = words.trim().toLowerCase();
  let first: Element | null = null;
  let count = 0;
  node?.querySelectorAll<SVGGElement>('g.node, g.edge').forEach((element) => {
    const fits = wanted !== '' && (element.textContent ?? '').toLowerCase().includes(wanted);
    element.classList.toggle('found', fits);
    if (fits) { first ??= element; count++; }
  });
  if (first) keepInView(host, first);
  return count;
}

export function keepInView(host: HTMLElement, element: Element) {
  const [outer, inner] = [host.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) host.scrollTop += inner.top - outer.top - outer.height / 2;
  if (inner.right < outer.left || inner.left > outer.right) host.scrollLeft += inner.left - outer.left - outer.width / 2;
}

// Scrolls to what is not a ghost, if it is out of sight.
export function center(host: HTMLElement, node: SVGSVGElement) {
  const boxes = [...node.querySelectorAll('g.node:not(.ghost)')].map((element) => element.getBoundingClientRect());
  if (!boxes.length) return;
  const outer = host.getBoundingClientRect();
  const edge = { left: Math.min(...boxes.map((box) => box.left)), right: Math.max(...boxes.map((box) => box.right)),
    top: Math.min(...boxes.map((box) => box.top)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
  // The beginning is on the left: what does not fit is cut on the right.
  if (edge.left < outer.left || edge.right > outer.right) host.scrollLeft += edge.left - outer.left - Math.max(20, (outer.width - (edge.right - edge.left)) / 2);
  if (edge.top < outer.top || edge.bottom > outer.bottom) host.scrollTop += edge.top - outer.top - Math.max(20, (outer.height - (edge.bottom - edge.top)) / 2);
}
