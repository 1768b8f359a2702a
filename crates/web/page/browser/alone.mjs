// What is tried of the page without a server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

// Times are those of a machine; all else must be the same.
const WITHOUT = new Set(['seconds', 'peak']);
const plain = (value) => JSON.stringify(value, (name, own) => (WITHOUT.has(name) ? undefined : own));

// Asks the engines inside the page, in a worker of the page itself.
const inside = (bench, question) => bench.page.evaluate(async (question) => {
  globalThis.engines ??= await WebAssembly.compileStreaming(fetch('quotient.wasm'));
  const worker = new Worker('worker.js');
  const began = performance.now();
  return new Promise((done, fail) => {
    let last = null;
    worker.onmessage = ({ data }) => {
      if (data.line !== undefined) { last = data.line; return; }
      worker.terminate();
      if (data.ended !== null) fail(new Error(data.ended + data.said));
      else done({ ...JSON.parse(last), took: performance.now() - began });
    };
    worker.postMessage({ module: globalThis.engines });
    worker.postMessage({ question: JSON.stringify(question) });
  });
}, question);

// Asks the server.
const server = (bench) => {
  const { origin, hash } = new URL(bench.server);
  const headers = { Authorization: 'Bearer ' + hash.replace('#token=', ''), 'Content-Type': 'application/json' };
  const ask = async (method, path, body) => (await fetch(`${origin}/api/${path}`, { method, headers, body: body && JSON.stringify(body) })).json();
  return async (method, path, body) => {
    const began = performance.now();
    const said = await ask(method, path, body);
    if (path !== 'runs') return { body: said, took: performance.now() - began };
    let whole = { running: true };
    while (whole.running) {
      await new Promise((ready) => setTimeout(ready, 5));
      whole = await ask('GET', 'runs/' + said.id);
    }
    return { body: whole, took: performance.now() - began };
  };
};

const names = (about) => about.languages.flatMap((one) => one.examples.map((example) => [`${one.id}/${example.name}`, example.files]));
const half = (times) => times.sort((left, right) => left - right)[times.length >> 1] ?? 0;

export const tests = {
  async 'a newcomer sees examples, and the folder is light'(bench) {
    const began = performance.now();
    await bench.open();
    await bench.page.waitForSelector('.gallery .tile');
    console.log(`        the gallery after ${(performance.now() - began).toFixed(0)} ms`);
    bench.expect((await bench.text('.gallery')).includes('Files in this browser'), 'it is not said where files are');
    await bench.accessible('the gallery');
    await bench.picture('alone-gallery');
    const weight = async (files) => {
      const base = bench.link.replace(/#.*/, '');
      const all = await Promise.all(files.map(async (file) => Buffer.from(await (await fetch(base + file)).arrayBuffer())));
      return all.map((bytes) => [bytes.length, gzipSync(bytes).length]).reduce((left, right) => [left[0] + right[0], left[1] + right[1]]);
    };
    const page = await weight(['index.html', 'app.js', 'app.css', 'icon.svg', 'worker.js']);
    const engines = await weight(['quotient.wasm']);
    console.log(`        the page: ${page[0]} bytes, ${page[1]} compressed; the engines: ${engines[0]} bytes, ${engines[1]} compressed`);
    bench.expect(page[1] < 1_000_000, 'the page is heavy');
    bench.expect(engines[1] < 3_000_000, 'the engines are heavy');
  },

  async 'every example loads without an error'(bench) {
    await bench.open();
    await bench.page.waitForSelector('.gallery .tile');
    const { body: about } = await inside(bench, { method: 'GET', path: 'about' });
    const all = names(about);
    bench.expect(about.languages.length === 3 && all.length > 50, `${about.languages.length} languages, ${all.length} examples`);
    for (const [name] of all) {
      await bench.page.evaluate((name) => { location.hash = 'example=' + encodeURIComponent(name); }, name);
      await bench.until(`${name} is open`, (name) => document.querySelector('.open')?.textContent.includes(name.slice(name.indexOf('/') + 1)), name);
      await bench.idle();
      const status = await bench.text('.status');
      bench.expect(!/error/.test(status), `${name}: ${status}`);
    }
  },

  // Long because it is what all rests on: the engines here are the engines there.
  async 'what is asked is answered as the server answers it'(bench) {
    await bench.open();
    await bench.page.waitForSelector('.gallery .tile');
    const there = server(bench);
    const { body: about } = await inside(bench, { method: 'GET', path: 'about' });
    const { body: whole } = await there('GET', 'about');
    for (const language of about.languages) {
      const same = whole.languages.find((one) => one.id === language.id);
      bench.expect(plain(same) === plain(language), `${language.id} is another language`);
    }
    const times = { look: [[], []], check: [[], []], certify: [[], []] };
    const wrong = [];
    let certified = 0;
    const both = async (what, name, question) => {
      const [here, theirs] = [await inside(bench, question), await there(question.method, question.path, question.body)];
      const verdicts = [here, theirs].map(({ body }) => (body.result?.properties ?? []).map((one) => one.verdict).join());
      const late = [here, theirs].some(({ body }) => /time/.test(JSON.stringify(body.because ?? '') + (body.result?.properties ?? []).map((one) => one.because ?? '').join()));
      if (!late && plain(here.body) !== plain(theirs.body)) wrong.push(`${what} of ${name} differs (${verdicts.join(' / ')})`);
      if (late) console.log(`        ${name}: not decided in time (${verdicts.join(' / ')})`);
      else { times[what][0].push(here.took); times[what][1].push(theirs.took); }
      return here.body;
    };
    for (const [name, files] of names(about)) {
      const model = { path: files[0].path, example: name, texts: {}, settings: [] };
      await both('look', name, { method: 'POST', path: 'look', body: { model } });
      const report = await both('check', name, { method: 'POST', path: 'runs', body: { verb: 'check', model, seconds: 15 } });
      const answer = report.result?.properties?.find((one) => one.evidence);
      if (!answer || certified >= 30) continue;
      certified++;
      const judged = await both('certify', name, { method: 'POST', path: 'runs', body: { verb: 'certify', model, evidence: answer.evidence, properties: [answer.property], seconds: 15 } });
      if (judged.result && !judged.result.evidence.every((one) => one.accepted)) wrong.push(`evidence of ${name} is refused`);
    }
    for (const [what, [here, theirs]] of Object.entries(times)) {
      const sum = (all) => all.reduce((left, right) => left + right, 0);
      console.log(`        ${what}: ${here.length}; half within ${half(here).toFixed(0)} ms here, ${half(theirs).toFixed(0)} ms at the server; in all ${(sum(here) / 1000).toFixed(1)} s and ${(sum(theirs) / 1000).toFixed(1)} s`);
    }
    bench.expect(certified > 20, 'hardly anything was certified');
    bench.expect(!wrong.length, wrong.join('\n  '));
  },

  async 'check, step through, certify and simulate'(bench) {
    await bench.open('example=protocol/szymanski_faulty');
    await bench.idle();
    await bench.checked();
    bench.expect((await bench.text('.card .badge')).includes('violated'), 'it is not violated');
    await bench.page.focus('.controls input[type=range]');
    for (let i = 0; i < 3; i++) await bench.page.keyboard.press('ArrowRight');
    await bench.until('the picture follows', () => document.querySelector('.canvas [data-id="moment-3"].here'));
    await bench.until('the source follows', () => document.querySelector('.cm-step'));
    await bench.picture('alone-run');
    await bench.press('Certify', '.card');
    await bench.until('it is accepted', () => document.querySelector('.certify.good'));
    await bench.press('Simulate from here', '.controls');
    await bench.page.waitForSelector('.choice');
    await bench.click('.choice');
    await bench.until('a step was taken', () => document.querySelector('.table tr.here td')?.textContent === '4');
    await bench.accessible('a simulation');
    await bench.picture('alone-simulate');
  },

  async 'words have their film, components their structure'(bench) {
    await bench.open('example=words/token-to-the-third');
    await bench.idle();
    await bench.checked();
    await bench.until('there is a film', () => document.querySelector('[aria-label="Which picture"] option[value=film]'));
    await bench.open('file=none.lts');
    await bench.until('it is said that there is none', () => document.querySelector('.trouble')?.textContent.includes('no such file'));
    writeFileSync(join(bench.models, 'models.json'), JSON.stringify({ files: ['class.lts'], first: 'class.lts' }));
    writeFileSync(join(bench.models, 'class.lts'), DINERS(2));
    bench.link = bench.link.replace('some/where', 'class');
    try {
      // The models of the class are there at once, and what is made of them stays in this browser.
      await bench.open();
      await bench.idle();
      bench.expect((await bench.text('.open')).includes('class.lts'), 'the model of the class is not open');
      await bench.checked();
      bench.expect((await bench.all('.card .badge')).some((text) => text.includes('violated')), 'they do not starve');
      await bench.picture('alone-components');
      await bench.accessible('components');
      await bench.click('.cm-content');
      await bench.page.keyboard.type('// mine\n');
      await bench.page.keyboard.down('Control');
      await bench.page.keyboard.press('s');
      await bench.page.keyboard.up('Control');
      await bench.until('it is saved', () => !document.querySelector('.file .dot'));
      await bench.page.reload();
      await bench.until('it is still there', () => document.querySelector('.cm-content')?.textContent.includes('// mine'));
      // Others are taken in.
      writeFileSync(join(bench.models, 'added.lts'), DINERS(3));
      await bench.click('.open');
      const input = await bench.page.waitForSelector('.gallery input[type=file]');
      await input.uploadFile(join(bench.models, 'added.lts'));
      await bench.until('the file is open', () => document.querySelector('.open')?.textContent.includes('added.lts'));
      await bench.idle();
    } finally {
      bench.link = bench.link.replace('class', 'some/where');
    }
    await bench.page.evaluate(() => localStorage.clear());
  },

  async 'the editor shows a mistake at its place'(bench) {
    await bench.open('example=protocol/token');
    await bench.idle();
    await bench.click('.cm-content');
    await bench.page.keyboard.down('Control');
    await bench.page.keyboard.press('End');
    await bench.page.keyboard.up('Control');
    await bench.page.keyboard.type('\nnonsense here');
    await bench.until('a mistake is marked', () => document.querySelector('.cm-lintRange-error'));
    const marked = await bench.page.$eval('.cm-lintRange-error', (mark) => mark.closest('.cm-line').textContent);
    bench.expect(marked.includes('nonsense'), `the mark is on "${marked}"`);
  },

  async 'a run is called off at once, and the next one is answered'(bench) {
    writeFileSync(join(bench.models, 'models.json'), JSON.stringify({ files: ['slow.lts'], first: 'slow.lts' }));
    writeFileSync(join(bench.models, 'slow.lts'), SLOW);
    bench.link = bench.link.replace('some/where', 'class');
    try {
      await bench.open();
      await bench.idle();
      await bench.click('.primary');
      await bench.page.waitForSelector('.stop');
      await new Promise((ready) => setTimeout(ready, 1500));
      bench.expect(await bench.page.$('.stop'), 'it is not slow');
      // While it works, the text is looked at.
      await bench.click('.cm-content');
      await bench.page.keyboard.type('// mine\n');
      await bench.idle();
      const began = performance.now();
      await bench.click('.stop');
      await bench.until('it ends', () => !document.querySelector('.stop'));
      console.log(`        it ended after ${(performance.now() - began).toFixed(0)} ms`);
      await bench.picture('alone-stopped');
      await bench.page.evaluate(() => { location.hash = 'example=protocol/token'; });
      await bench.until('the example is open', () => document.querySelector('.open')?.textContent.includes('token'));
      await bench.idle();
      await bench.checked();
      bench.expect((await bench.text('.card .badge')).includes('holds'), 'it is not answered');
    } finally {
      bench.link = bench.link.replace('class', 'some/where');
    }
  },

  async 'what is nested too deeply, or is too large, ends with a word about it'(bench) {
    await bench.open('example=protocol/token');
    await bench.idle();
    const texts = { 'deep.lts': `P = (a -> P).\nassert D = ${'('.repeat(200_000)}a${')'.repeat(200_000)}\n` };
    const model = { path: 'deep.lts', texts, settings: [] };
    const { body } = await inside(bench, { method: 'POST', path: 'look', body: { model } });
    bench.expect(body.diagnostics.length > 0, 'nothing is said about it');
    const refused = await inside(bench, { method: 'POST', path: 'nothing', body: {} });
    bench.expect(refused.status === 404, 'a question that nobody knows is answered');
  },

  async 'it is readable on a telephone, and in the dark'(bench) {
    await bench.open('example=protocol/szymanski_faulty', 390, 800);
    await bench.idle();
    await bench.checked();
    await bench.accessible('the narrow page');
    await bench.picture('alone-narrow');
    await bench.press('Properties', '.parts');
    await bench.picture('alone-narrow-cards');
    const wide = await bench.page.evaluate(() => document.documentElement.scrollWidth);
    bench.expect(wide <= 390, `it is ${wide} wide`);
    await bench.open('example=protocol/token', 1280, 800, 'dark');
    await bench.idle();
    await bench.checked();
    await bench.picture('alone-dark');
  },
};

const DINERS = (number) => `PHIL = (sit -> right.get -> left.get -> eat -> left.put -> right.put -> arise -> PHIL).
FORK = (get -> put -> FORK).
||DINERS = forall [i:0..${number - 1}] (phil[i]:PHIL || {phil[i].left, phil[(i+${number - 1})%${number}].right}::FORK).
`;
// Twelve counters that move each other: too many states for anybody to go through.
const SLOW = `COUNT(I=0) = C[0], C[i:0..15] = (step[I] -> C[(i*7+I+1)%16] | swap[I] -> C[(i+3)%16] | swap[I+1] -> C[(i*5+2)%16]).
||SYS = (forall [i:0..11] COUNT(i)).
assert LIVE = [](step[0] -> <>swap[5])
`;
