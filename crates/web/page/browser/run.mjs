// The page in a real browser. Usage: node browser/run.mjs QUOTIENT [--static PAGE] [--pictures FOLDER] [--only NAME] [--assets FOLDER]
// QUOTIENT is the binary; Chromium is /usr/bin/chromium or what CHROMIUM says. With --static, the page without a server is tried.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import puppeteer from 'puppeteer-core';
import { tests as alone } from './alone.mjs';
import { space } from './space.mjs';
import { tests as served } from './tests.mjs';

const [binary, ...options] = process.argv.slice(2);
const option = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : null);
const pictures = option('--pictures');
const only = option('--only');
const assets = option('--assets');
const page = option('--static');
const tests = page ? alone : served;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'quotient-page-'));
const profile = mkdtempSync(join(tmpdir(), 'quotient-profile-'));

function serve(models) {
  const server = spawn(resolve(binary), ['serve', models, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((ready, fail) => {
    server.stdout.once('data', (text) => ready({ server, link: String(text).trim().split('\n')[0] }));
    server.once('error', fail);
    server.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
  });
}

// The page as it was built last, while the binary has an older one inside.
async function fresh(page) {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const kinds = { '/app.js': 'text/javascript', '/app.css': 'text/css' };
    const path = new URL(request.url()).pathname;
    if (path in kinds) request.respond({ contentType: kinds[path], body: readFileSync(join(assets, path)) });
    else request.continue();
  });
}

// All that a test needs.
class Bench {
  constructor(browser, link, models) {
    Object.assign(this, { browser, link, models, binary: resolve(binary), errors: [] });
  }
  async open(hash = '', width = 1280, height = 800, scheme = 'light') {
    const page = await this.browser.newPage();
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    page.on('console', (message) => { if (message.type() === 'error') this.errors.push(message.text()); });
    page.on('pageerror', (error) => this.errors.push(String(error.stack ?? error)));
    if (assets) await fresh(page);
    await page.goto(this.link + (hash ? '&' + hash : ''));
    await page.waitForSelector('.top');
    this.page = page;
    return page;
  }
  async until(what, test, ...given) {
    try {
      await this.page.waitForFunction(test, { timeout: 30_000, polling: 50 }, ...given);
    } catch {
      throw new Error(`never: ${what}`);
    }
  }
  async idle() { // The text was looked at.
    await this.until('the text is looked at', () => /no mistakes|error|warning/.test(document.querySelector('.status')?.textContent ?? ''));
  }
  async checked() {
    await this.click('.primary');
    await this.until('the check ends', () => document.querySelector('.card .badge.holds, .card .badge.violated, .card .badge.unknown')
      && !document.querySelector('.stop'));
  }
  text(selector) { return this.page.$eval(selector, (element) => element.textContent); }
  all(selector) { return this.page.$$eval(selector, (elements) => elements.map((element) => element.textContent)); }
  // What is drawn may be drawn anew between finding it and clicking.
  async click(selector) {
    for (let left = 5; ; left--) {
      await this.page.waitForSelector(selector);
      try {
        return await this.page.click(selector);
      } catch (error) {
        if (left === 0 || !/detached|not clickable|No element/.test(error.message)) throw error;
        await new Promise((done) => setTimeout(done, 200));
      }
    }
  }

  async press(name, within = '') {
    const done = await this.page.evaluate((name, within) => {
      const found = [...document.querySelectorAll(`${within} button`)].find((one) => one.textContent.includes(name) && !one.disabled);
      found?.click();
      return Boolean(found);
    }, name, within);
    if (!done) throw new Error(`there is no button ${name}`);
  }
  async accessible(what) {
    await this.page.evaluate(axe);
    const found = await this.page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
    // The text inside the editor takes the focus, and scrolls with its cursor.
    const scroller = (node) => node.html.includes('cm-scroller');
    found.violations = found.violations.filter((one) => one.id !== 'scrollable-region-focusable' || !one.nodes.every(scroller));
    const wrong = found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
    if (wrong.length) throw new Error(`${what} is not accessible:\n  ${wrong.join('\n  ')}`);
  }
  async picture(name) {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await this.page.screenshot({ path: join(pictures, name + '.png') });
  }
  async closed() {
    for (const page of await this.browser.pages()) if (page.url() !== 'about:blank') await page.close();
    const errors = this.errors.splice(0);
    if (errors.length) throw new Error(`errors in the console:\n  ${errors.join('\n  ')}`);
  }
  expect(is, what) { if (!is) throw new Error(what); }
}

const models = join(folder, 'models');
mkdirSync(models);
const { server, link } = await serve(models);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  userDataDir: profile,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', '--disable-dev-shm-usage'],
});
let failed = 0;
const web = page ? await space(resolve(page), models) : null;
const bench = new Bench(browser, web ? web.link : link, models);
// Where the server is, for those who ask both.
bench.server = link;
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  const began = performance.now();
  try {
    await test(bench);
    await bench.closed();
    console.log(`ok      ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.message}`);
    if (pictures && bench.page && !bench.page.isClosed()) await bench.picture('failed-' + name.replace(/\W+/g, '-')).catch(() => {});
    await bench.closed().catch(() => {});
  }
}
await browser.close();
web?.close();
server.kill('SIGINT');
rmSync(folder, { recursive: true, force: true });
rmSync(profile, { recursive: true, force: true });
console.log(failed ? `${failed} failed` : 'all well');
process.exit(failed ? 1 : 0);
