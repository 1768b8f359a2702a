// How an answer about words was found: the automata of each attempt, with states in stable places.
import { useEffect, useMemo } from 'preact/hooks';
import { set, type State, chosenAnswer } from './store';
import type { Film, Frame } from './types';

const COLOURS = ['#2563eb', '#d97706', '#059669', '#be185d', '#7c3aed', '#0891b2', '#65a30d', '#b45309', '#4f46e5', '#0f766e'];

export const filmOf = (state: State): Film | null => chosenAnswer(state)?.view.film ?? null;
export const frameOf = (film: Film, state: State): Frame => film.frames[Math.max(0, Math.min(film.frames.length - 1, state.frame))];

// The frame of a step of an attempt, or of the attempt's beginning.
export function frameAt(film: Film, attempt: number, step?: number): number {
  const exact = film.frames.findIndex((one) => one.attempt === attempt && one.step === step);
  return exact >= 0 ? exact : film.frames.findIndex((one) => one.attempt === attempt);
}

// The film as a drawing of the page: what is not in the frame is a ghost.
export function showFrame(node: SVGSVGElement, film: Film, frame: Frame) {
  const present = new Map(frame.nodes.map(([number, accepting, merged]) => [number, { accepting, merged }]));
  // States of one colour become one; in the merged set that one has the colour.
  const merged = frame.kind === 'merged' ? mergedInto(film, frame) : null;
  node.querySelectorAll<SVGGElement>('g.node').forEach((element) => {
    const number = Number(element.dataset.at ?? element.dataset.node);
    const own = present.get(number);
    element.classList.toggle('ghost', !own);
    const inner = element.querySelector('rect.i');
    if (inner) (inner as SVGElement).style.display = own?.accepting ? '' : 'none';
    const colour = own ? (merged ? merged.get(number) : own.merged) : null;
    const outline = element.querySelector<SVGElement>('rect.n');
    if (outline) {
      outline.style.stroke = colour === null || colour === undefined ? '' : COLOURS[colour % COLOURS.length];
      outline.style.strokeWidth = colour === null || colour === undefined ? '' : '3';
    }
    element.classList.toggle('alarmed', Boolean(own) && frame.kind === 'alarm');
  });
  const edges = new Map(frame.edges.map(([source, target, label]) => [`${source} ${target}`, label]));
  node.querySelectorAll<SVGGElement>('g.edge').forEach((element) => {
    const label = edges.get(element.dataset.edge ?? '');
    element.classList.toggle('gone', label === undefined);
    if (label === undefined) return;
    const lines = label.split('\n').filter(Boolean);
    const texts = [...element.querySelectorAll('text')];
    texts.forEach((text, number) => {
      const last = number === texts.length - 1 && lines.length > texts.length;
      text.textContent = (lines[number] ?? '').trim() + (last ? ' …' : '');
    });
    const title = element.querySelector('title');
    if (title) title.textContent = label;
  });
}

// For each state of a merged set that stands for several: its colour in the set before.
function mergedInto(film: Film, frame: Frame): Map<number, number> {
  const set = film.frames.find((one) => one.kind === 'set' && one.attempt === frame.attempt && one.step === frame.step);
  const found = new Map<number, number>();
  set?.nodes.forEach(([, , merged]) => {
    if (merged !== null && frame.nodes[merged]) found.set(frame.nodes[merged][0], merged);
  });
  return found;
}

const word = (frame: Frame) => (frame.word === null ? '' : frame.word.length ? frame.word.map((one) => one.replaceAll('$', ' ')).join(', ') : 'the empty word');

// What a frame shows, in a sentence.
export function tell(film: Film, at: number, state: State): { text: string; learnt: string } {
  const frame = film.frames[at];
  const answer = chosenAnswer(state);
  const back = (answer?.method ?? '').startsWith('backward');
  const [begin, goal, become] = back ? ['the bad ones', 'a beginning', 'come from'] : ['where it begins', 'something bad', 'become'];
  const own = film.frames.filter((one) => one.attempt === frame.attempt);
  const place = own.indexOf(frame);
  const alarms = own.filter((one) => one.kind === 'alarm');
  const states = (one: Frame) => `${one.nodes.length} state${one.nodes.length === 1 ? '' : 's'}`;
  const instance = word(frame) ? ` For instance: ${word(frame)}.` : '';
  if (frame.kind === 'set') {
    const meets = alarms.length > 0 && own[place + 1]?.kind === 'alarm';
    const what = frame.step === 0 ? `M₀: ${begin} (${states(frame)}).` : `M${sub(frame.step)}: what the merged M${sub(frame.step - 1)} can ${become} in one step (${states(frame)}).`;
    const colours = frame.nodes.some(([, , merged]) => merged !== null) ? ' States of one colour are alike and will be merged.' : '';
    return { text: what + (meets ? ` It meets ${goal}: an alarm. Is it real?` : colours), learnt: '' };
  }
  if (frame.kind === 'merged') {
    const before = own.find((one) => one.kind === 'set' && one.step === frame.step);
    const closed = place === own.length - 1 && !alarms.length;
    const sizes = before && before.nodes.length !== frame.nodes.length ? `${before.nodes.length} states became ${frame.nodes.length}` : 'nothing to merge here';
    return { text: `M${sub(frame.step)} with alike states merged: ${sizes}.${closed ? ' This was there before: no step leads out of it any more, and nothing bad is in it. It is the invariant.' : ''}`, learnt: '' };
  }
  const last = alarms[alarms.length - 1] === frame;
  const met = alarms[0] === frame;
  const what = met ? `X${sub(frame.step)}: what of M${sub(frame.step)} is ${back ? 'a beginning' : 'bad'}.` : `X${sub(frame.step)}: what of the merged M${sub(frame.step)} leads there in one step.`;
  if (!last) return { text: what + instance, learnt: '' };
  const final = frame.attempt === film.frames[film.frames.length - 1].attempt;
  if (final && answer?.verdict === 'violated') return { text: `${what}${instance} It goes back to the start: the alarm is real.`, learnt: '' };
  return { text: `${what}${instance} None of it is in M${sub(frame.step)} itself: only the merging let it in, so the alarm is false.`, learnt: learnt(state, frame.attempt) };
}

const sub = (number: number) => String(number).replace(/\d/g, (digit) => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)]);

// What the attempt ended with, as the story tells it.
export function learnt(state: State, attempt: number): string {
  const method = chosenAnswer(state)?.method;
  const story = (state.work?.story ?? []).filter((event) => event.method === method);
  const alarm = story.findIndex((event) => event.event === 'false-alarm' && event.attempt === attempt);
  const refined = alarm < 0 ? undefined : story.slice(alarm).find((event) => event.event === 'refined');
  return refined?.detail ?? '';
}

export function FilmBar({ film, state }: { film: Film; state: State }) {
  const at = Math.max(0, Math.min(film.frames.length - 1, state.frame));
  const frame = film.frames[at];
  const attempts = useMemo(() => [...new Set(film.frames.map((one) => one.attempt))], [film]);
  const own = film.frames.map((one, number) => ({ one, number })).filter(({ one }) => one.attempt === frame.attempt);
  const place = own.findIndex(({ number }) => number === at);
  const told = tell(film, at, state);
  const go = (to: number) => set({ frame: Math.max(0, Math.min(film.frames.length - 1, to)), attempt: film.frames[Math.max(0, Math.min(film.frames.length - 1, to))].attempt });
  useEffect(() => { if (state.attempt !== frame.attempt) set({ attempt: frame.attempt }); }, [frame.attempt]);
  const name = `${frame.kind === 'alarm' ? 'X' : 'M'}${sub(frame.step)}${frame.kind === 'merged' ? ' merged' : ''}`;
  return (
    <div class="film">
      {attempts.length > 1 ? (
        <div class="film-bar">
          <label for="film-attempt">Attempt</label>
          <input id="film-attempt" type="range" min={0} max={attempts.length - 1} value={attempts.indexOf(frame.attempt)} aria-valuetext={`attempt ${frame.attempt}`}
            onInput={(event) => go(frameAt(film, attempts[Number(event.currentTarget.value)]))} />
          <span class="muted">{frame.attempt}</span>
        </div>
      ) : null}
      <div class="film-bar">
        <button class="quiet" aria-label="The frame before" onClick={() => go(at - 1)}>◀</button>
        <input type="range" min={0} max={own.length - 1} value={place} aria-label="Frame of the attempt" aria-valuetext={name}
          onInput={(event) => go(own[Number(event.currentTarget.value)].number)} />
        <button class="quiet" aria-label="The next frame" onClick={() => go(at + 1)}>▶</button>
        <strong>{name}</strong>
      </div>
      <p class="film-text" role="status">{told.text}{told.learnt ? <strong> Learnt: {told.learnt}.</strong> : null}</p>
    </div>
  );
}
