// Builds the page into ../assets (or the folder named). The result depends only on these sources
// and the packages of the lock file.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, '..', 'assets');
mkdirSync(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/main.tsx', worker: 'src/worker.ts' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2022'],
  charset: 'utf8',
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});
for (const file of ['index.html', 'icon.svg']) copyFileSync(join(here, 'src', file), join(out, file));
