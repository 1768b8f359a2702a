// Where everybody is in a graph of states, found by going the way of a run along its edges: states need
// no names for that.
import type { GraphData, Run } from './types';

// What an edge says, word by word: lists in braces and ranges are what they stand for.
export function expand(label: string): string[] {
  const all: string[] = [];
  for (const line of label.split('\n')) for (const word of split(line)) all.push(...open(word.trim()));
  return all.filter(Boolean);
}

// Parts between commas that are in no brackets.
function split(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    else if (letter === ',' && depth === 0) { parts.push(text.slice(from, at)); from = at + 1; }
  }
  return [...parts, text.slice(from)];
}

const MOST = 2000;
function open(word: string): string[] {
  const at = word.search(/[{[]/);
  if (at < 0) return [word];
  const closing = word[at] === '{' ? '}' : ']';
  let [depth, end] = [0, at];
  for (; end < word.length; end++) {
    if (word[end] === word[at]) depth++;
    else if (word[end] === closing && --depth === 0) break;
  }
  if (end >= word.length) return [word];
  const inner = word.slice(at + 1, end);
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
  const choices = word[at] === '{' ? split(inner).flatMap((part) => open(part.trim()))
    : range ? Array.from({ length: Math.min(MOST, Number(range[2]) - Number(range[1]) + 1) }, (_, number) => '.' + (Number(range[1]) + number))
      : ['.' + inner];
  const rest = open(word.slice(end + 1));
  return choices.flatMap((choice) => rest.map((tail) => word.slice(0, at) + choice + tail)).slice(0, MOST);
}

// Somebody whose states these are: what its actions begin with in the run, if they do.
interface Who { name: string; before: string[] }

// `a:P` and `{a,b}::P` are copies of P whose actions begin with these labels.
function copies(run: Run, title: string): Who[] {
  return run.columns.flatMap((column) => {
    const found = /^(.*?):{1,2}([^:]+)$/.exec(column);
    if (!found || found[2] !== title) return [];
    return [{ name: found[1], before: open(found[1]).map((label) => label + '.') }];
  });
}

interface Machine { initial: number; steps: Map<number, Map<string, number[]>>; alphabet: Set<string> }

function machine(graph: GraphData): Machine | null {
  const initial = graph.nodes.flatMap(([, , bits], number) => (bits & 2 ? [number] : []));
  if (graph.undirected || initial.length !== 1) return null;
  const found: Machine = { initial: initial[0], steps: new Map(), alphabet: new Set() };
  for (const edge of graph.edges) {
    const [source, target, label, hint] = edge as [number, number, string, string | undefined];
    for (const action of expand(hint || label)) {
      found.alphabet.add(action);
      const own = found.steps.get(source) ?? new Map<string, number[]>();
      found.steps.set(source, own);
      own.set(action, [...(own.get(action) ?? []), target]);
    }
  }
  return found;
}

// For each step the nodes where somebody may be; nothing from where the run and the graph part.
function way(own: Machine, run: Run, who: Who): Set<number>[] {
  const places: Set<number>[] = [];
  const went: (string | null)[] = [];
  let now = new Set([own.initial]);
  for (const step of run.steps) {
    const said = step.action;
    let action: string | null = null;
    if (said !== null) {
      // What is hidden is in brackets.
      const plain = /^\((.*)\)$/.exec(said)?.[1] ?? said;
      const names = who.before.length ? who.before.filter((before) => plain.startsWith(before)).map((before) => plain.slice(before.length)) : [plain];
      action = names.find((name) => own.alphabet.has(name)) ?? (plain !== said && !who.before.length && own.alphabet.has('tau') ? 'tau' : null);
    }
    if (action !== null) {
      const next = new Set<number>();
      now.forEach((state) => own.steps.get(state)?.get(action!)?.forEach((target) => next.add(target)));
      if (!next.size) break;
      now = next;
    }
    went.push(action);
    places.push(now);
  }
  // A place from which the run does not go on was none.
  for (let at = places.length - 2; at >= 0; at--) {
    const action = went[at + 1];
    if (places[at].size === 1) continue;
    const after = places[at + 1];
    places[at] = new Set([...places[at]].filter((state) => action === null ? after.has(state) : own.steps.get(state)?.get(action)?.some((target) => after.has(target))));
  }
  return places;
}

const known = new WeakMap<GraphData, WeakMap<Run, Map<string, Set<number>[]>>>();

// Who is in which node after a step.
export function tokens(graph: GraphData | undefined, run: Run, step: number): Map<number, string[]> {
  const found = new Map<number, string[]>();
  if (!graph || run.layout !== 'events') return found;
  let ofGraph = known.get(graph);
  if (!ofGraph) known.set(graph, ofGraph = new WeakMap());
  let ways = ofGraph.get(run);
  if (!ways) {
    ways = new Map();
    const own = machine(graph);
    const instances = copies(run, graph.title);
    for (const who of own ? (instances.length ? instances : [{ name: '', before: [] }]) : []) ways.set(who.name, way(own!, run, who));
    // Where nothing ever moves, the run is about something else.
    if ([...ways.values()].every((places) => places.every((place) => place === places[0]))) ways.clear();
    ofGraph.set(run, ways);
  }
  ways.forEach((places, name) => places[step]?.forEach((node) => found.set(node, [...(found.get(node) ?? []), name])));
  return found;
}
