// What can be done on the page.
import { ask, Failed, report, run } from './api';
import {
  chosenAnswer, currentRun, get, initial, keyOf, language, log, set, type Panel, type State,
} from './store';
import type {
  About, Answer, Diagnostic, Done, FileEntry, Judged, Look, ModelView, Shown, Simulated, StoryEvent,
} from './types';

const asModel = (state: State) => ({
  path: state.path,
  example: state.example,
  texts: Object.fromEntries(Object.entries(state.texts).filter(([path, text]) =>
    state.example !== null || text !== state.saved[path] || !(path in state.saved))),
  settings: state.settings,
});

export function failed(error: unknown) {
  if (error instanceof Error && error.name === 'AbortError') return;
  const message = error instanceof Error ? error.message : String(error);
  log('error', message);
  set({ trouble: message });
}

// Beginning.

export async function begin() {
  if (report) return beginReport();
  try {
    const about = await ask<About>('GET', 'about');
    const listed = await ask<{ files: FileEntry[] }>('GET', 'files');
    set({ about, files: listed.files });
    const wanted = new URLSearchParams(location.hash.slice(1));
    await fromAddress(wanted, about, listed.files);
    window.addEventListener('hashchange', () => {
      const again = new URLSearchParams(location.hash.slice(1));
      if (again.toString() !== address(get()).toString()) fromAddress(again, about, get().files).catch(failed);
    });
  } catch (error) {
    failed(error);
  }
}

function beginReport() {
  const data = report!;
  // What was told before an answer came belongs to it.
  data.answers.forEach((answer) => {
    if (answer.seconds !== undefined) answer.told = data.story.filter((event) => event.seconds <= answer.seconds!).length;
  });
  const answer = data.answers.find((one) => one.verdict === 'violated') ?? data.answers[0];
  set({
    path: data.file, tab: data.file,
    texts: data.text === null ? {} : { [data.file]: data.text },
    saved: data.text === null ? {} : { [data.file]: data.text },
    look: { language: data.language ?? undefined, title: data.title, properties: data.properties, diagnostics: data.model.warnings },
    answers: data.answers, model: data.model, shown: data.shown, checkedText: data.text ?? '',
    chosen: answer ? keyOf(answer) : null,
    work: { verb: 'check', stage: 'done', before: 0, began: 0, story: data.story, done: null, only: null },
    log: [{ kind: 'command', text: data.command }],
  });
  const wanted = new URLSearchParams(location.hash.slice(1));
  restore(wanted);
}

// The address says what is looked at, so that it can be sent to somebody.

export function address(state: State): URLSearchParams {
  const said = new URLSearchParams();
  if (!report) {
    if (state.example !== null) said.set('example', state.example);
    else if (state.path) said.set('file', state.path);
    if (state.tab !== state.path) said.set('tab', state.tab);
    for (const [name, value] of state.settings) said.append('set', `${name}=${value}`);
  }
  if (state.chosen) said.set('property', state.chosen);
  if (state.step) said.set('step', String(state.step));
  if (state.panel !== 'run') said.set('panel', state.panel);
  if (state.picture) said.set('picture', state.picture);
  return said;
}

async function fromAddress(wanted: URLSearchParams, about: About, files: FileEntry[]) {
  const settings = wanted.getAll('set').map((text): [string, string] => {
    const at = text.indexOf('=');
    return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  });
  const file = wanted.get('file') ?? (wanted.has('example') ? null : about.first ?? files.find((one) => isModel(one.path))?.path ?? null);
  if (wanted.has('example')) openExample(wanted.get('example')!, settings);
  else if (file) await openFile(file, settings);
  else set({ gallery: true });
  restore(wanted);
}

function restore(wanted: URLSearchParams) {
  const change: Partial<State> = {};
  if (wanted.has('property')) change.chosen = wanted.get('property');
  if (wanted.has('step')) change.step = Number(wanted.get('step')) || 0;
  if (wanted.has('panel')) change.panel = wanted.get('panel') as Panel;
  if (wanted.has('picture')) change.picture = wanted.get('picture')!;
  if (wanted.has('tab')) change.tab = wanted.get('tab')!;
  set(change);
  // A property in the address means an answer to look at.
  if (!report && wanted.has('property')) check(null, true).catch(failed);
}

// Opening and saving.

const fresh = (): Partial<State> => ({
  look: null, work: null, answers: [], model: null, chosen: null, step: 0, shown: null, shownPart: '',
  picture: '', sim: null, judged: {}, attempt: -1, frame: 0, trouble: '', checkedText: '', asked: null, playing: false,
});

const endingOf = (path: string) => path.slice(path.lastIndexOf('.') + 1).toLowerCase();
// Whether a file is a model by itself, of any language.
const isOther = (path: string) => get().about!.languages.some((one) => one.endings.includes(endingOf(path)));
// Files with properties go with a model.
export const isModel = (path: string) => !['props', 'pctl', 'csl', 'prctl'].includes(endingOf(path));

// A language that reads a second file by a setting is given the one beside the model that has its name.
function companions(path: string, files: string[]): [string, string][] {
  const about = get().about!;
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const wanting = about.languages.find((one) => one.endings.includes(ending));
  const setting = wanting?.settings.find((one) => one.kind === 'file' && one.verbs.includes('check'));
  const stem = path.slice(0, path.lastIndexOf('.') + 1);
  const own = (file: string) => file.startsWith(stem) && !file.slice(stem.length).includes('.');
  const beside = files.find((file) => file !== path && own(file) && !isOther(file));
  if (!setting || !beside) return [];
  return [[setting.name, beside.slice(beside.lastIndexOf('/') + 1)]];
}

export function openExample(name: string, settings: [string, string][] = []) {
  // The same name may be in several languages.
  const all = get().about!.languages.flatMap((one) => one.examples.map((example) => ({ ...example, id: `${one.id}/${example.name}` })));
  const example = all.find((one) => one.id === name) ?? all.find((one) => one.name === name);
  if (!example) return set({ trouble: `There is no example \u201c${name}\u201d.`, gallery: true });
  const texts = Object.fromEntries(example.files.map((file) => [file.path, file.text]));
  const path = example.files[0].path;
  if (!settings.length) settings = companions(path, Object.keys(texts));
  leave();
  set({ ...fresh(), example: example.id, path, tab: path, texts, saved: texts, settings, gallery: false });
  lookSoon(0);
}

export async function openFile(path: string, settings: [string, string][] = []) {
  leave();
  const file = await ask<{ text: string | null }>('GET', 'file?path=' + encodeURIComponent(path));
  const texts: Record<string, string> = file.text === null ? {} : { [path]: file.text };
  if (!settings.length) settings = companions(path, get().files.map((one) => one.path));
  set({ ...fresh(), example: null, path, tab: path, texts, saved: texts, settings, gallery: false });
  lookSoon(0);
}

export function openNew(id: string) {
  const about = get().about!.languages.find((one) => one.id === id)!;
  const taken = new Set(get().files.map((file) => file.path));
  const ending = about.endings[0] ?? 'txt';
  let path = `untitled.${ending}`;
  for (let number = 2; taken.has(path); number++) path = `untitled-${number}.${ending}`;
  leave();
  set({ ...fresh(), example: null, path, tab: path, texts: { [path]: about.starter }, saved: {}, settings: [], gallery: false });
  lookSoon(0);
}

export async function showTab(path: string) {
  const state = get();
  if (!(path in state.texts) && state.example === null) {
    try {
      const file = await ask<{ text: string | null }>('GET', 'file?path=' + encodeURIComponent(path));
      const text = file.text ?? '';
      set((now) => ({ texts: { ...now.texts, [path]: text }, saved: { ...now.saved, [path]: text } }));
    } catch (error) { return failed(error); }
  }
  set({ tab: path });
}

export async function save() {
  const state = get();
  if (report || state.tab === '') return;
  let path = state.tab;
  if (state.example !== null) {
    const name = prompt(`Save a copy of this example in ${state.about?.folder ?? 'the folder'} as`, path);
    if (!name) return;
    path = name;
  }
  const text = state.texts[state.tab];
  try {
    await write(path, text, state.example === null ? state.saved[state.tab] : undefined);
    const listed = await ask<{ files: FileEntry[] }>('GET', 'files');
    set({ files: listed.files });
    if (state.example !== null) await openFile(path);
    else set((now) => ({ saved: { ...now.saved, [path]: text } }));
  } catch (error) { failed(error); }
}

// Writes a file; what is there already, and was not read before, is not written over unasked.
async function write(path: string, text: string, before: string | undefined) {
  const send = (over: boolean) => ask('PUT', 'file', { path, text, over, before });
  await send(false).catch((error) => {
    const again = error instanceof Failed && error.status === 409 && confirm(`${path}: ${error.message}. Write over it?`);
    if (!again) throw error;
    return send(true);
  });
  log('good', `saved ${path}`);
}

// Takes files in, where there is no folder to lay them in; the first one is opened.
export async function addFiles(files: File[]) {
  try {
    for (const file of files) await write(file.name, await file.text(), undefined);
    const listed = await ask<{ files: FileEntry[] }>('GET', 'files');
    set({ files: listed.files });
    const first = files.find((file) => isModel(file.name));
    if (first) await openFile(first.name);
  } catch (error) { failed(error); }
}

// Looking at the text while it is written.

let lookTimer = 0;
let lookAbort: AbortController | null = null;
export function lookSoon(wait = 120) {
  if (report) return;
  clearTimeout(lookTimer);
  lookTimer = window.setTimeout(look, wait);
}

async function look() {
  const state = get();
  lookAbort?.abort();
  lookAbort = new AbortController();
  const own = lookAbort;
  set({ looking: true });
  try {
    // What is for other verbs is not for this one, once the language is known.
    const model = language(state) ? settingsFor(asModel(state), 'check', state) : asModel(state);
    const found = await ask<Look>('POST', 'look', { model }, own.signal);
    if (own.signal.aborted) return;
    if (!language(state) && found.language && model.settings.length) {
      const known = { ...state, look: found };
      if (settingsFor(model, 'check', known).settings.length < model.settings.length) {
        set({ look: { language: found.language, diagnostics: [] } });
        return look();
      }
    }
    const first = get().shown === null;
    set({ look: found, looking: false, trouble: '' });
    if (!found.diagnostics.some((one) => one.severity === 'error')) show(get().shownPart, first);
  } catch (error) {
    if (!own.signal.aborted) { set({ looking: false }); failed(error); }
  }
}

export function edit(path: string, text: string) {
  const state = get();
  if (state.texts[path] === text) return;
  set({ texts: { ...state.texts, [path]: text } });
  lookSoon();
}

export function setSettings(settings: [string, string][]) {
  set({ settings });
  lookSoon(0);
}

// Pictures of the model.

let showAbort: AbortController | null = null;
export async function show(part: string, quiet = false) {
  if (report) return;
  const state = get();
  if (!language(state)?.offers.includes('show')) return set({ shown: null });
  showAbort?.abort();
  showAbort = new AbortController();
  const own = showAbort;
  try {
    const shown = await ask<Shown>('POST', 'show', { model: settingsFor(asModel(state), 'show', state), part: part || null }, own.signal);
    if (own.signal.aborted) return;
    if (shown.failed) {
      if (!quiet) shown.diagnostics.forEach((one) => log('error', one.message));
      return set((now) => ({ shown: now.shown ?? { blocks: [], pictures: [], diagnostics: shown.diagnostics } }));
    }
    set((now) => ({ shown: { ...shown, parts: shown.parts?.length ? shown.parts : now.shown?.parts }, shownPart: part }));
    // Where the whole has no picture, one of its parts may.
    for (const one of part === '' && !shown.pictures.length ? (shown.parts ?? []).slice(0, 4) : []) {
      const own = await ask<Shown>('POST', 'show', { model: settingsFor(asModel(state), 'show', state), part: one }, showAbort.signal);
      if (own.pictures?.length) {
        set({ shown: { ...own, parts: shown.parts }, shownPart: one });
        break;
      }
    }
  } catch (error) { if (!own.signal.aborted) failed(error); }
}

// Settings that another verb knows.
function settingsFor<T extends { settings: [string, string][] }>(model: T, verb: string, state: State): T {
  const known = language(state)?.settings.filter((one) => one.verbs.includes(verb)).map((one) => one.name) ?? [];
  return { ...model, settings: model.settings.filter(([name]) => known.includes(name)) };
}

// Checking.

let current: { cancel: () => void } | null = null;
// The user calls it off; what comes of it is still heard.
export function stop() { current?.cancel(); }
// Something else begins.
function leave() { current?.cancel(); current = null; }

export async function check(property: string | null, quiet = false, verb = 'check') {
  if (report) return;
  leave();
  const state = get();
  log('command', command(state, verb, property));
  const kept = property === null || verb === 'instance' ? [] : state.answers;
  const text = state.texts[state.path] ?? '';
  set({
    answers: kept, checkedText: text, sim: null, playing: false, judged: property === null ? {} : state.judged,
    model: property === null ? null : state.model, trouble: '', attempt: -1,
    work: { verb, stage: 'queued', before: 0, began: performance.now(), story: [], done: null, only: property },
  });
  const order = { verb, model: settingsFor(asModel(state), verb, state), properties: property === null ? [] : [property] };
  const own = run(order, (name, data) => {
    if (current !== own) return;
    hear(name, data, quiet);
  });
  current = own;
  try {
    await own.ended;
  } catch (error) { if (current === own) failed(error); }
  if (current === own) {
    current = null;
    set((now) => ({ work: now.work && { ...now.work, stage: 'done' } }));
  }
}

let stories: StoryEvent[] = [];
let storyTimer = 0;
function flushStory() {
  storyTimer = 0;
  const more = stories;
  stories = [];
  set((state) => state.work ? { work: { ...state.work, story: state.work.story.concat(more) } } : {});
}

function hear(name: string, data: any, quiet: boolean) {
  if (name === 'story') {
    stories.push(data);
    if (!storyTimer) storyTimer = window.setTimeout(flushStory, 80);
  } else if (name === 'queued') {
    set((state) => ({ work: state.work && { ...state.work, before: data.before } }));
  } else if (name === 'began') {
    set((state) => ({ work: state.work && { ...state.work, stage: 'running', began: performance.now() } }));
  } else if (name === 'answer') {
    const answer = data as Answer;
    if (storyTimer) { clearTimeout(storyTimer); flushStory(); }
    answer.told = get().work?.story.length ?? 0;
    set((state) => {
      const others = state.answers.filter((one) => keyOf(one) !== keyOf(answer));
      return { answers: [...others, answer] };
    });
    const said = answer.verdict === 'unknown' ? `unknown (${answer.because ?? ''})` : answer.verdict;
    log(answer.verdict === 'holds' ? 'good' : 'text', `${keyOf(answer)}: ${said}${answer.view.because ? ' \u2014 ' + answer.view.because : ''}`);
    const state = get();
    const now = chosenAnswer(state);
    if (!quiet && (now === null || (now.verdict !== 'violated' && answer.view.run))) choose(keyOf(answer));
    else if (quiet && state.chosen === keyOf(answer) && !state.picture && answer.view.run?.drawing) set({ picture: 'run' });
  } else if (name === 'model') {
    set({ model: data as ModelView });
    (data as ModelView).doubts.forEach((doubt) => log('text', `doubt: ${doubt.text}`));
  } else if (name === 'instance') {
    const sizes = data.sizes.map(([what, size]: [string, number]) => `${size} ${what}`).join(', ');
    log('good', `${data.what}: ${sizes}`);
    data.notes.forEach((note: string) => log('text', note));
  } else if (name === 'shown') {
    set({ asked: data as Shown });
  } else if (name === 'done') {
    if (storyTimer) { clearTimeout(storyTimer); flushStory(); }
    const done = data as Done;
    done.diagnostics?.forEach(logDiagnostic);
    const wrong = done.exit === 3 ? done.diagnostics?.find((one) => one.severity === 'error') : undefined;
    // What can be given by a form is asked for there.
    if (wrong && !/constant `\w+` has no value/.test(wrong.message)) set({ trouble: [(wrong.file && wrong.file !== get().path ? wrong.file + ': ' : '') + wrong.message, ...wrong.help].join('; ') });
    set((state) => ({ work: state.work && { ...state.work, stage: 'done', done } }));
  }
}

function logDiagnostic(one: Diagnostic) {
  const place = one.places?.[0];
  const where = one.file ? `${one.file}${place ? `:${place.line}:${place.column}` : ''}: ` : '';
  log(one.severity === 'error' ? 'error' : 'text', `${where}${one.severity}: ${one.message}`);
  one.notes.forEach((note) => log('text', `  note: ${note}`));
  one.help.forEach((help) => log('text', `  help: ${help}`));
}

export function choose(key: string | null, step = 0) {
  const answer = get().answers.find((one) => keyOf(one) === key);
  set({
    chosen: key, step, sim: null, playing: false, attempt: -1, frame: 0,
    picture: answer?.view.run?.drawing ? 'run' : answer ? exhibited(answer) : '',
  });
}

// The first picture that belongs to an answer.
function exhibited(answer: Answer): string {
  const place = answer.view.exhibits.findIndex((one) => one.picture);
  return place >= 0 ? 'answer:' + place : answer.view.film ? 'film' : '';
}

export function command(state: State, verb: string, property: string | null): string {
  const quoted = (text: string) => (/^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const words = ['quotient', verb, quoted(state.path)];
  for (const [name, value] of state.settings) words.push('--' + name, ...(value === '' ? [] : [quoted(value)]));
  if (property !== null) words.push('--property', quoted(property));
  return words.join(' ');
}

// Certifying.

export async function certify(answer: Answer) {
  const key = keyOf(answer);
  const put = (value: State['judged'][string]) => set((state) => ({ judged: { ...state.judged, [key]: value } }));
  put('busy');
  const state = get();
  log('command', `quotient certify evidence.json ${state.path}`);
  try {
    const order = { verb: 'certify', model: { ...asModel(state), settings: [] }, evidence: answer.evidence, properties: [answer.property] };
    const { id } = await ask<{ id: string }>('POST', 'runs', order);
    let whole: any = { running: true };
    while (whole.running) {
      await new Promise((ready) => setTimeout(ready, 60));
      whole = await ask('GET', 'runs/' + id);
    }
    const judged: Judged | undefined = whole.result?.evidence?.[0];
    if (!judged) {
      const said = whole.diagnostics?.[0]?.message ?? whole.because ?? 'it came to no end';
      log('error', `not certified: ${said}`);
      return put({ failed: said });
    }
    log(judged.accepted ? 'good' : 'error', `${judged.accepted ? 'accepted' : 'rejected'}: ${judged.claim}: ${judged.question}`);
    (judged.facts ?? [judged.because ?? '']).forEach((fact) => log('text', '  ' + fact));
    put(judged);
  } catch (error) { put({ failed: error instanceof Error ? error.message : String(error) }); }
}

// The cursor.

export function goTo(step: number) {
  const run = currentRun(get());
  if (!run) return;
  set({ step: Math.max(0, Math.min(step, run.steps.length - 1)) });
}

export function goOn() {
  const { step } = get();
  const run = currentRun(get());
  if (!run) return;
  const last = run.steps.length - 1;
  if (step < last) goTo(step + 1);
  else if (run.backTo !== null && run.backTo < last) goTo(run.backTo);
  else set({ playing: false });
}

export function goBack() { goTo(get().step - 1); }

let playTimer = 0;
export function play() {
  const playing = !get().playing;
  set({ playing });
  clearInterval(playTimer);
  if (!playing) return;
  const run = currentRun(get());
  if (run && get().step >= run.steps.length - 1 && run.backTo === null) goTo(0);
  playTimer = window.setInterval(() => {
    if (!get().playing) return clearInterval(playTimer);
    goOn();
  }, 650);
}

// Simulating by hand.

async function simulate(more: object, keepStep = false) {
  const state = get();
  set({ simBusy: true });
  try {
    const sim = await ask<Simulated>('POST', 'simulate', { model: settingsFor(asModel(state), 'simulate', state), ...more });
    if (sim.failed || !sim.run) {
      sim.diagnostics?.forEach(logDiagnostic);
      return set({ simBusy: false, trouble: sim.diagnostics?.[0]?.message ?? 'It cannot be simulated.' });
    }
    if (sim.refused) log('text', `the run was followed up to \u201c${sim.refused.action}\u201d`);
    const last = sim.run.steps.length - 1;
    set({ sim, simBusy: false, panel: 'run', playing: false, step: keepStep ? Math.min(state.step, last) : Math.max(0, last), trouble: '', picture: 'run' });
  } catch (error) { set({ simBusy: false }); failed(error); }
}

export const simulateFromStart = () => simulate({});
export const takeChoice = (choice: number) => simulate({ choices: [...get().sim!.choices_taken, choice] });
export const undoChoice = () => simulate({ choices: get().sim!.choices_taken.slice(0, -1) });
export const takeRandom = (steps: number) =>
  simulate({ choices: get().sim!.choices_taken, random: steps, seed: Math.floor(Math.random() * 1e9) });
export function simulateFromHere() {
  const state = get();
  const run = currentRun(state);
  if (!run) return simulateFromStart();
  const told = (step: number) => {
    const cells = run.steps[step].cells.map(([text]) => text);
    return { action: run.steps[step].action ?? '', cells, columns: run.columns };
  };
  const follow = run.steps.slice(0, state.step + 1).map((_, number) => told(number));
  return simulate({ follow });
}
export const endSimulation = () => set({ sim: null, step: 0, playing: false });

export async function askQuestion(query: string) {
  const state = get();
  log('command', `quotient ask ${state.path} '${query}'`);
  set({ asked: null, panel: 'console' });
  const own = run({ verb: 'ask', model: settingsFor(asModel(state), 'ask', state), query }, (name, data) => {
    if (name === 'shown') set({ asked: data as Shown });
    if (name === 'done') (data as Done).diagnostics?.forEach(logDiagnostic);
  });
  await own.ended.catch(failed);
}

export function theme(value: State['theme']) {
  set({ theme: value });
  document.documentElement.dataset.theme = value === 'auto' ? '' : value;
  try { localStorage.setItem('quotient-theme', value); } catch { /* not kept, then */ }
}

export { initial };
