import { render } from 'preact';
import { App } from './app.tsx';

const place = document.getElementById('page');
if (place !== null) {
  // What stood there is for browsers without scripts.
  place.replaceChildren();
  render(<App />, place);
}
