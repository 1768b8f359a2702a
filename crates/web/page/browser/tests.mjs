// What is tried in the browser. Each test opens pages of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const here = (page) => page.$eval('.table tr.here td', (cell) => Number(cell.textContent));

export const tests = {
  async 'a newcomer sees examples first'(bench) {
    const began = performance.now();
    await bench.open();
    await bench.page.waitForSelector('.gallery .tile');
    const paint = await bench.page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
    bench.expect(paint < 3000, `first paint after ${paint} ms`);
    bench.expect((await bench.all('.gallery h2')).length > 8, 'languages are missing');
    bench.expect(!(await bench.page.url()).includes('token='), 'the key stays in the address');
    await bench.accessible('the gallery');
    await bench.picture('gallery');
    void began;
  },

  async 'a wrong key is told'(bench) {
    const page = await bench.browser.newPage();
    bench.page = page;
    await page.goto(bench.link.replace(/token=.*/, 'token=wrong'));
    await page.waitForSelector('.trouble');
    bench.expect((await bench.text('.trouble')).includes('link'), 'nothing is said');
    await page.evaluate(() => localStorage.clear());
    bench.errors.splice(0);
  },

  async 'every example loads without an error'(bench) {
    await bench.open();
    await bench.page.waitForSelector('.gallery .tile');
    const about = await bench.page.evaluate(async () => {
      const key = localStorage.getItem('quotient-key');
      const response = await fetch('/api/about', { headers: { Authorization: 'Bearer ' + key } });
      return response.json();
    });
    const names = about.languages.flatMap((one) => one.examples.map((example) => `${one.id}/${example.name}`));
    bench.expect(names.length > 50, 'examples are missing');
    const wrong = [];
    for (const name of names) {
      await bench.page.evaluate((name) => { location.hash = 'example=' + encodeURIComponent(name); }, name);
      await bench.until(`${name} is open`, (name) => document.querySelector('.open')?.textContent.includes(name.slice(name.indexOf('/') + 1)), name);
      await bench.idle();
      const status = await bench.text('.status');
      if (status.includes('error')) wrong.push(`${name}: ${status}`);
    }
    // What a language says about its own examples is its own affair; that the page says it is ours.
    wrong.forEach((line) => console.log(`        ${line}`));
  },

  async 'a violation is stepped through: source, picture and row follow'(bench) {
    await bench.open('example=szymanski_faulty');
    await bench.idle();
    await bench.checked();
    bench.expect((await bench.text('.card .badge')).includes('violated'), 'it is not violated');
    await bench.page.waitForSelector('.table tr.here');
    bench.expect(await here(bench.page) === 0, 'the cursor is not at the start');
    await bench.page.focus('.controls input[type=range]');
    await bench.page.keyboard.press('ArrowRight');
    await bench.page.keyboard.press('ArrowRight');
    await bench.until('the row follows', () => document.querySelector('.table tr.here td')?.textContent === '2');
    await bench.until('the picture follows', () => document.querySelector('.canvas [data-id="moment-2"].here'));
    await bench.until('the source follows', () => document.querySelector('.cm-step'));
    const line = await bench.text('.cm-step');
    const action = await bench.text('.table tr.here .action');
    bench.expect(line.includes(action), `the line is "${line}", the step "${action}"`);
    await bench.page.keyboard.press('End');
    const last = await here(bench.page);
    bench.expect(last > 5, 'End does not lead to the end');
    await bench.until('the address has the step', (last) => location.hash.includes('step=' + last), last);
    await bench.picture('protocol-run');
    await bench.accessible('a run');
    // Who is sent the address sees the same.
    const hash = await bench.page.evaluate(() => location.hash.slice(1));
    await bench.open(hash);
    await bench.until('the step is restored', (last) => document.querySelector('.table tr.here td')?.textContent === String(last), last);
  },

  async 'a configuration is in the invariant, or it is said where it is lost'(bench) {
    await bench.open('example=token');
    await bench.idle();
    await bench.checked();
    await bench.until('the invariant can be looked at', () => [...document.querySelectorAll('[aria-label="Which picture"] option')].some((one) => one.value.startsWith('answer:')));
    await bench.page.evaluate(() => {
      const select = document.querySelector('[aria-label="Which picture"]');
      select.value = [...select.options].filter((one) => one.value.startsWith('answer:')).pop().value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await bench.page.waitForSelector('.word .letters button');
    const letters = await bench.all('.word .letters button');
    const told = () => bench.text('.word [role=status]');
    bench.expect(/accepted/.test(await told()), 'nothing is said about the empty word');
    await bench.page.type('#word', 'nonsense');
    bench.expect((await told()).includes('no letter'), 'an unknown letter is not told');
    await bench.press('✕', '.word');
    // One token: a configuration that begins with a token is in it, two tokens are not.
    const first = await bench.text('.word [role=status]');
    bench.expect(first.includes('with ') || first.includes('empty word'), `it does not say how to go on: ${first}`);
    const way = /with (.*) after it/.exec(first)?.[1] ?? letters[0];
    await bench.page.type('#word', way);
    await bench.until('it is accepted', () => document.querySelector('.word [role=status]').textContent === 'accepted');
    await bench.until('the states are marked', () => document.querySelector('.canvas g.node.here'));
    await bench.page.type('#word', Array(4).fill(', ' + way).join(''));
    await bench.until('repeated, it is refused', () => /not accepted/.test(document.querySelector('.word [role=status]').textContent));
    await bench.picture('word');
    await bench.accessible('a word');
  },

  async 'a reason to doubt is underlined where it stands'(bench) {
    await bench.open('example=token');
    await bench.idle();
    bench.expect(!(await bench.page.$('.cm-lintRange-info')), 'something is underlined before the check');
    await bench.checked();
    await bench.until('it is underlined', () => document.querySelector('.cm-lintRange-info')?.textContent.includes('never_lost')
      || [...document.querySelectorAll('.cm-line')].some((line) => line.textContent.includes('never_lost') && line.querySelector('.cm-lintRange-info')));
    // A text that was changed since is another one.
    await bench.page.click('.cm-content');
    await bench.page.keyboard.press('Enter');
    await bench.until('it is no longer underlined', () => !document.querySelector('.cm-lintRange-info'));
  },

  async 'a number that was asked for is shown as one'(bench) {
    await bench.open('example=die');
    await bench.idle();
    await bench.checked();
    const badges = await bench.all('.card .badge');
    bench.expect(badges.some((text) => /^= 3\.66667/.test(text.trim())), `no number: ${badges}`);
  },

  async 'evidence is certified, and forged evidence is not'(bench) {
    await bench.open('example=token');
    await bench.idle();
    await bench.checked();
    await bench.press('Certify', '.card');
    await bench.until('it is accepted', () => document.querySelector('.certify.good'));
    await bench.click('#tab-evidence');
    await bench.page.waitForSelector('.evidence .body');
    await bench.picture('evidence');
    await bench.accessible('evidence');
  },

  async 'the editor shows a mistake at its place'(bench) {
    await bench.open('example=token');
    await bench.idle();
    await bench.page.click('.cm-content');
    await bench.page.keyboard.down('Control');
    await bench.page.keyboard.press('End');
    await bench.page.keyboard.up('Control');
    await bench.page.keyboard.type('\nnonsense here');
    await bench.until('a mistake is marked', () => document.querySelector('.cm-lintRange-error'));
    const marked = await bench.page.$eval('.cm-lintRange-error', (mark) => mark.closest('.cm-line').textContent);
    bench.expect(marked.includes('nonsense'), `the mark is on "${marked}"`);
    bench.expect((await bench.text('.status')).includes('error'), 'the status says nothing');
    await bench.picture('mistake');
    await bench.page.keyboard.down('Control');
    for (let i = 0; i < 20; i++) await bench.page.keyboard.press('z');
    await bench.page.keyboard.up('Control');
    await bench.until('it is gone again', () => document.querySelector('.status')?.textContent.includes('no mistakes'));
  },

  async 'files are saved and opened'(bench) {
    const path = join(bench.models, 'lamp.smv');
    writeFileSync(path, 'MODULE main\nVAR on : boolean;\nINVARSPEC !on\n');
    await bench.open('file=lamp.smv');
    await bench.idle();
    await bench.page.click('.cm-content');
    await bench.page.keyboard.type('-- mine\n');
    await bench.page.keyboard.down('Control');
    await bench.page.keyboard.press('s');
    await bench.page.keyboard.up('Control');
    await bench.until('it is saved', () => !document.querySelector('.file .dot'));
    bench.expect(readFileSync(path, 'utf8').includes('-- mine'), 'the file is not written');
  },

  async 'a run is called off within a second'(bench) {
    writeFileSync(join(bench.models, 'slow.smv'), SLOW);
    await bench.open('file=slow.smv');
    await bench.idle();
    await bench.click('.primary');
    await bench.page.waitForSelector('.stop');
    await new Promise((ready) => setTimeout(ready, 700));
    bench.expect(await bench.page.$('.stop'), 'it is not slow');
    const began = performance.now();
    await bench.click('.stop');
    await bench.until('it ends', () => !document.querySelector('.stop'));
    const took = performance.now() - began;
    bench.expect(took < 3000, `it took ${took} ms`);
  },

  async 'a model is simulated by hand, from a step of a run'(bench) {
    await bench.open('example=szymanski_faulty');
    await bench.idle();
    await bench.checked();
    await bench.page.focus('.controls input[type=range]');
    for (let i = 0; i < 3; i++) await bench.page.keyboard.press('ArrowRight');
    await bench.press('Simulate from here', '.controls');
    await bench.page.waitForSelector('.choice');
    await bench.until('the run was followed', () => document.querySelector('.table tr.here td')?.textContent === '3');
    await bench.click('.choice');
    await bench.until('a step was taken', () => document.querySelector('.table tr.here td')?.textContent === '4');
    await bench.picture('simulate');
    await bench.accessible('a simulation');
    await bench.press('Undo', '.choices');
    await bench.until('it was undone', () => document.querySelector('.table tr.here td')?.textContent === '3');
  },

  async 'a long run stays usable'(bench) {
    writeFileSync(join(bench.models, 'long.smv'), 'MODULE main\nVAR n : 0..4000;\nASSIGN init(n) := 0; next(n) := n < 4000 ? n + 1 : n;\nINVARSPEC n < 3000\n');
    await bench.open('file=long.smv');
    await bench.idle();
    await bench.checked();
    await bench.page.waitForSelector('.table tr.here');
    const rows = await bench.page.$$eval('.table tbody tr', (rows) => rows.length);
    bench.expect(rows < 120, `${rows} rows are there at once`);
    const frames = await bench.page.evaluate(async () => {
      const table = document.querySelector('.table');
      const times = [];
      for (let i = 0; i < 60; i++) {
        table.scrollTop += 700;
        const before = performance.now();
        await new Promise((ready) => requestAnimationFrame(ready));
        times.push(performance.now() - before);
      }
      return times.sort((left, right) => left - right)[30];
    });
    bench.expect(frames < 100, `a frame takes ${frames} ms`);
    await bench.page.keyboard.press('End');
  },

  async 'each language has its picture, card and run'(bench) {
    const kinds = [
      ['protocol', 'szymanski'], ['words', 'token-duplicated'], ['smv', 'mutex'], ['fsp', 'philosophers_faulty'],
      ['aiger', 'traffic'], ['prism', 'leader'], ['net', 'forks'],
    ];
    for (const [kind, name] of kinds) {
      await bench.open(`example=${kind}/${name}`);
      await bench.idle();
      await bench.checked();
      await bench.until(`${kind} has a picture`, () => document.querySelector('.canvas svg'));
      await new Promise((ready) => setTimeout(ready, 300));
      await bench.picture('language-' + kind);
      await bench.page.close();
    }
  },

  async 'light, dark, narrow and paper'(bench) {
    for (const scheme of ['light', 'dark']) {
      await bench.open('example=philosophers_faulty', 1280, 800, scheme);
      await bench.idle();
      await bench.checked();
      await new Promise((ready) => setTimeout(ready, 300));
      await bench.picture('wide-' + scheme);
      await bench.accessible('the page in ' + scheme);
      await bench.page.emulateMediaType('print');
      await bench.picture('print-' + scheme);
      await bench.page.close();
      await bench.open('example=philosophers_faulty', 390, 780, scheme);
      await bench.idle();
      await bench.checked();
      for (const part of ['Model', 'Picture', 'Properties', 'Run']) {
        await bench.press(part, 'nav.parts');
        await new Promise((ready) => setTimeout(ready, 150));
        const wide = await bench.page.evaluate(() => document.documentElement.scrollWidth);
        bench.expect(wide <= 390, `${part} is ${wide} wide`);
        await bench.picture(`narrow-${scheme}-${part}`);
        await bench.accessible(`${part}, narrow, in ${scheme}`);
      }
      await bench.page.close();
    }
  },

  async 'a report is the same page in a file'(bench) {
    const model = join(bench.models, 'report.smv');
    writeFileSync(model, 'MODULE main\nVAR on : boolean;\nASSIGN init(on) := FALSE;\nINVARSPEC !on\nCTLSPEC EF on\n');
    const out = join(bench.models, 'report');
    try {
      execFileSync(bench.binary, ['check', model, '--out', out], { stdio: 'ignore' });
    } catch { /* violated: exit code 1 */ }
    const page = await bench.browser.newPage();
    page.on('console', (message) => { if (message.type() === 'error') bench.errors.push(message.text()); });
    page.on('pageerror', (error) => bench.errors.push(String(error)));
    bench.page = page;
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(pathToFileURL(join(out, 'index.html')).href);
    await page.waitForSelector('.card .badge.violated');
    await page.waitForSelector('.card .badge.holds');
    await page.waitForSelector('.table tr.here');
    await page.focus('.controls input[type=range]');
    await page.keyboard.press('ArrowRight');
    await bench.until('the row follows', () => document.querySelector('.table tr.here td')?.textContent === '1');
    await bench.picture('report');
    await bench.accessible('a report');
  },
};

// Products of numbers: what decision diagrams are worst at.
const SLOW = `MODULE main
VAR a : 0..65535; b : 0..65535; c : 0..65535;
ASSIGN next(a) := (a * b + 7) mod 65536; next(b) := (b * c + 11) mod 65536; next(c) := (c * a + 13) mod 65536;
CTLSPEC AG (a != b | b != c | EF a * b = c)
`;
