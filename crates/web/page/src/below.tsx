// Below: the run, the story, the evidence, the console.
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  certify, endSimulation, goBack, goOn, goTo, play, simulateFromHere, takeChoice, takeRandom, undoChoice,
} from './actions';
import { report } from './api';
import { Size } from './cards';
import { jumpTo } from './editor';
import { download, Rows } from './picture';
import { usePrinting } from './printing';
import { Story } from './story';
import { chosenAnswer, currentRun, keyOf, language, type Panel, set, type State, useStore } from './store';
import type { Answer, Run } from './types';

const PANELS: [Panel, string][] = [['run', 'Run'], ['story', 'Story'], ['evidence', 'Evidence'], ['console', 'Console']];

export function Below() {
  const state = useStore((now) => now);
  const move = (event: KeyboardEvent) => {
    const at = PANELS.findIndex(([panel]) => panel === state.panel);
    const to = event.key === 'ArrowRight' ? at + 1 : event.key === 'ArrowLeft' ? at - 1 : -1;
    if (to < 0 || to >= PANELS.length) return;
    event.preventDefault();
    set({ panel: PANELS[to][0] });
    document.getElementById('tab-' + PANELS[to][0])?.focus();
  };
  return (
    <section class="pane below" aria-label="Run, story, evidence and console">
      <div class="bar tabs" role="tablist" aria-label="Below">
        {PANELS.map(([panel, name]) => (
          <button role="tab" id={'tab-' + panel} key={panel} aria-selected={state.panel === panel} aria-controls="panel"
            tabIndex={state.panel === panel ? 0 : -1} class={state.panel === panel ? 'on' : ''} onKeyDown={move}
            onClick={() => set({ panel })}>{name}{count(panel, state)}</button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id="panel" aria-labelledby={'tab-' + state.panel}>
        {state.panel === 'run' ? <RunPanel state={state} /> : null}
        {state.panel === 'story' ? <Story state={state} /> : null}
        {state.panel === 'evidence' ? <EvidencePanel state={state} /> : null}
        {state.panel === 'console' ? <Console state={state} /> : null}
      </div>
    </section>
  );
}

function count(panel: Panel, state: State) {
  const run = panel === 'run' ? currentRun(state) : null;
  return run ? <span class="count">{run.steps.length}</span> : null;
}

// The run under the cursor.

function RunPanel({ state }: { state: State }) {
  const run = currentRun(state);
  const answer = chosenAnswer(state);
  const can = (language(state)?.offers.includes('simulate') ?? false) && !report;
  if (!run) {
    return <div class="empty"><p>{answer ? (answer.view.table ? '' : norun(answer))
      : 'Check the model (Ctrl+Enter). A counterexample is shown here, step by step.'}</p>
      {answer?.view.table ? <Rows head={answer.view.table.head} rows={answer.view.table.rows} /> : null}
      {can ? <button onClick={() => void simulateFromHere()}>Simulate by hand</button> : null}</div>;
  }
  const last = run.steps.length - 1;
  const step = Math.min(state.step, last);
  const keys = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target.matches('input:not([type=range]),select,textarea')) return;
    const act: Record<string, () => void> = {
      ArrowRight: goOn, ArrowDown: goOn, ArrowLeft: goBack, ArrowUp: goBack, Home: () => goTo(0), End: () => goTo(last), ' ': play,
    };
    if (event.key === ' ' && target.matches('button')) return;
    if (act[event.key]) { event.preventDefault(); act[event.key](); }
  };
  return (
    <div class={'run' + (state.sim ? ' by-hand' : '')} onKeyDown={keys}>
      <div class="controls">
        <button class="quiet" aria-label="To the start" title="To the start (Home)" onClick={() => goTo(0)}>|◀</button>
        <button class="quiet" aria-label="Step back" title="Step back (←)" onClick={goBack}>◀</button>
        <button class="quiet" aria-label={state.playing ? 'Pause' : 'Play'} title="Play (space)" onClick={play}>{state.playing ? '⏸' : '▶▶'}</button>
        <button class="quiet" aria-label="Step on" title="Step on (→)" onClick={goOn}>▶</button>
        <button class="quiet" aria-label="To the end" title="To the end (End)" onClick={() => goTo(last)}>▶|</button>
        <input type="range" min={0} max={last} value={step} aria-label="Step of the run" aria-valuetext={`step ${step} of ${last}`}
          onInput={(event) => goTo(Number(event.currentTarget.value))} />
        <span class="where">{step} / {last}{run.backTo !== null ? <span class="loop" title="This run goes on for ever"> ↺ {run.backTo}</span> : null}</span>
        {can && !state.sim ? <button onClick={() => void simulateFromHere()} title="Go on by hand from this step">Simulate from here</button> : null}
      </div>
      <div class="run-body">
        <RunTable run={run} step={step} />
        {state.sim ? <Choices state={state} /> : null}
      </div>
    </div>
  );
}

// Why there is nothing to step through.
function norun(answer: Answer): string {
  if (answer.verdict === 'holds' && (answer.value === undefined || answer.compared)) return `It holds: there is no counterexample to step through.${answer.evidence ? ' What shows it is under Evidence.' : ''}`;
  if (answer.verdict === 'unknown') return 'No answer was found, so there is no run to show.';
  return 'There is no run to show for this answer.';
}

const ROW = 28;
// Only what is seen is there: runs may have ten thousand steps.
function RunTable({ run, step }: { run: Run; step: number }) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(300);
  useEffect(() => {
    const element = box.current!;
    const seen = new ResizeObserver(() => setHeight(element.clientHeight));
    seen.observe(element);
    return () => seen.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current!;
    const at = (step + 1) * ROW;
    if (at < element.scrollTop + ROW) element.scrollTop = at - ROW;
    if (at + ROW > element.scrollTop + element.clientHeight) element.scrollTop = at + 2 * ROW - element.clientHeight;
  }, [step, run]);
  const columns = run.layout === 'events' && run.beside.length ? run.beside
    : run.layout === 'events' && run.columns.length > 14 ? [] : run.columns.map((_, number) => number);
  // Columns that mostly say nothing only take room.
  const told = (number: number) => run.steps.filter((one) => one.cells[number]?.[0]).length * 2 > run.steps.length;
  const named = run.layout === 'events' ? columns.filter((number) => run.beside.includes(number) || told(number)) : columns;
  const acted = run.steps.some((one) => one.by.length > 0);
  const action = run.steps.some((one) => one.action);
  const remark = run.steps.some((one) => one.remark);
  const printing = usePrinting();
  const first = printing ? 0 : Math.max(0, Math.floor(top / ROW) - 8);
  const end = printing ? run.steps.length : Math.min(run.steps.length, first + Math.ceil(height / ROW) + 16);
  const loops = (number: number) => run.backTo !== null && number >= run.backTo;
  return (
    <div class="table" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)} tabIndex={0} role="group" aria-label="Steps of the run">
      <table aria-rowcount={run.steps.length + 1}>
        <thead><tr><th class="narrow">#</th>{action ? <th>step</th> : null}{acted ? <th>by</th> : null}
          {named.map((number) => <th key={number}>{run.columns[number] || 'state'}</th>)}{remark ? <th>remark</th> : null}</tr></thead>
        <tbody>
          {first > 0 ? <tr style={{ height: `${first * ROW}px` }} aria-hidden="true" /> : null}
          {run.steps.slice(first, end).map((one, offset) => {
            const number = first + offset;
            return (
              <tr key={number} class={(number === step ? 'here' : '') + (loops(number) ? ' loops' : '') + (number === run.backTo ? ' loop-start' : '')}
                aria-current={number === step ? 'step' : undefined} aria-rowindex={number + 2} onClick={() => goTo(number)}>
                <td class="narrow">{number}</td>
                {action ? <td class="action">{one.action ?? (number === 0 ? 'start' : '')}</td> : null}
                {acted ? <td class="by">{one.by.join(', ')}</td> : null}
                {named.map((column) => {
                  const [text, changed] = one.cells[column] ?? ['', false];
                  return <td key={column} class={changed ? 'new' : ''} title={text}>{text}</td>;
                })}
                {remark ? <td>{one.remark}</td> : null}
              </tr>
            );
          })}
          {end < run.steps.length ? <tr style={{ height: `${(run.steps.length - end) * ROW}px` }} aria-hidden="true" /> : null}
        </tbody>
      </table>
      {run.backTo !== null ? <p class="ending">↺ and so on for ever, from step {run.backTo}</p> : null}
      {run.ending.length ? <pre class="ending">{run.ending.join('\n')}</pre> : null}
    </div>
  );
}

function Choices({ state }: { state: State }) {
  const sim = state.sim!;
  // Somebody else chooses, a step at a time, until nothing can be done or somebody stops it.
  const [running, setRunning] = useState(false);
  useEffect(() => {
    if (!running) return;
    if (!sim.choices.length || sim.run.steps.length > 2000) return setRunning(false);
    const timer = setTimeout(() => void takeRandom(1), 450);
    return () => clearTimeout(timer);
  }, [running, sim]);
  const twins = (action: string) => sim.choices.filter((one) => one.action === action).length > 1;
  return (
    <div class="choices" aria-label="What can be done now" role="group">
      <div class="row">
        <strong>By hand</strong><span class="grow" />
        <button class="quiet" disabled={!sim.choices_taken.length || state.simBusy} onClick={() => void undoChoice()}>Undo</button>
        <button class="quiet" disabled={!sim.choices.length || state.simBusy} onClick={() => void takeRandom(1)}>Any</button>
        <button class="quiet" aria-pressed={running} disabled={!sim.choices.length && !running} onClick={() => setRunning(!running)} title="Take one step after the other, any of those that can be taken">{running ? 'Pause' : 'Run'}</button>
        <button class="quiet" onClick={endSimulation}>Close</button>
      </div>
      <Size state={state} />
      {sim.refused ? <p class="doubt">Followed up to “{sim.refused.action}”. {sim.refused.because.join(' ')}</p> : null}
      {sim.notes.map((note) => <p class="note">{note}</p>)}
      {sim.deadlock ? <p class="doubt">Deadlock: no step can be taken.</p> : null}
      <ol class="choice-list">
        {sim.choices.map((choice, number) => (
          <li key={number}><button class={'choice' + (choice.automatic ? ' auto' : '')} disabled={state.simBusy} onClick={() => void takeChoice(number)}
            onFocus={() => undefined} title={choice.leadsTo}>
            <span>{choice.action || choice.leadsTo || 'step'}</span>
            {choice.leadsTo && (twins(choice.action) || !choice.action) && choice.action ? <span class="leads">{choice.leadsTo}</span> : null}
            {choice.automatic ? <span class="muted">by itself</span> : null}
          </button>{choice.place ? <button class="link" aria-label={`To line ${choice.place.line}`} onClick={() => jumpTo(choice.place!)}>:{choice.place.line}</button> : null}</li>
        ))}
      </ol>
      {sim.more ? <p class="muted">… and more</p> : null}
      {sim.whereabouts.length ? <details><summary>Where everybody is</summary><pre tabIndex={0}>{sim.whereabouts.join('\n')}</pre></details> : null}
    </div>
  );
}

// Evidence.

function EvidencePanel({ state }: { state: State }) {
  const answer = chosenAnswer(state);
  const evidence = answer?.evidence;
  if (!answer || !evidence) {
    return <p class="empty">{answer ? 'There is no evidence for this answer.' : 'Choose a property that was checked.'}</p>;
  }
  const judged = state.judged[keyOf(answer)];
  const body = compact(JSON.stringify(evidence.body, null, 1));
  const settings = Object.entries(evidence.settings ?? {}).map(([name, values]) => `${name} ${values.join(', ')}`).join('; ');
  const constants = Object.entries(evidence.constants ?? {}).map(([name, value]) => `${name} = ${value}`).join(', ');
  const facts: [string, string | undefined][] = [
    ['claim', evidence.claim], ['kind', evidence.kind], ['property', evidence.text || evidence.property],
    ['settings', settings], ['constants', constants], ['found by', evidence.method],
  ];
  return (
    <div class="evidence">
      <div class="evidence-side">
        <p>What others can check{evidence.claim === 'holds' ? ': a certificate that it holds' : ': a run that violates it'}.
          The checker shares no code with the engines.</p>
        {facts.filter(([, text]) => text).map(([name, text]) => <div class="fact"><span>{name}</span><span>{text}</span></div>)}
        <div class="row">
          {report ? null : <button class={'certify' + (typeof judged === 'object' ? ('accepted' in judged && judged.accepted ? ' good' : ' bad') : '')}
            disabled={judged === 'busy'} onClick={() => void certify(answer)}>
            {judged === 'busy' ? 'certifying …' : typeof judged === 'object' ? ('accepted' in judged && judged.accepted ? '✓ certified' : '✗ not accepted') : 'Certify'}</button>}
          {answer.evidenceFile ? <a href={encodeURIComponent(answer.evidenceFile)}>{answer.evidenceFile}</a> : null}
          <button class="quiet" onClick={() => download('evidence.json', JSON.stringify(evidence, null, 2) + '\n', 'application/json')}>Download</button>
        </div>
        {typeof judged === 'object' ? ('failed' in judged ? <p class="judged bad">{judged.failed}</p>
          : <ul class={'judged ' + (judged.accepted ? 'good' : 'bad')}>{(judged.facts ?? [judged.because ?? '']).map((fact) => <li>{fact}</li>)}</ul>) : null}
        {answer.view.exhibits.flatMap((exhibit) => exhibit.files.map(([ending, text]) => (
          <button class="link" onClick={() => download(ending.startsWith('=') ? ending.slice(1) : `${exhibit.name}.${ending}`, text)}>
            {exhibit.caption || exhibit.name} ({ending.replace(/^=/, '')})</button>)))}
      </div>
      <pre class="body" tabIndex={0} aria-label="The evidence as JSON">{body.length > 100_000 ? body.slice(0, 100_000) + '\n… (the file has all of it)' : body}</pre>
    </div>
  );
}

// Lists of numbers and words on one line each.
const compact = (json: string) => json.replace(/\[[^[\]{}]*\]/g, (list) => (list.length < 4000 ? list.replace(/\s*\n\s*/g, ' ') : list));

// The console: what was done, as on the command line.

function Console({ state }: { state: State }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => { end.current?.scrollIntoView({ block: 'nearest' }); }, [state.log.length]);
  return (
    <div class="console">
      {state.asked ? <div class="asked">{state.asked.blocks.map((one) => one.table ? <Rows head={one.table.head} rows={one.table.rows} />
        : <pre>{one.block === 'fact' ? `${one.name}  ${one.text}` : one.text}</pre>)}</div> : null}
      <div class="log" role="log" tabIndex={0} aria-label="Console">
        {state.log.length ? state.log.map((line) => <div class={line.kind}>{line.kind === 'command' ? '$ ' : ''}{line.text}</div>)
          : <p class="empty">What is done here, as the command line would say it.</p>}
        <div ref={end} />
      </div>
    </div>
  );
}
