// Files of a page without a server: those that lie beside it, and those that this browser keeps.
import { Failed } from './failed';

const KEPT = 'quotient-files';

export class Shelf {
  private beside: Record<string, string> = {};
  private kept: Record<string, string> = {};
  first: string | null = null;

  // `models.json` says which files lie beside the page, in `models/`.
  async begin() {
    try {
      this.kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
    } catch { /* nothing is kept, then */ }
    const listed = await fetch('models.json').then((found) => (found.ok ? found.json() : {})).catch(() => ({})) as { files?: string[]; first?: string };
    const read = (path: string) => fetch('models/' + path.split('/').map(encodeURIComponent).join('/')).then((found) => {
      if (!found.ok) throw new Failed(found.status, `models/${path}, which models.json names, is not there`);
      return found.text();
    });
    const files = listed.files ?? [];
    const texts = await Promise.all(files.map(read));
    files.forEach((path, number) => { this.beside[path] = texts[number]; });
    this.first = listed.first ?? null;
  }

  texts(): Record<string, string> { return { ...this.beside, ...this.kept }; }

  list() {
    const files = Object.entries(this.texts()).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text).length }));
    return { files: files.sort((left, right) => (left.path < right.path ? -1 : 1)), more: false };
  }

  read(path: string) {
    const text = this.texts()[path];
    if (text === undefined) throw new Failed(404, 'there is no such file');
    return { path, text, bytes: new TextEncoder().encode(text).length };
  }

  write({ path, text, before, over }: { path: string; text: string; before?: string; over?: boolean }) {
    if (!/^[^/.][^/]*(\/[^/.][^/]*)*$/.test(path)) throw new Failed(403, 'this is no name for a file');
    // Another page of this browser may have written in the meantime.
    try {
      this.kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
    } catch { /* what is in this page counts */ }
    const now = this.texts()[path];
    if (now !== undefined && now !== before && !over) throw new Failed(409, 'the file has changed in the meantime');
    const kept = { ...this.kept, [path]: text };
    try {
      localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch { throw new Failed(403, 'this browser keeps no more; download the file instead'); }
    this.kept = kept;
    return { path };
  }
}
