// What is tried in the browser. Each test opens pages of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = (page) => page.$eval('.table tr.here td', (cell) => Number(cell.textContent));

const choose = async (bench, label, value) => {
  await bench.until(`${value} can be chosen`, (label, value) => [...document.querySelector(`[aria-label="${label}"]`)?.options ?? []].some((one) => one.value === value), label, value);
  await bench.page.evaluate((label, value) => {
    const select = document.querySelector(`[aria-label="${label}"]`);
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, label, value);
};
const choosePicture = (bench, value) => choose(bench, 'Which picture', value);
const choosePart = (bench, value) => choose(bench, 'Part of the model', value);

export const tests = {
  async 'a newcomer sees examples first'(bench) {
    const began = performance.now();
    await bench.open();
    await bench.page.waitForSelector('.gallery .tile');
    const paint = await bench.page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
    bench.expect(paint > 0, 'nothing is painted');
    bench.expect((await bench.all('.gallery h2')).length > 8, 'languages are missing');
    bench.expect(!(await bench.page.url()).includes('token='), 'the key stays in the address');
    await bench.accessible('the gallery');
    await bench.picture('gallery');
    console.log(`        first paint after ${paint.toFixed(0)} ms, the gallery after ${(performance.now() - began).toFixed(0)} ms`);
    const weights = await bench.page.evaluate(() => Promise.all(['/', '/app.js', '/app.css', '/icon.svg'].map(async (file) => (await fetch(file)).text())));
    const weight = weights.map((text) => gzipSync(text).length).reduce((left, right) => left + right);
    bench.expect(weight < 1_000_000, `the page weighs ${weight} bytes`);
    console.log(`        the page weighs ${weight} bytes compressed`);
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

  async 'a foreign page cannot drive the server, even with the key'(bench) {
    await bench.open();
    const key = await bench.page.evaluate(() => localStorage.getItem('quotient-key'));
    const page = await bench.browser.newPage();
    await page.goto('data:text/html,<title>foreign</title>');
    const tried = await page.evaluate(async (origin, key) => {
      const attempts = [
        () => fetch(origin + '/api/about', { headers: { Authorization: 'Bearer ' + key } }),
        () => fetch(origin + '/api/about', { mode: 'no-cors' }).then((response) => { if (response.type === 'opaque') throw new Error('not readable'); return response; }),
        () => fetch(origin + '/api/runs', { method: 'POST', body: '{}', headers: { Authorization: 'Bearer ' + key } }),
      ];
      return Promise.all(attempts.map((attempt) => attempt().then(() => 'answered', () => 'refused')));
    }, new URL(bench.link).origin, key);
    await page.close();
    bench.expect(tried.every((outcome) => outcome === 'refused'), `a foreign page is answered: ${tried}`);
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
    await bench.page.evaluate(() => performance.setResourceTimingBufferSize(5000));
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
    const looks = await bench.page.evaluate(() => performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/api/look')).map((one) => one.duration).sort((left, right) => left - right));
    bench.expect(looks.length >= names.length, 'a text was not looked at');
    console.log(`        ${looks.length} looks: half within ${looks[looks.length >> 1].toFixed(0)} ms, the slowest ${looks[looks.length - 1].toFixed(0)} ms`);
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
    await bench.page.waitForSelector('.word .letters');
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
    await bench.click('.cm-content');
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

  async 'a number that a bound was compared with leaves the verdict'(bench) {
    writeFileSync(join(bench.models, 'bound.prism'), "dtmc\nmodule walk\n  s : [0..2] init 1;\n  [] s=1 -> 0.5 : (s'=2) + 0.5 : (s'=0);\n  [] s!=1 -> true;\nendmodule\n");
    writeFileSync(join(bench.models, 'bound.props'), 'P<=0.75 [ F s=2 ]\n');
    await bench.open('file=bound.prism');
    await bench.idle();
    await bench.checked();
    bench.expect((await bench.text('.card .badge')).includes('holds'), 'the verdict is not there');
    bench.expect((await bench.text('.card-body')).includes('0.5'), 'the number is not there');
  },

  async 'evidence is certified at a click'(bench) {
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
    await bench.click('.cm-content');
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
    await bench.click('.cm-content');
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
    console.log(`        it ended after ${took.toFixed(0)} ms`);
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
    console.log(`        a frame takes ${frames.toFixed(1)} ms`);
    await bench.page.keyboard.press('End');
  },

  async 'the attempts of a proof are a film with states in stable places'(bench) {
    await bench.open('example=words/token-to-the-third');
    await bench.idle();
    await bench.checked();
    await bench.until('there is a film', () => document.querySelector('[aria-label="Which picture"] option[value=film]'));
    await choosePicture(bench, 'film');
    await bench.page.waitForSelector('.film-text');
    const places = () => bench.page.$$eval('.canvas g.node', (nodes) => nodes.map((node) => [node.dataset.at, node.querySelector('rect').getAttribute('x'), node.querySelector('rect').getAttribute('y')].join()));
    const there = () => bench.page.$$eval('.canvas g.node:not(.ghost)', (nodes) => nodes.length);
    await bench.until('the frame is drawn', () => document.querySelector('.canvas g.node.ghost'));
    const [before, first] = [await places(), await there()];
    bench.expect((await bench.text('.film-text')).includes('M₀'), 'it does not begin at the beginning');
    await bench.click('[aria-label="The next frame"]');
    await bench.until('it says what was merged', () => /merged/.test(document.querySelector('.film-text').textContent));
    await bench.click('[aria-label="The next frame"]');
    await bench.until('the next set is there', () => /M₁/.test(document.querySelector('.film-text').textContent));
    bench.expect(JSON.stringify(await places()) === JSON.stringify(before), 'states moved');
    await bench.until('the frames differ', (first) => document.querySelectorAll('.canvas g.node:not(.ghost)').length !== first, first);
    await bench.picture('film');
    await bench.accessible('a film');
    // The sizes are a chart that leads to the frames.
    await bench.click('#tab-story');
    await bench.page.waitForSelector('.chart');
    // It may still move while the page is laid out.
    const later = () => !/M₁:/.test(document.querySelector('.film-text').textContent);
    for (let turn = 0; turn < 20 && !(await bench.page.evaluate(later)); turn++) {
      const box = await (await bench.page.$('.chart')).boundingBox();
      await bench.page.mouse.click(box.x + box.width * 0.9, box.y + box.height / 2);
      await new Promise((ready) => setTimeout(ready, 100));
    }
    await bench.until('the chart leads to a later frame', later);
    await bench.picture('film-story');
  },

  async 'a false alarm is played backwards to its break, and what was learnt is told'(bench) {
    await bench.open('example=words/szymanski');
    await bench.idle();
    await bench.checked();
    await choosePicture(bench, 'film');
    await bench.page.waitForSelector('.film-text');
    const found = await bench.page.evaluate(async () => {
      const told = [];
      for (let i = 0; i < 400; i++) {
        const text = document.querySelector('.film-text').textContent;
        told.push(text);
        if (text.includes('Learnt')) return told;
        document.querySelector('[aria-label="The next frame"]').click();
        await new Promise((ready) => setTimeout(ready, 15));
      }
      return told;
    });
    const last = found[found.length - 1];
    bench.expect(/only the merging let it in/.test(last) && /Learnt: \S/.test(last), `no break is told: ${last}`);
    bench.expect(found.some((text) => /leads there in one step/.test(text)) || found.some((text) => /is bad/.test(text)), 'the alarm is not played backwards');
    await bench.picture('film-break');
  },

  async 'a large graph is folded, searched and opened; never all at once'(bench) {
    writeFileSync(join(bench.models, 'large.lts'), LARGE);
    await bench.open('file=large.lts');
    await bench.idle();
    const began = performance.now();
    await choosePart(bench, 'BIG');
    await bench.until('a part of it is drawn', () => document.querySelector('.canvas g.node.more, .canvas g.node.folded'));
    const first = performance.now() - began;
    const count = () => bench.page.$$eval('.canvas g.node', (nodes) => nodes.length);
    bench.expect(await count() <= 150, `${await count()} nodes at once`);
    bench.expect(/Find among \d{4}/.test(await bench.page.$eval('.search .find', (input) => input.placeholder)), 'it is not large');
    await bench.picture('large');
    await bench.accessible('a large graph');
    const before = await bench.page.$$eval('.canvas g.node', (nodes) => nodes.map((node) => node.dataset.at));
    const pressed = performance.now();
    await bench.page.$eval('.canvas g.node.more, .canvas g.node.folded', (node) => { node.focus(); });
    await bench.page.keyboard.press('Enter');
    await bench.until('more is drawn', (before) => [...document.querySelectorAll('.canvas g.node')].some((node) => !before.includes(node.dataset.at)), before);
    console.log(`        ${await bench.page.$eval('.search .find', (input) => input.placeholder)}: drawn in ${first.toFixed(0)} ms, opened in ${(performance.now() - pressed).toFixed(0)} ms`);
    bench.expect(await count() <= 150, `${await count()} nodes at once`);
    // What is far away is found and shown.
    await bench.page.type('.search .find', '70');
    await bench.until('it is found', () => /found, \d+ not drawn/.test(document.querySelector('.search [role=status]')?.textContent ?? ''));
    await bench.press('Show', '.search');
    await bench.until('it is shown', () => [...document.querySelectorAll('.canvas g.node.found')].some((node) => node.dataset.label.includes('70')));
    await bench.press('Fold again', '.search');
    await bench.until('it is folded again', (before) => [...document.querySelectorAll('.canvas g.node')].every((node) => before.includes(node.dataset.at)), before);
  },

  async 'a graph is drawn downwards, too'(bench) {
    await bench.open('example=fsp/philosophers_faulty');
    await bench.idle();
    await bench.until('it has parts', () => document.querySelectorAll('[aria-label="Part of the model"] option').length > 2);
    await choosePart(bench, 'PHILOSOPHER');
    await bench.page.waitForSelector('.canvas g.node');
    const tall = () => bench.page.$eval('.canvas svg', (svg) => Number(svg.dataset.height) > Number(svg.dataset.width));
    bench.expect(!await tall(), 'it is tall already');
    await bench.click('[aria-label="From top to bottom"]');
    await bench.until('it is tall', () => { const svg = document.querySelector('.canvas svg'); return svg && Number(svg.dataset.height) > Number(svg.dataset.width); });
    await bench.picture('down');
  },

  async 'a run is shown as wave forms, in the structure and in the control flow'(bench) {
    await bench.open('example=smv/mutex');
    await bench.idle();
    await bench.checked();
    await choosePicture(bench, 'waves');
    await bench.page.waitForSelector('.canvas [data-id="moment-0"].here');
    await bench.click('.canvas [data-id="moment-2"]');
    await bench.until('a click moves the cursor', () => document.querySelector('.table tr.here td')?.textContent === '2');
    await bench.picture('waves');
    await bench.page.close();
    await bench.open('example=fsp/philosophers_faulty');
    await bench.idle();
    await bench.checked();
    await choosePicture(bench, 'model:0');
    await bench.page.waitForSelector('.canvas g.node');
    await bench.page.focus('.controls input[type=range]');
    for (let i = 0; i < 6; i++) await bench.page.keyboard.press('ArrowRight');
    await bench.until('who takes part is lit', () => document.querySelectorAll('.canvas g.node.acts').length === 2);
    bench.expect(await bench.page.$('.canvas .token'), 'nobody has a state');
    await bench.picture('structure');
    await bench.until('who waits for whom is there', () => [...document.querySelectorAll('[aria-label="Which picture"] option')].some((one) => one.textContent.includes('waits')));
    await bench.page.close();
    await bench.open('example=protocol/szymanski_faulty');
    await bench.idle();
    await bench.checked();
    await bench.until('who is looked at is drawn', () => document.querySelector('.canvas .s'));
    await choosePicture(bench, 'model:0');
    await bench.page.focus('.controls input[type=range]');
    await bench.page.keyboard.press('End');
    await bench.until('tokens stand where processes are', () => document.querySelector('.canvas .token'));
    await bench.picture('control-flow');
  },

  async 'the number of processes is a spinner, and a run goes by itself'(bench) {
    await bench.open('example=protocol/szymanski');
    await bench.idle();
    await bench.page.type('.cards .size input', '5');
    await bench.page.keyboard.press('Tab');
    await bench.press('Simulate', '.cards');
    await bench.page.waitForSelector('.choice');
    const heads = await bench.all('.table th');
    bench.expect(heads.some((head) => head.startsWith('P5.')), `no fifth process: ${heads}`);
    const before = await bench.page.$$eval('.table tbody tr', (rows) => rows.length);
    await bench.press('Run', '.choices');
    await bench.until('steps are taken', (before) => document.querySelectorAll('.table tbody tr').length > before, before);
    bench.expect((await bench.text('.status')).includes('no mistakes'), 'a setting for a run by hand is refused for a check');
  },

  async 'the pictures are exported'(bench) {
    await bench.open('example=fsp/philosophers_faulty');
    await bench.idle();
    await bench.until('it has parts', () => document.querySelectorAll('[aria-label="Part of the model"] option').length > 2);
    await choosePart(bench, 'PHILOSOPHER');
    await bench.page.waitForSelector('.canvas g.node');
    const files = await bench.page.evaluate(async () => {
      const saved = [];
      const blobs = new Map();
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
      HTMLAnchorElement.prototype.click = function click() { saved.push([this.download, blobs.get(this.href)]); };
      const select = document.querySelector('[aria-label="Export the picture"]');
      for (const kind of ['svg', 'png', 'tikz', 'dot']) {
        select.value = kind;
        select.dispatchEvent(new Event('change', { bubbles: true }));
        for (let i = 0; i < 100 && saved.length < ['svg', 'png', 'tikz', 'dot'].indexOf(kind) + 1; i++) await new Promise((ready) => setTimeout(ready, 50));
      }
      return Promise.all(saved.map(async ([name, blob]) => [name, blob.size, (await blob.text()).slice(0, 60)]));
    });
    bench.expect(files.length === 4, `only ${files.map(([name]) => name)}`);
    bench.expect(files[0][2].startsWith('<svg') && files[1][2].includes('PNG') && files[2][2].includes('tikz') && files[3][2].includes('digraph'), JSON.stringify(files));
  },

  async 'twenty runs that wait leave the page responsive'(bench) {
    writeFileSync(join(bench.models, 'slow.smv'), SLOW);
    await bench.open('example=protocol/token');
    await bench.idle();
    const times = await bench.page.evaluate(async () => {
      const headers = { Authorization: 'Bearer ' + localStorage.getItem('quotient-key') };
      const send = (method, path, body) => fetch('/api/' + path, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) }).then((response) => response.json());
      const runs = await Promise.all(Array.from({ length: 20 }, () => send('POST', 'runs', { verb: 'check', model: { path: 'slow.smv' }, seconds: 20 })));
      const asked = [];
      for (let i = 0; i < 10; i++) {
        const began = performance.now();
        await send('POST', 'look', { model: { path: 'a.protocol', texts: { 'a.protocol': 'protocol nonsense' } } });
        asked.push(performance.now() - began);
      }
      await Promise.all(runs.map(({ id }) => send('DELETE', 'runs/' + id)));
      return [runs.filter(({ id }) => id).length, asked.sort((left, right) => left - right)[5]];
    });
    bench.expect(times[0] === 20, `only ${times[0]} runs were taken`);
    console.log(`        a look takes ${times[1].toFixed(0)} ms meanwhile`);
  },

  async 'a run of ten thousand steps is scrolled'(bench) {
    writeFileSync(join(bench.models, 'longer.smv'), 'MODULE main\nVAR n : 0..12000;\nASSIGN init(n) := 0; next(n) := n < 12000 ? n + 1 : n;\nINVARSPEC n < 10000\n');
    await bench.open('file=longer.smv');
    await bench.idle();
    await bench.checked();
    await bench.page.waitForSelector('.table tr.here');
    await bench.page.focus('.controls input[type=range]');
    await bench.page.keyboard.press('End');
    await bench.until('the end is there', () => Number(document.querySelector('.table tr.here td')?.textContent) >= 9999);
    const rows = await bench.page.$$eval('.table tbody tr', (rows) => rows.length);
    bench.expect(rows < 120, `${rows} rows are there at once`);
    const frames = await bench.page.evaluate(async () => {
      const table = document.querySelector('.table');
      const times = [];
      for (let i = 0; i < 60; i++) {
        table.scrollTop = i * 4000;
        const before = performance.now();
        await new Promise((ready) => requestAnimationFrame(ready));
        times.push(performance.now() - before);
      }
      return times.sort((left, right) => left - right)[30];
    });
    console.log(`        a frame takes ${frames.toFixed(1)} ms`);
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

  async 'tokens go through states without names'(bench) {
    await bench.open('example=fsp/philosophers_faulty');
    await bench.idle();
    await bench.checked();
    await choosePart(bench, 'PHILOSOPHER');
    await bench.until('the part is drawn', () => document.querySelectorAll('.canvas g.node').length === 6);
    const names = await bench.all('[aria-label="Which picture"] option');
    bench.expect(names.includes('PHILOSOPHER: states'), `what is drawn is not told: ${names}`);
    const where = () => bench.page.$$eval('.canvas g.node.here', (nodes) => nodes.map((node) => `${node.dataset.label}:${node.querySelector('.token')?.textContent}`));
    await bench.until('all are at the start', () => document.querySelectorAll('.canvas g.node.here').length === 1);
    bench.expect((await where())[0] === '0:5\u00d7', `five at the start: ${await where()}`);
    await bench.page.focus('.controls input[type=range]');
    await bench.page.keyboard.press('ArrowRight');
    await bench.until('one goes on', () => document.querySelectorAll('.canvas g.node.here').length === 2);
    bench.expect((await where()).join(' ') === '0:4\u00d7 1:phil.0', `the first one thinks: ${await where()}`);
    await bench.page.keyboard.press('End');
    await bench.until('all hold one fork', () => document.querySelectorAll('.canvas g.node.here').length === 1);
    bench.expect((await where())[0] === '2:5\u00d7', `everybody waits for the second fork: ${await where()}`);
    await bench.picture('tokens');
    // The structure around it has the same tokens, by what everybody did last.
    await choosePart(bench, '');
    await bench.until('it is the structure', () => [...document.querySelectorAll('.canvas .token')].some((token) => token.textContent === 'after right.get'));
  },

  async 'a deadlock is drawn as a circle of waiting'(bench) {
    await bench.open('example=fsp/philosophers_faulty');
    await bench.idle();
    await bench.checked();
    await bench.page.evaluate(() => {
      const select = document.querySelector('[aria-label="Which picture"]');
      select.value = [...select.options].find((one) => one.textContent.includes('waits')).value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await bench.until('it is drawn', () => document.querySelectorAll('.canvas g.node').length === 10 && document.querySelectorAll('.canvas g.edge').length >= 10);
    // Around the middle, in the order of waiting, the angles only grow.
    const turns = await bench.page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.canvas g.node rect.n')].map((one) => { const { x, y, width, height } = one.getBBox(); return [x + width / 2, y + height / 2]; });
      // Forks wait for both neighbours: the way that comes through all is the circle.
      const edges = [...document.querySelectorAll('.canvas g.edge')].map((one) => one.dataset.edge.split(' ').map(Number));
      const way = [0];
      while (way.length < boxes.length) way.push(edges.find(([from, to]) => from === way[way.length - 1] && !way.includes(to))[1]);
      const next = new Map(way.map((node, place) => [node, way[(place + 1) % way.length]]));
      const middle = [0, 1].map((axis) => boxes.reduce((sum, box) => sum + box[axis], 0) / boxes.length);
      let [at, turned] = [0, 0];
      for (let i = 0; i < boxes.length; i++) {
        const to = next.get(at);
        const angle = ([x, y]) => Math.atan2(y - middle[1], x - middle[0]);
        turned += (angle(boxes[to]) - angle(boxes[at]) + 4 * Math.PI) % (2 * Math.PI);
        at = to;
      }
      return [at, turned / (2 * Math.PI)];
    });
    bench.expect(turns[0] === 0 && Math.abs(turns[1] - 1) < 0.01, `not once around: ${turns}`);
    await bench.picture('circle');
  },

  async 'evidence that was tampered with turns the button red'(bench) {
    await bench.open('example=protocol/szymanski_faulty');
    await bench.idle();
    // What the server says is changed on its way to the page: the run lacks its last step.
    await bench.page.evaluate(() => {
      const original = globalThis.fetch;
      globalThis.fetch = (target, options) => {
        if (String(target).endsWith('/runs') && options?.body?.includes('"certify"')) {
          const order = JSON.parse(options.body);
          const list = (value) => Array.isArray(value) ? value : value && typeof value === 'object' ? Object.values(value).map(list).find(Boolean) : undefined;
          list(order.evidence.body).pop();
          options = { ...options, body: JSON.stringify(order) };
        }
        return original(target, options);
      };
    });
    await bench.checked();
    await bench.click('.card .certify');
    await bench.until('it is rejected', () => document.querySelector('.card .certify.bad')?.textContent.includes('rejected'));
    bench.expect((await bench.text('.card .judged.bad')).length > 10, 'no reason is given');
    bench.expect(!(await bench.page.$('.certify.good')), 'it is green all the same');
    await bench.picture('tampered');
    await bench.accessible('a rejection');
  },

  async 'constants without values are asked for'(bench) {
    await bench.open('example=prism/gambler');
    await bench.idle();
    await bench.page.waitForSelector('form.missing');
    const asked = await bench.all('form.missing label');
    bench.expect(asked.join() === 'N,k,p', `asked for ${asked}`);
    await bench.accessible('the form for constants');
    await bench.page.type('#constant-N', '4');
    await bench.page.type('#constant-k', '2');
    await bench.page.type('#constant-p', '0.5');
    await bench.picture('constants');
    await bench.page.keyboard.press('Enter');
    await bench.until('it is checked', () => document.querySelectorAll('.card .badge.holds').length === 3);
    bench.expect(!(await bench.page.$('form.missing')), 'it still asks');
  },

  async 'properties in a file beside the model are found'(bench) {
    writeFileSync(join(bench.models, 'walk.prism'), "dtmc\nmodule walk\n  s : [0..2] init 1;\n  [] s=1 -> 0.5 : (s'=2) + 0.5 : (s'=0);\n  [] s!=1 -> true;\nendmodule\n");
    writeFileSync(join(bench.models, 'walk.props'), 'P=? [ F s=2 ]\n');
    // Another model of that name is not taken for one.
    writeFileSync(join(bench.models, 'walk.smv'), 'MODULE main\nVAR on : boolean;\n');
    await bench.open('file=walk.prism');
    await bench.idle();
    await bench.checked();
    bench.expect((await bench.text('.card .badge')).includes('0.5'), 'the number is not there');
    await bench.click('.open');
    await bench.page.waitForSelector('.gallery .tile');
    bench.expect(!(await bench.all('.gallery .tile strong')).includes('walk.props'), 'what is no model can be opened as one');
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

  async 'on paper the whole text stands with its numbers'(bench) {
    const lines = Array.from({ length: 300 }, (_, number) => `-- line ${number + 1} ${'and so on '.repeat(number % 20)}`);
    writeFileSync(join(bench.models, 'long.smv'), `MODULE main\nVAR on : boolean;\nINVARSPEC TRUE\n${lines.join('\n')}\n`);
    await bench.open('file=long.smv');
    await bench.idle();
    bench.expect((await bench.page.$('.listing')) === null, 'the text is there twice on the screen');
    await bench.page.emulateMediaType('print');
    await bench.page.waitForSelector('.listing li');
    const shown = await bench.all('.listing li');
    bench.expect(shown.length === 303 && shown[302].startsWith('-- line 300'), `${shown.length} lines`);
    const editor = await bench.page.$eval('.code', (element) => getComputedStyle(element).display);
    bench.expect(editor === 'none', 'what is seen of the editor is printed, too');
    await bench.picture('paper');
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

// About five thousand states: a counter beside a long way.
const LARGE = `const N = 70
range R = 0..N
A = A[0], A[i:R] = (when (i < N) up -> A[i+1] | when (i == N) turn -> A[0] | when (i > 0) slip -> A[i-1]).
B = B[0], B[i:R] = (when (i < N) rise -> B[i+1] | when (i == N) end -> STOP).
||BIG = (A || B).
`;
