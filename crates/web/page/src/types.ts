// What the server says. The fields are those of docs/web.md.

export interface Place { line: number; column: number; endLine: number; endColumn: number; text?: string }
export interface Diagnostic {
  severity: 'error' | 'warning' | 'note';
  code: string;
  message: string;
  file?: string;
  places?: Place[];
  notes: string[];
  help: string[];
}
export interface Setting {
  name: string;
  kind: 'flag' | 'text' | 'whole' | 'choice' | 'assignment' | 'file';
  choices: [string, string][] | null;
  bounds: [number, number] | null;
  value: string;
  many: boolean;
  default: string | null;
  help: string;
  group: string;
  example: string;
  verbs: string[];
}
export interface ExampleFile { path: string; text: string }
export interface Example { name: string; title: string; files: ExampleFile[] }
export interface Language {
  id: string; name: string; text: string; line: string; endings: string[]; offers: string[];
  settings: Setting[]; formats: { name: string; line: string; endings: string[] }[];
  methods: [string, string][]; starter: string; examples: Example[]; guide: string;
}
export interface About {
  quotient: string; folder: string; first: string | null; seconds: number; languages: Language[];
}
export interface FileEntry { path: string; bytes: number }
export interface Property { name: string; number: number | null; kind: string; text: string; place: Place | null }
export interface Look { language?: string; title?: string; properties?: Property[]; diagnostics: Diagnostic[] }
export interface Step { action: string | null; by: string[]; cells: [string, boolean][]; place: Place | null; remark: string | null; nodes?: string[] }
export interface Run {
  layout: 'grid' | 'events' | 'states';
  columns: string[]; beside: number[]; steps: Step[]; backTo: number | null; ending: string[];
  drawing: string | null; waves?: string | null;
}
// A graph in few words: nodes are a label, a hint, bits and a name; edges their ends and a label.
export interface GraphData { title: string; undirected: boolean; nodes: [string, string, number, string][]; edges: unknown[][]; groups: [string, number[]][] }
export interface Picture { title: string; kind: string; nodes: number; svg: string; dot?: string; tikz?: string; graph?: GraphData }
// Automata one after the other: states keep their places. A node is its number in the layout, whether it accepts, and with whom it was merged.
export interface Frame {
  exhibit: number; attempt: number; step: number; kind: 'set' | 'merged' | 'alarm'; caption: string; layout: number;
  nodes: [number, boolean, number | null][]; edges: [number, number, string][]; word: string[] | null;
}
export interface Film { layouts: string[]; frames: Frame[] }
export interface Exhibit { name: string; caption: string; picture: Picture | null; files: [string, string][] }
export interface Table { head: string[]; rows: string[][] }
export interface Evidence {
  format: number; language: string; kind: string; claim: string; property?: string; text?: string;
  settings?: Record<string, string[]>; constants?: Record<string, string>; method?: string; body: unknown;
}
export interface Answer {
  property: string; number?: number; verdict: 'holds' | 'violated' | 'unknown'; because?: string;
  value?: number | string; lower?: number | string; upper?: number | string; exact?: string; compared?: boolean;
  method?: string; refinements: number; seconds?: number; evidence?: Evidence; evidenceFile?: string; told?: number; text?: string; kind?: string;
  vacuity?: { formula?: [string, string | null][] };
  view: { because: string; notes: string[]; vacuous: boolean; remarks?: { place: Place | null; text: string }[]; run: Run | null; table: Table | null; exhibits: Exhibit[]; film?: Film | null };
}
export interface Doubt { text: string; details: { doubt?: string }; place: Place | null }
export interface StoryEvent {
  seconds: number; method?: string; event: string; attempt?: number; step?: number; refinement?: number;
  detail?: string; name?: string; text?: string; outcome?: string; sizes?: Record<string, number>;
}
export interface ModelView { title: string; language: string; doubts: Doubt[]; exhibits: Exhibit[]; warnings: Diagnostic[] }
export interface Block { block: string; text?: string; name?: string; indent?: number; table?: Table }
export interface Shown { blocks: Block[]; pictures: Picture[]; parts?: string[]; diagnostics: Diagnostic[]; failed?: boolean }
export interface Choice { action: string; leadsTo: string; automatic: boolean; place: Place | null }
export interface Simulated {
  run: Run; choices: Choice[]; deadlock: boolean; notes: string[]; whereabouts: string[]; more: boolean;
  choices_taken: number[]; refused: { action: string; because: string[] } | null;
  diagnostics?: Diagnostic[]; failed?: boolean;
}
export interface Done { exit: number; verdict: string | null; because: string | null; diagnostics: Diagnostic[] | null; leftOut: number }
export interface Judged { property: string; question: string; claim: string; accepted: boolean; facts?: string[]; because?: string }
// A report that was written to a file: the same page, with the data inside.
export interface Report {
  title: string; language: string | null; languageName?: string | null; file: string; text: string | null; properties: Property[]; answers: Answer[];
  model: ModelView; story: StoryEvent[]; command: string; quotient: string; shown: Shown | null;
}
