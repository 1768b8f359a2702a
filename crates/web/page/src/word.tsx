// A configuration given to an automaton of an answer: accepted, or where it is lost.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Exhibit } from './types';

interface Automaton { letters: string[]; initial: number[]; final: Set<number>; steps: Map<number, [Set<string>, number][]> }

// The automaton in an exhibit, if it holds one that reads words.
export function automaton(exhibit: Exhibit | undefined): Automaton | null {
  const text = exhibit?.files.find(([ending]) => ending === 'tmb')?.[1];
  return text ? read(text) : null;
}

// Reads what the command writes: one automaton over words in the Timbuk format.
function read(text: string): Automaton | null {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  const after = (word: string) => lines.find((line) => line.startsWith(word))?.slice(word.length).trim().split(/\s+/).filter(Boolean);
  const ops = after('Ops');
  const final = after('Final States');
  const from = lines.indexOf('Transitions');
  if (!ops || !final || from < 0 || ops.some((op) => !/:[01]$/.test(op))) return null;
  const number = (state: string) => (/^q\d+$/.test(state) ? Number(state.slice(1)) : NaN);
  const found: Automaton = {
    letters: ops.filter((op) => op.endsWith(':1')).map((op) => op.slice(0, -2)),
    initial: [], final: new Set(final.map(number)), steps: new Map(),
  };
  for (const line of lines.slice(from + 1)) {
    const start = /^\S+\(\) -> (q\d+)$/.exec(line);
    const step = /^(?:in\{(\S*)\}|([^\s({]+))\((q\d+)\) -> (q\d+)$/.exec(line);
    if (start) found.initial.push(number(start[1]));
    else if (step) {
      const letters = new Set((step[1] ?? step[2]).split(','));
      const source = number(step[3]);
      found.steps.set(source, [...(found.steps.get(source) ?? []), [letters, number(step[4])]]);
    } else return null;
  }
  return found.letters.length && [...found.final].every((state) => !isNaN(state)) ? found : null;
}

// The states after each letter; the last set that is not empty says how far the word came.
function walk(machine: Automaton, word: string[]): Set<number>[] {
  const sets = [new Set(machine.initial)];
  for (const letter of word) {
    const next = new Set<number>();
    for (const state of sets[sets.length - 1]) {
      for (const [letters, target] of machine.steps.get(state) ?? []) if (letters.has(letter)) next.add(target);
    }
    sets.push(next);
    if (!next.size) break;
  }
  return sets;
}

// The shortest way on to acceptance from some states.
function rest(machine: Automaton, states: Set<number>): string[] | null {
  const seen = new Set(states);
  let level: [number, string[]][] = [...states].map((state) => [state, []]);
  while (level.length) {
    const done = level.find(([state]) => machine.final.has(state));
    if (done) return done[1];
    const next: [number, string[]][] = [];
    for (const [state, way] of level) {
      for (const [letters, target] of machine.steps.get(state) ?? []) {
        if (seen.has(target)) continue;
        seen.add(target);
        next.push([target, [...way, [...letters][0]]]);
      }
    }
    level = next;
  }
  return null;
}

const shown = (letter: string) => letter.replaceAll('$', ' ');

// `places` says where each state is drawn, where that is not its number.
export function Word({ machine, drawing, places = null }: { machine: Automaton; drawing: SVGSVGElement | null; places?: number[] | null }) {
  const [word, setWord] = useState<string[]>([]);
  const [typed, setTyped] = useState('');
  const sets = useMemo(() => walk(machine, word), [machine, word]);
  const last = sets[sets.length - 1];
  const stuck = !last.size;
  const accepted = !stuck && [...last].some((state) => machine.final.has(state));
  useEffect(() => {
    const marked = stuck ? sets[sets.length - 2] ?? last : last;
    const drawn = places === null ? marked : new Set([...marked].map((state) => places[state]));
    drawing?.querySelectorAll<SVGGElement>('g.node').forEach((element) => {
      element.classList.toggle('here', word.length > 0 && drawn.has(Number(element.dataset.at ?? element.dataset.node)));
    });
    return () => drawing?.querySelectorAll('g.node.here').forEach((element) => element.classList.remove('here'));
  }, [drawing, sets, places?.join()]);
  const names = useMemo(() => new Map(machine.letters.flatMap((letter) => [[letter, letter], [shown(letter), letter]])), [machine]);
  const put = (text: string) => {
    setTyped(text);
    setWord(cut(text, names));
  };
  const add = (letter: string) => {
    const next = [...word, letter];
    setWord(next);
    setTyped(next.map(shown).join(', '));
  };
  const unknown = word.find((letter) => !names.has(letter));
  const verdict = () => {
    if (unknown !== undefined) return `there is no letter “${unknown}”`;
    if (stuck) {
      const at = sets.length - 2;
      return `not accepted: nothing begins with ${word.slice(0, at + 1).map(shown).join(', ')}`;
    }
    if (accepted) return word.length ? 'accepted' : 'the empty word is accepted';
    const way = rest(machine, last);
    return way ? `not accepted as it stands; with ${way.map(shown).join(', ')} after it, it is` : 'not accepted, whatever follows';
  };
  return (
    <div class="word">
      <label for="word">Is this in it?</label>
      <input id="word" value={typed} placeholder={machine.letters.slice(0, 3).map(shown).join(', ')} spellcheck={false}
        onInput={(event) => put(event.currentTarget.value)} />
      {word.length ? <button class="quiet" aria-label="Clear the word" onClick={() => put('')}>✕</button> : null}
      <span role="status" class={accepted ? 'good' : unknown !== undefined || stuck ? 'bad' : 'muted'}>{verdict()}</span>
      {machine.letters.length <= 24 ? <details class="letters" open={machine.letters.length <= 6}><summary>Letters</summary><div>{machine.letters.map((letter) => (
        <button class="quiet" key={letter} onClick={() => add(letter)}>{shown(letter)}</button>
      ))}</div></details> : null}
    </div>
  );
}

// The letters of a text: between commas, or between blanks where that gives letters.
function cut(text: string, names: Map<string, string>): string[] {
  const parts = text.split(/[,;]/).map((part) => part.trim().replace(/\s+/g, ' ')).filter(Boolean);
  return parts.flatMap((part) => (names.has(part) ? [names.get(part)!] : part.split(' ').map((one) => names.get(one) ?? one)));
}
