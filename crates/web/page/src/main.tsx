import { render } from 'preact';
import { address, begin, theme } from './actions';
import { App } from './app';
import { get, onChange, type State } from './store';
import './style.css';

try {
  theme((localStorage.getItem('quotient-theme') as State['theme']) ?? 'auto');
} catch { /* the choice is not kept */ }

let written = location.hash;
window.addEventListener('hashchange', () => { written = location.hash; });
render(<App />, document.getElementById('app')!);
void begin();

// What is looked at is in the address.
let timer = 0;
onChange(() => {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    const state = get();
    if (!state.path) return;
    // Somebody wrote another address: that is read first.
    if (location.hash !== written && location.hash !== '') return;
    const wanted = '#' + address(state);
    if (wanted !== location.hash) history.replaceState(null, '', location.pathname + location.search + (wanted === '#' ? '' : wanted));
    written = location.hash;
    document.title = (state.look?.title ?? state.path) + ' – Quotient';
  }, 150);
});
