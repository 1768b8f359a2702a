// The story: what was tried on the way, and how large things grew.
import { chosenAnswer, set, type State } from './store';
import { drawings } from './picture';
import type { StoryEvent } from './types';

interface Attempt { attempt: number; steps: number; largest: number; unit: string; until: number; refined: string; alarm: boolean }

export function Story({ state }: { state: State }) {
  const story = state.work?.story ?? [];
  if (!story.length) {
    return <p class="empty">{state.work ? 'This run had nothing to tell.' : 'Check the model to see how the answer is found.'}</p>;
  }
  const methods = [...new Set(story.map((event) => event.method ?? ''))];
  const of = chosenAnswer(state)?.method;
  const method = of && methods.includes(of) ? of : methods.find((one) => story.some((event) => (event.method ?? '') === one && event.event === 'step')) ?? methods[0];
  return (
    <div class="story">
      {methods.map((one) => <Told key={one} name={one} open={one === method} events={story.filter((event) => (event.method ?? '') === one)} state={state} />)}
    </div>
  );
}

function Told({ name, events, open, state }: { name: string; events: StoryEvent[]; open: boolean; state: State }) {
  const all = attempts(events);
  const points = events.filter((event) => event.event === 'step' && Object.keys(event.sizes ?? {}).length);
  const notes = events.filter((event) => ['note', 'began', 'ended'].includes(event.event));
  const chosen = open ? state.attempt : -1;
  return (
    <details open={open} class="told">
      <summary>{name || 'The run'} <span class="muted">{all.length ? `${all.length} attempt${all.length > 1 ? 's' : ''}` : ''}</span></summary>
      <div class="told-body">
        {points.length > 1 ? <Chart points={points} chosen={chosen} /> : null}
        {all.length ? (
          <div class="scroll" tabIndex={0} role="group" aria-label={'Attempts of ' + (name || 'the run')}>
            {all.length > 1 ? <label class="film">Attempt <input type="range" min={0} max={all.length - 1} value={chosen < 0 ? all.length - 1 : chosen}
              aria-label="Attempt" onInput={(event) => pick(Number(event.currentTarget.value), state)} /></label> : null}
            <table>
              <thead><tr><th>attempt</th><th>steps</th><th>largest</th><th>seconds</th><th>refined</th></tr></thead>
              <tbody>{all.map((one, number) => (
                <tr class={number === chosen ? 'here' : ''} onClick={() => pick(number, state)}>
                  <td>{one.attempt}</td><td>{one.steps}</td><td>{one.largest} {one.unit}</td><td>{one.until.toFixed(3)}</td>
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

// An attempt is looked at: its picture too, where there is one.
function pick(attempt: number, state: State) {
  const named = drawings(state).find((one) => one.key.startsWith('answer') && new RegExp(`\\b(attempt|M)[ _]?${attempt}\\b`, 'i').test(one.name));
  set({ attempt, ...(named ? { picture: named.key } : {}) });
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
function Chart({ points, chosen }: { points: StoryEvent[]; chosen: number }) {
  const [left, top, width, height] = [52, 18, 560, 120];
  const size = (event: StoryEvent) => Object.values(event.sizes!)[0];
  const unit = Object.keys(points[0].sizes!)[0];
  const most = Math.max(1, ...points.map(size));
  const x = (number: number) => left + (width * (number + 0.5)) / points.length;
  const y = (value: number) => top + height * (1 - value / most);
  let line = '';
  const marks: unknown[] = [];
  const order = [...new Set(points.map((point) => point.attempt))];
  points.forEach((point, number) => {
    const begins = number === 0 || points[number - 1].attempt !== point.attempt;
    line += `${begins ? 'M' : 'L'}${x(number).toFixed(1)},${y(size(point)).toFixed(1)}`;
    if (begins && number > 0) marks.push(<line class="refined" x1={left + (width * number) / points.length} x2={left + (width * number) / points.length} y1={top} y2={top + height} />);
    if (points.length <= 300) {
      const on = order.indexOf(point.attempt) === chosen;
      marks.push(<circle class={on ? 'dot-on' : 'dot'} cx={x(number)} cy={y(size(point))} r={on ? 4 : 2.5}
        onClick={() => set({ attempt: order.indexOf(point.attempt) })}><title>{`attempt ${point.attempt}, step ${point.step}: ${size(point)} ${unit}`}</title></circle>);
    }
  });
  return (
    <svg class="chart" viewBox="0 0 630 170" role="img" aria-label={`${unit} over ${points.length} steps, at most ${most}`}>
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
