// The properties and what is known about them.
import { useEffect, useState } from 'preact/hooks';
import { askQuestion, certify, check, choose, setSettings, simulateFromStart } from './actions';
import { report } from './api';
import { jumpTo } from './editor';
import { keyOf, language, set, type State, useStore } from './store';
import type { Answer, Property, Setting } from './types';

const WORD = { holds: 'holds', violated: 'violated', unknown: 'unknown' };
const SIGN = { holds: '✓', violated: '✗', unknown: '?' };

// The verdict, or the number where one was asked for.
export function Badge({ verdict, value }: { verdict: 'holds' | 'violated' | 'unknown'; value?: string }) {
  if (verdict === 'holds' && value !== undefined) return <span class="badge holds"><span aria-hidden="true">=</span> {value}</span>;
  return <span class={'badge ' + verdict}><span aria-hidden="true">{SIGN[verdict]}</span> {WORD[verdict]}</span>;
}

export function CardsPane() {
  const state = useStore((now) => now);
  const properties = state.look?.properties ?? [];
  // Answers to what is not in the file come after those of the file.
  const others = state.answers.filter((answer) => !properties.some((one) => keyOf(one) === keyOf(answer)));
  const stale = !report && state.answers.length > 0 && state.texts[state.path] !== undefined
    && state.texts[state.path] !== state.checkedText;
  const offers = language(state)?.offers ?? [];
  return (
    <section class="pane cards" aria-label="Properties">
      <div class="bar">
        <h2>Properties</h2>
        <span class="grow" />
        {offers.includes('simulate') || offers.includes('instance') ? <Size state={state} /> : null}
        {offers.includes('simulate') ? <button class="quiet" onClick={() => void simulateFromStart()} title="Run the model by hand">Simulate</button> : null}
        {offers.includes('vacuity') ? <button class="quiet" onClick={() => void check(null, false, 'vacuity')} title="Check, and tell which parts of the properties do not matter">Vacuity</button> : null}
      </div>
      <div class="list">
        {stale ? <p class="stale" role="note">The text has changed since these answers.</p> : null}
        {!report ? <Missing state={state} /> : null}
        {properties.map((property) => (
          <Card key={keyOf(property)} property={property} answer={state.answers.find((one) => keyOf(one) === keyOf(property)) ?? null} state={state} />
        ))}
        {others.map((answer) => <Card key={keyOf(answer)} property={null} answer={answer} state={state} />)}
        {!properties.length && !others.length ? (
          <p class="empty">{state.look ? (state.look.diagnostics.some((one) => one.severity === 'error')
            ? 'Once the text has no mistakes, its properties are here.' : noProperties(state)) : ''}</p>
        ) : null}
        <Doubts state={state} />
        {offers.includes('ask') && !report ? <Question id={language(state)!.id} /> : null}
        {!report ? <Settings state={state} /> : null}
      </div>
    </section>
  );
}

function Card({ property, answer, state }: { property: Property | null; answer: Answer | null; state: State }) {
  const key = keyOf(property ?? answer!);
  const name = property?.name ?? answer!.property;
  const number = property?.number ?? answer?.number;
  const text = property && property.text !== property.name ? property.text : answer?.text !== name ? answer?.text : undefined;
  const working = state.work && state.work.stage !== 'done' && state.work.verb !== 'ask' && !answer
    && (state.work.only === null || state.work.only === name);
  const on = state.chosen === key;
  const kind = property?.kind ?? answer?.kind;
  return (
    <article class={'card' + (on ? ' on' : '') + (answer ? ' ' + answer.verdict : '')} aria-label={`Property ${name}`}>
      <div class="card-head">
        <button class="name" aria-pressed={on} onClick={() => { choose(key); if (property?.place) jumpTo(property.place); }} title="Look at this property">
          {number ? <span class="number">{number}.</span> : null} {name}
        </button>
        {answer ? <Badge verdict={answer.verdict} value={short(answer)} /> : working ? <Working state={state} /> : <span class="badge none">not checked</span>}
      </div>
      {answer?.vacuity?.formula
        ? <p class="formula whole">
          {answer.vacuity.formula.map(([piece, said]) => (said === null ? piece : <u class="vacuous" title={said}>{piece}</u>))}</p>
        : text ? <p class="formula" title={text}>{plain(text)}</p> : null}
      {answer ? <Body answer={answer} state={state} /> : null}
      {!answer && !working && !report ? <div class="row"><span class="muted">{kind}</span><span class="grow" />
        <button class="quiet" onClick={() => void check(name)}>Check this</button></div> : null}
    </article>
  );
}

// What is meant by a file has a fingerprint of it, which is for programs.
const plain = (text: string) => text.replace(/ \((?:automaton )?[0-9a-f]{16}\)$/, '');

// A number in the space of a badge, where a number was asked for.
function short(answer: Answer): string | undefined {
  if (answer.value === undefined || answer.compared) return undefined;
  return typeof answer.value === 'number' ? String(Number(answer.value.toPrecision(6))) : answer.value;
}

function Body({ answer, state }: { answer: Answer; state: State }) {
  const judged = state.judged[keyOf(answer)];
  const value = answer.value !== undefined && !answer.compared ? (answer.exact ?? String(answer.value)) : null;
  const bounded = value !== null && answer.exact === undefined && answer.lower !== answer.upper;
  const facts = [
    answer.method ? `by ${answer.method}` : '',
    answer.refinements ? `${answer.refinements} refinement${answer.refinements > 1 ? 's' : ''}` : '',
    answer.seconds !== undefined ? `${answer.seconds < 10 ? answer.seconds.toFixed(2) : answer.seconds.toFixed(0)} s` : '',
  ].filter(Boolean).join(' · ');
  return (
    <div class="card-body">
      {value !== null ? <p class="value">{value}{bounded ? <span class="muted"> between {answer.lower} and {answer.upper}</span> : null}</p> : null}
      {answer.verdict === 'unknown' ? <p>{answer.because}</p> : answer.view.because ? <p>{answer.view.because}</p> : null}
      {answer.view.vacuous ? <p class="doubt">A part of this property does not matter: it is true for a trivial reason.</p> : null}
      {facts ? <p class="muted">{facts}</p> : null}
      {answer.view.notes.length ? <details><summary>More</summary>{answer.view.notes.map((note) => <pre tabIndex={0}>{note}</pre>)}</details> : null}
      <div class="row">
        {answer.view.run ? <button onClick={() => { choose(keyOf(answer)); set({ panel: 'run', part: 'below' }); }}>
          {answer.verdict === 'violated' ? 'Step through' : 'Show the run'}</button> : null}
        {answer.evidence ? <button class="quiet" onClick={() => { choose(keyOf(answer)); set({ panel: 'evidence', part: 'below' }); }}>Evidence</button> : null}
        {answer.evidence && !report ? (
          <button class={'certify' + (typeof judged === 'object' ? ('accepted' in judged && judged.accepted ? ' good' : ' bad') : '')}
            disabled={judged === 'busy'} onClick={() => void certify(answer)}
            title="Check the evidence again, with code that shares nothing with the engines">
            {judged === 'busy' ? 'certifying …' : typeof judged !== 'object' ? 'Certify'
              : 'accepted' in judged ? (judged.accepted ? '✓ certified' : '✗ rejected') : '✗ not certified'}
          </button>
        ) : null}
      </div>
      {typeof judged === 'object' ? <p class={'judged' + ('accepted' in judged && judged.accepted ? ' good' : ' bad')} role="status">
        {'failed' in judged ? judged.failed : judged.accepted ? judged.facts?.join('; ') : judged.because}</p> : null}
    </div>
  );
}

function Working({ state }: { state: State }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((now) => now + 1), 200);
    return () => clearInterval(timer);
  }, []);
  if (state.work!.stage === 'queued') return <span class="badge none">waiting</span>;
  const seconds = (performance.now() - state.work!.began) / 1000;
  return <span class="badge busy"><span class="spinner" aria-hidden="true" /> {seconds < 1 ? 'checking' : `${seconds.toFixed(0)} s`}</span>;
}

function Doubts({ state }: { state: State }) {
  const doubts = state.model?.doubts ?? [];
  if (!doubts.length) return null;
  return (
    <article class="card doubts" aria-label="Reasons to doubt the model">
      <h3>Reasons to doubt the model</h3>
      <ul>{doubts.map((doubt) => <li>{doubt.text} {doubt.place
        ? <button class="link" onClick={() => jumpTo(doubt.place!)}>line {doubt.place.line}</button> : null}</li>)}</ul>
    </article>
  );
}

// Questions to begin with, where some are known; any that `quotient ask` takes can be typed.
const QUESTIONS: Record<string, string[]> = {
  smv: ['AG ?', 'EF ?'], network: ['stable', 'attractors'], bsp: ['end', 'barriers'], graded: ['laws'],
};

function Question({ id }: { id: string }) {
  const [text, setText] = useState('');
  const known = QUESTIONS[id] ?? [];
  return (
    <form class="card question" onSubmit={(event) => { event.preventDefault(); if (text.trim()) void askQuestion(text.trim()); }}>
      <label for="question">{known.some((one) => one.includes('?')) ? <>Ask: what stands for <code>?</code></> : 'Ask the model'}</label>
      <div class="row"><input id="question" value={text} placeholder={known[0] ?? 'a question, as quotient ask takes it'} onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit">Ask</button></div>
      {known.length ? <div class="row">{known.map((one) => <button type="button" class="quiet chip" key={one} onClick={() => { setText(one); void askQuestion(one); }}>{one}</button>)}</div> : null}
    </form>
  );
}

// A model may get its properties from elsewhere.
function noProperties(state: State): string {
  const file = language(state)?.settings.find((one) => one.kind === 'file' && one.verbs.includes('check'));
  const text = 'This model has no properties of its own.';
  return file && !state.settings.some(([name]) => name === file.name) ? `${text} A file with some can be named under Settings, as \u201c${file.name}\u201d.` : text;
}

// Constants that the model leaves open: without values nothing can be checked.
function Missing({ state }: { state: State }) {
  const setting = language(state)?.settings.find((one) => one.kind === 'assignment' && one.verbs.includes('check'));
  const said = [
    ...(state.look?.diagnostics ?? []), ...(state.shown?.diagnostics ?? []), ...(state.work?.done?.diagnostics ?? []),
  ].map((one) => one.message).concat(state.answers.map((one) => one.because ?? ''));
  const names = [...new Set(said.flatMap((text) => [...text.matchAll(/constant `(\w+)` has no value/g)].map((found) => found[1])))]
    .filter((name) => !state.settings.some(([own, text]) => own === setting?.name && text.startsWith(name + '=')));
  const [values, setValues] = useState<Record<string, string>>({});
  if (!setting || !names.length) return null;
  const give = (event: Event) => {
    event.preventDefault();
    const given = names.filter((name) => values[name]?.trim()).map((name): [string, string] => [setting.name, `${name}=${values[name].trim()}`]);
    if (!given.length) return;
    setSettings([...state.settings, ...given]);
    void check(null);
  };
  return (
    <form class="card missing" onSubmit={give} aria-label="Constants without values">
      <h3>{names.length === 1 ? 'One constant has no value' : 'Some constants have no values'}</h3>
      <p class="muted">{names.length === 1 ? 'The model leaves it open. Give it a value' : 'The model leaves them open. Give each a value'}, such as 3 or 0.5, to check it.</p>
      {names.map((name) => <div class="field" key={name}><label for={'constant-' + name}><code>{name}</code></label>
        <input id={'constant-' + name} type="text" inputMode="decimal" value={values[name] ?? ''} onInput={(event) => { const text = event.currentTarget.value; setValues((now) => ({ ...now, [name]: text })); }} /></div>)}
      <div class="row"><span class="grow" /><button type="submit" disabled={!names.some((name) => values[name]?.trim())}>Check with these</button></div>
    </form>
  );
}

// How large an instance is simulated or searched, where the language has a number for that.
export function Size({ state }: { state: State }) {
  const setting = (language(state)?.settings ?? []).find((one) => one.kind === 'whole' && one.name === 'processes' && !one.verbs.includes('check'));
  if (!setting || report) return null;
  const value = state.settings.find(([name]) => name === setting.name)?.[1] ?? '';
  const put = (text: string) => {
    setSettings([...state.settings.filter(([name]) => name !== setting.name), ...(text ? [[setting.name, text] as [string, string]] : [])]);
    // A run by hand begins again with the new number.
    if (state.sim) void simulateFromStart();
  };
  return <label class="size" title={setting.help}>{setting.name}
    <input type="number" min={setting.bounds![0]} max={Math.min(setting.bounds![1], 99)} value={value} placeholder="3" onChange={(event) => put(event.currentTarget.value)} /></label>;
}

// A form made of the settings that the language declares.
function Settings({ state }: { state: State }) {
  const about = language(state);
  const known = about?.settings ?? [];
  if (!known.length) return null;
  const value = (name: string) => state.settings.find(([own]) => own === name)?.[1];
  const values = (name: string) => state.settings.filter(([own]) => own === name).map(([, text]) => text);
  const put = (name: string, given: string[]) => {
    const others = state.settings.filter(([own]) => own !== name);
    setSettings([...others, ...given.map((text): [string, string] => [name, text])]);
  };
  const groups = [...new Set(known.map((one) => one.group))];
  return (
    <details class="card settings">
      <summary>Settings{state.settings.length ? ` (${state.settings.length} given)` : ''}</summary>
      {about!.offers.includes('instance') ? (
        <p class="row"><span class="muted">One instance, searched completely:</span><span class="grow" />
          <button onClick={() => void check(null, false, 'instance')}>Search one instance</button></p>) : null}
      {groups.map((group) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {known.filter((one) => one.group === group).map((one) => (
            <Field key={one.name + one.verbs.join()} setting={one} value={value(one.name)} values={values(one.name)} put={(given) => put(one.name, given)} />
          ))}
        </fieldset>
      ))}
    </details>
  );
}

function Field({ setting, value, values, put }: { setting: Setting; value: string | undefined; values: string[]; put: (given: string[]) => void }) {
  const id = 'setting-' + setting.name + '-' + setting.verbs.join('-');
  const change = (event: Event) => {
    const text = (event.currentTarget as HTMLInputElement).value.trim();
    put(text === '' ? [] : setting.many ? text.split(/\s*;\s*/) : [text]);
  };
  const help = setting.help + (setting.verbs.length < 8 && !setting.verbs.includes('check') ? ` (for ${setting.verbs.join(', ')})` : '');
  if (setting.kind === 'flag') {
    return <div class="field"><label title={help}><input type="checkbox" checked={value !== undefined}
      onChange={(event) => put(event.currentTarget.checked ? [''] : [])} /> {setting.name}</label><p class="muted">{help}</p></div>;
  }
  return (
    <div class="field">
      <label for={id}>{setting.name}</label>
      {setting.kind === 'choice'
        ? <select id={id} value={value ?? ''} onChange={change}><option value="">{setting.default ? `${setting.default} (default)` : '—'}</option>
          {setting.choices!.map(([name, line]) => <option value={name} title={line}>{name}</option>)}</select>
        : setting.kind === 'whole'
          ? <input id={id} type="number" min={setting.bounds![0]} max={setting.bounds![1] < 1e15 ? setting.bounds![1] : undefined} value={value ?? ''}
            placeholder={setting.default ?? setting.value} onChange={change} />
          : <input id={id} type="text" value={values.join('; ')} placeholder={setting.default ?? setting.value + (setting.many ? '; …' : '')} onChange={change} />}
      <p class="muted">{help}</p>
    </div>
  );
}
