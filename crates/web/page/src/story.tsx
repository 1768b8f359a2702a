// The story: what was tried on the way, and how large things grew.
import { filmOf, frameAt } from './film';
import { chosenAnswer, keyOf, set, type State } from './store';
import type { StoryEvent } from './types';

interface Attempt { attempt: number; steps: number; largest: number; unit: string; until: number; refined: string; alarm: boolean }

// What belongs to the chosen answer: what was told since the answer before it. Answers that came together share it.
export function storyOf(state: State): { events: StoryEvent[]; shared: string | null } {
  const all = state.work?.story ?? [];
  const answer = chosenAnswer(state);
  if (!answer || answer.told === undefined) return { events: all, shared: null };
  const ends = [...new Set(state.answers.flatMap((one) => (one.told === undefined ? [] : [one.told])))].sort((left, right) => left - right);
  const place = ends.indexOf(answer.told);
  const last = place === ends.length - 1;
  const events = all.slice(place > 0 ? ends[place - 1] : 0, last ? undefined : answer.told);
  const others = state.answers.filter((one) => one.told === answer.told && keyOf(one) !== keyOf(answer));
  return { events, shared: others.length ? others.map(keyOf).slice(0, 4).join(', ') + (others.length > 4 ? ', …' : '') : null };
}

export function Story({ state }: { state: State }) {
  const { events: story, shared } = storyOf(state);
  if (!story.length) {
    return <p class="empty">{state.work ? (state.work.story.length ? 'Nothing more was needed for this answer than for those before it.' : 'This run had nothing to tell.') : 'Check the model to see how the answer is found.'}</p>;
  }
  const methods = [...new Set(story.map((event) => event.method ?? ''))];
  const of = chosenAnswer(state)?.method;
  const method = of && methods.includes(of) ? of : methods.find((one) => story.some((event) => (event.method ?? '') === one && event.event === 'step')) ?? methods[0];
  return (
    <div class="story">
      {shared ? <p class="muted">Found together with {shared}.</p> : null}
      {methods.map((one) => <Told key={one} name={one} open={one === method} events={story.filter((event) => (event.method ?? '') === one)} state={state} />)}
    </div>
  );
}

function Told({ name, events, open, state }: { name: string; events: StoryEvent[]; open: boolean; state: State }) {
  const all = attempts(events);
  const points = events.filter((event) => event.event === 'step' && Object.keys(event.sizes ?? {}).length);
  const notes = events.filter((event) => ['note', 'began', 'ended'].includes(event.event));
  const chosen = open ? state.attempt : -1;
  const place = all.findIndex((one) => one.attempt === chosen);
  const film = open && filmOf(state) !== null;
  return (
    <details open={open} class="told">
      <summary>{name || 'The run'} <span class="muted">{all.length ? `${all.length} attempt${all.length > 1 ? 's' : ''}` : ''}</span></summary>
      <div class="told-body">
        {points.length > 1 ? <Chart points={points} chosen={chosen} pick={(attempt, step) => pick(attempt, step, state)} /> : null}
        {all.length ? (
          <div class="scroll" tabIndex={0} role="group" aria-label={'Attempts of ' + (name || 'the run')}>
            {all.length > 1 ? <label class="slide">Attempt <input type="range" min={0} max={all.length - 1} value={place < 0 ? all.length - 1 : place}
              aria-label="Attempt" onInput={(event) => pick(all[Number(event.currentTarget.value)].attempt, undefined, state)} /></label> : null}
            <table>
              <thead><tr><th>attempt</th><th>steps</th><th>largest</th><th>seconds</th><th>refined</th></tr></thead>
              <tbody>{all.map((one, number) => (
                <tr class={number === place ? 'here' : ''} onClick={() => pick(one.attempt, undefined, state)}>
                  <td>{film ? <button class="link" onClick={() => pick(one.attempt, undefined, state)}>{one.attempt}</button> : one.attempt}</td>
                  <td>{one.steps}</td><td>{one.largest} {one.unit}</td><td>{one.until.toFixed(3)}</td>
                  <td>{one.refined || (one.alarm ? 'false alarm' : '')}</td></tr>))}</tbody>
            </table>
          </div>
        ) : null}
        {notes.length ? <ul class="notes">{notes.slice(0, 60).map((event) => (
          <li><span class="muted">{event.seconds.toFixed(3)} s</span> {event.text ?? event.name ?? event.outcome}{sizes(event)}</li>))}</ul> : null}
      </div>
    </details>
  );
}

const sizes = (event: StoryEvent) => {
  const pairs = Object.entries(event.sizes ?? {});
  return pairs.length ? ': ' + pairs.map(([what, size]) => `${size} ${what}`).join(', ') : '';
};

// An attempt is looked at, or a step of it: its picture too, where there is one.
function pick(attempt: number, step: number | undefined, state: State) {
  const film = filmOf(state);
  const frame = film ? frameAt(film, attempt, step) : -1;
  set({ attempt, ...(frame >= 0 ? { picture: 'film', frame } : {}) });
}

function attempts(events: StoryEvent[]): Attempt[] {
  const all: Attempt[] = [];
  for (const event of events) {
    if (event.event === 'step' || event.event === 'false-alarm') {
      if (!all.length || all[all.length - 1].attempt !== event.attempt) {
        all.push({ attempt: event.attempt ?? 0, steps: 0, largest: 0, unit: '', until: 0, refined: '', alarm: false });
      }
      const last = all[all.length - 1];
      last.until = event.seconds;
      if (event.event === 'false-alarm') last.alarm = true;
      else {
        last.steps++;
        const [unit, size] = Object.entries(event.sizes ?? {})[0] ?? ['', 0];
        last.largest = Math.max(last.largest, size);
        last.unit = unit;
      }
    } else if (event.event === 'refined' && all.length) {
      all[all.length - 1].refined = event.detail ?? '';
    }
  }
  return all;
}

// Sizes over the steps; a dashed line where the approximation was refined.
function Chart({ points, chosen, pick }: { points: StoryEvent[]; chosen: number; pick: (attempt: number, step?: number) => void }) {
  const [left, top, width, height] = [52, 18, 560, 120];
  const size = (event: StoryEvent) => Object.values(event.sizes!)[0];
  const unit = Object.keys(points[0].sizes!)[0];
  const most = Math.max(1, ...points.map(size));
  const x = (number: number) => left + (width * (number + 0.5)) / points.length;
  const y = (value: number) => top + height * (1 - value / most);
  let line = '';
  const marks: unknown[] = [];
  points.forEach((point, number) => {
    const begins = number === 0 || points[number - 1].attempt !== point.attempt;
    line += `${begins ? 'M' : 'L'}${x(number).toFixed(1)},${y(size(point)).toFixed(1)}`;
    if (begins && number > 0) marks.push(<line class="refined" x1={left + (width * number) / points.length} x2={left + (width * number) / points.length} y1={top} y2={top + height} />);
    if (points.length <= 300) {
      const on = point.attempt === chosen;
      marks.push(<circle class={on ? 'dot-on' : 'dot'} cx={x(number)} cy={y(size(point))} r={on ? 4 : 2.5}
><title>{`attempt ${point.attempt}, step ${point.step}: ${size(point)} ${unit}`}</title></circle>);
    }
  });
  // A click chooses the step that is nearest from left to right.
  const clicked = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    const at = Math.floor((((event.clientX - box.left) * 630) / box.width - left) / (width / points.length));
    const point = points[Math.max(0, Math.min(points.length - 1, at))];
    pick(point.attempt ?? 0, point.step);
  };
  return (
    <svg class="chart" viewBox="0 0 630 170" role="img" onClick={clicked} aria-label={`${unit} over ${points.length} steps, at most ${most}`}>
      <path class="axis" d={`M${left},${top}V${top + height}H${left + width}`} />
      <text x={left - 6} y={top + 8} text-anchor="end">{most}</text>
      <text x={left - 6} y={top + height} text-anchor="end">0</text>
      <text x={left} y={11}>{unit}</text>
      <text x={left + width} y={top + height + 18} text-anchor="end">{points.length} steps; dashed: refinements</text>
      <path class="line" d={line} />
      {marks as never[]}
    </svg>
  );
}
