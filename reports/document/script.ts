/**
 * The script of the page: it filters, copies, and unfolds the targets of links. It writes only text, never markup, and
 * uses no network. Without JavaScript only the filter and the copy buttons are missing.
 */
export const script = `
'use strict';
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = selector => document.querySelector(selector);
  const items = all('[data-item]').map(element => ({
    element,
    verdict: element.dataset.verdict,
    endpoints: element.dataset.endpoints.split(' '),
    within: element.parentElement.closest('[data-item]'),
    text: undefined,
  }));
  const textOf = item => (item.text ??= item.element.textContent.toLowerCase());
  const search = one('[data-search]');
  const verdicts = one('[data-verdicts]');
  const endpoint = one('[data-endpoint]');
  const status = one('[data-status]');
  const opened = new Set();

  const reveal = element => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const active = words.length > 0 || verdicts.value !== '' || endpoint.value !== '';
    const fits = item =>
      (verdicts.value === '' || item.verdict === verdicts.value) &&
      (endpoint.value === '' || item.endpoints.includes(endpoint.value)) &&
      words.every(word => textOf(item).includes(word));
    const seen = new Set(items.filter(fits).map(item => item.element));
    // If a cause fits by its own words alone, show all of it.
    const narrowed = new Set(items.filter(item => item.within && seen.has(item.element)).map(item => item.within));
    let shown = 0;
    for (const item of items) {
      const fit = item.within ? !narrowed.has(item.within) || seen.has(item.element) : seen.has(item.element);
      item.element.hidden = !fit;
      if (fit && !item.within) shown += 1;
    }
    for (const group of all('[data-group]')) {
      const some = all('[data-item]', group).some(element => !element.hidden);
      group.hidden = !some;
      if (active && some && !group.open) {
        group.open = true;
        opened.add(group);
      } else if (!active && opened.delete(group)) group.open = false;
    }
    for (const part of all('.part')) {
      const own = all('[data-item]', part);
      part.hidden = active && (own.length === 0 || own.every(element => element.hidden));
    }
    const total = items.filter(item => !item.within).length;
    status.textContent = active ? shown + ' of ' + total + ' entries shown' : total + ' entries';
  };

  const copied = async (button, text) => {
    const done = await navigator.clipboard.writeText(text).then(() => true, () => false);
    button.textContent = done ? 'Copied' : 'Select and copy by hand';
    one('[data-said]').textContent = button.textContent;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  };

  for (const button of all('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => copied(button, button.closest('.command').querySelector('code').textContent));
  }
  for (const control of [search, verdicts, endpoint]) control.addEventListener('input', filter);
  const clear = () => {
    search.value = verdicts.value = endpoint.value = '';
    filter();
  };
  one('[data-clear]').addEventListener('click', clear);
  document.addEventListener('keydown', event => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape' && document.activeElement === search) clear();
  });

  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    if (target.closest('[hidden]')) clear();
    reveal(target);
    target.scrollIntoView();
    const heading = target.matches('details') ? target.querySelector('summary') : target;
    if (!heading.matches('summary, a, button, [tabindex]')) heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) follow();
  });
  window.addEventListener('hashchange', follow);
  window.addEventListener('beforeprint', () => {
    for (const details of all('details')) details.open = true;
  });
  one('[data-filter]').hidden = false;
  filter();
  if (location.hash) follow();
})();
`;
