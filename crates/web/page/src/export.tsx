// A picture as a file.
import { ask, report } from './api';
import { parse } from './drawing';
import type { Picture } from './types';

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

function png(svg: string, done: (blob: Blob) => void) {
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
    canvas.toBlob((blob) => blob && done(blob));
  };
  const light = svg.replace(/@media\s*\(prefers-color-scheme:\s*dark\)\s*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '');
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(light);
}

// `svg` is the drawing as it is seen, with a style of its own.
export function Export({ picture, name, svg }: { picture: Picture; name: string; svg: () => string }) {
  const file = name.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40) || 'picture';
  const text = async (to: 'dot' | 'tikz') => picture[to] ?? (await ask<{ text: string }>('POST', 'draw', { graph: picture.graph, to })).text;
  const can = (to: 'dot' | 'tikz') => picture[to] !== undefined || (picture.graph !== undefined && !report);
  const chosen = async (event: Event) => {
    const select = event.currentTarget as HTMLSelectElement;
    const to = select.value;
    select.value = '';
    if (to === 'svg') download(file + '.svg', svg(), 'image/svg+xml');
    if (to === 'png') png(svg(), (blob) => download(file + '.png', blob));
    if (to === 'pdf') print(svg(), name);
    if (to === 'dot') download(file + '.dot', await text('dot'));
    if (to === 'tikz') download(file + '.tex', await text('tikz'));
  };
  return (
    <select aria-label="Export the picture" class="export" value="" onChange={(event) => void chosen(event)}>
      <option value="">Export</option>
      <option value="svg">SVG</option>
      <option value="png">PNG</option>
      <option value="pdf">PDF (print)</option>
      {can('tikz') ? <option value="tikz">TikZ (LaTeX)</option> : null}
      {can('dot') ? <option value="dot">Graphviz</option> : null}
    </select>
  );
}
