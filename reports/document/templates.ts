/**
 * The templates of every page, by the names under which they include one another. Interpolations are escaped, and stand
 * in text or between double quotes. Raw output is for `include` only, as a test checks. A template sees only `it`,
 * which its parent passes as `own`.
 */
export const templates = {
  /** The sign of a verdict: a shape, a colour and a character, all hidden from screen readers. */
  '@sign': `<% if (it.sign) { %><span class="mark mark-<%= it.kind %>" aria-hidden="true"><%= it.sign %></span><% } %>`,

  /** The sign of a verdict with its word for screen readers. */
  '@sign-read': `<%~ include('@sign', { own: it }) %><span class="unseen"><%= it.word %></span>`,

  /**
   * A sentence with code between back quotes (`\x60`, because the engine takes a literal one for the beginning of a
   * text).
   */
  '@prose': `<% it.text.split(/(\\x60[^\\x60]+\\x60)/).forEach((piece, index) => { %><% if (index % 2 === 1) { %><code><%= piece.slice(1, -1) %></code><% } else { %><%= piece %><% } %><% }) %>`,

  /** Names and values. */
  '@pairs': `<% it.pairs.forEach(pair => { %><div><dt><%= pair.name %></dt><dd class="data <%= pair.kind %>"><% if (pair.marked) { %><%~ include('@marked', { own: pair.marked }) %><% } else { %><%= pair.value %><% } %></dd></div>
<% }) %>`,

  /** A value with the differing part marked. */
  '@marked': `<%= it.before %><mark><%= it.odd %></mark><%= it.after %>`,

  /** Lines of text, separated by line ends. */
  '@lines': `<% it.lines.forEach((line, index) => { %><% if (index > 0) { %>
<% } %><%= line %><% }) %>`,

  '@page': `
<a class="skip" href="#main">Skip to the results</a>
<header class="top verdict-<%= it.verdict.kind %>">
<p class="kicker"><% if (it.home) { %><a href="<%= it.home.href %>"><%= it.kicker %></a><% } else { %><%= it.kicker %><% } %></p>
<h1><%~ include('@sign', { own: it.verdict }) %><span class="first"><%= it.verdict.word %></span><% if (it.beside) { %><span class="coverage">· <%= it.beside %></span><% } %></h1>
<% it.sentences.forEach(sentence => { %><p class="lead"><%= sentence %></p>
<% }) %><% if (it.figures.length > 0) { %><dl class="figures">
<% it.figures.forEach(figure => { %><div><dt><%= figure.name %></dt><% figure.lines.forEach(line => { %><dd><%= line %></dd><% }) %></div>
<% }) %></dl>
<% } %></header>
<% if (it.contents.length > 1) { %><nav class="contents" aria-label="Contents"><ul>
<% it.contents.forEach(part => { %><li><a href="#<%= part.id %>"><%= part.title %></a> <span class="detail"><%= part.count %></span></li>
<% }) %></ul></nav>
<% } %><main id="main" tabindex="-1">
<% it.head.forEach(part => { %><%~ include('@part', { own: part }) %><% }) %>
<% if (it.filter) { %><%~ include('@filter', { own: it }) %><% } %>
<% it.parts.forEach(part => { %><%~ include('@part', { own: part }) %><% }) %>
<% if (it.facts.length > 0) { %><section class="part" aria-labelledby="about">
<h2 id="about">About this report</h2>
<dl class="card pairs">
<%~ include('@pairs', { own: { pairs: it.facts } }) %></dl>
</section><% } %>
</main>
<footer><p class="detail">Written by <%= it.tool %> from <%= it.source %>. This page needs no network and sends nothing.</p></footer>
<% if (it.filter) { %><p class="unseen" role="status" data-said></p>
<% } %>`,

  '@filter': `<search class="filter" hidden data-filter>
<label>Search <input type="search" data-search autocomplete="off" spellcheck="false" placeholder="requirement, check, text"></label>
<label>Verdict <select data-verdicts><option value="">all</option><% it.kinds.forEach(one => { %><option value="<%= one.kind %>"><%= one.word %></option><% }) %></select></label>
<label>Endpoint <select data-endpoint><option value="">all</option><% it.filter.forEach(id => { %><option value="<%= id %>"><%= id %></option><% }) %></select></label>
<button type="button" data-clear>Clear</button>
<p role="status" data-status></p>
</search>
`,

  '@part': `<section class="<%= it.isHead ? 'card' : 'part' %>" aria-labelledby="<%= it.id %>">
<h2 id="<%= it.id %>"><%= it.title %></h2>
<% if (it.note) { %><p class="detail"><%= it.note %></p>
<% } %><% if (it.empty) { %><p><%= it.empty %></p>
<% } %><% if (it.rows && it.isNumbered) { %><ol class="steps">
<% it.rows.forEach(row => { %><li><% if (row.href) { %><a href="<%= row.href %>"><%~ include('@prose', { own: row }) %></a><% } else { %><%~ include('@prose', { own: row }) %><% } %><% row.about?.forEach(text => { %><span class="detail"><%= text %></span><% }) %></li>
<% }) %></ol>
<% } else if (it.rows) { %><%~ include('@rows', { own: it }) %><% } %><% if (it.table) { %><%~ include('@table', { own: it }) %><% } %><% it.entries.forEach(entry => { %><%~ include('@entry', { own: entry }) %><% }) %><% it.groups.forEach(group => { %><%~ include('@group', { own: group }) %><% }) %><% if (it.lines.length > 0) { %><details class="card"<% if (it.lines.length < 8) { %> open<% } %>><summary><%= it.count %></summary>
<ul class="seen">
<% it.lines.forEach(line => { %><li class="data"><%= line %></li>
<% }) %></ul></details>
<% } %><% if (it.more) { %><p class="detail"><%= it.more %></p>
<% } %></section>
`,

  /** Lines with marks. */
  '@rows': `<ul class="rows">
<% it.rows.forEach(row => { %><li<% if (row.endpoints) { %> data-item data-verdict="<%= row.mark.kind %>" data-endpoints="<%= row.endpoints.join(' ') %>"<% } %>><%~ include('@sign-read', { own: row.mark }) %><div><p><% if (row.name && row.href) { %><a class="data strong" href="<%= row.href %>"><%= row.name %></a> <% } else if (row.name) { %><span class="data strong"><%= row.name %></span> <% } %><%~ include('@prose', { own: row }) %></p><% row.about?.forEach(text => { %><p class="detail"><%= text %></p><% }) %><% if (row.remedy) { %><p class="detail">→ <%= row.remedy %></p><% } %><% if (row.command) { %><pre tabindex="0" role="group" aria-label="To send"><%= row.command %></pre><% } %></div></li>
<% }) %></ul>
`,

  /** A table; rows without differences are folded. */
  '@table': `<% if (it.table.legend) { %><ul class="legend" aria-label="Signs">
<% it.table.legend.forEach(one => { %><li><%~ include('@sign', { own: one }) %><%= one.word %></li>
<% }) %></ul>
<% } %><% if (it.table.cue) { %><p class="cue detail"><%= it.table.cue %></p>
<% } %><% if (it.table.rows.length > 0) { %><%~ include('@cells', { own: { columns: it.table.columns, rows: it.table.rows, label: 'Table: ' + it.title } }) %><% } %><% if (it.table.same.length > 0) { %><details<% if (it.table.same.length < 5 && it.table.rows.length === 0) { %> open<% } %>><summary><%= it.table.sameTitle %></summary>
<%~ include('@cells', { own: { columns: it.table.columns, rows: it.table.same, label: it.table.sameTitle } }) %></details>
<% } %><% if (it.table.about) { %><p class="detail"><%= it.table.about %></p>
<% } %>`,

  /** The rows of a table, in a box that scrolls sideways. */
  '@cells': `<div class="wide" tabindex="0" role="region" aria-label="<%= it.label %>">
<table class="matrix">
<thead><tr><% it.columns.forEach(column => { %><th scope="col" class="<%= column.kind %>"<% if (column.title) { %> title="<%= column.title %>"<% } %>><span><%= column.name %></span></th><% }) %></tr></thead>
<tbody>
<% it.rows.forEach(row => { %><tr<% if (row.anchor) { %> id="<%= row.anchor %>"<% } %>><% row.cells.forEach((cell, index) => { %><% if (index === 0) { %><th scope="row"><%~ include('@cell', { own: cell }) %></th><% } else { %><td class="<%= it.columns[index].kind %><%= cell.drop ? ' drop' : '' %>"><%~ include('@cell', { own: cell }) %></td><% } %><% }) %></tr>
<% }) %></tbody>
</table>
</div>
`,

  '@cell': `<% if (it.share !== undefined) { %><a class="share share-<%= it.share %>" href="<%= it.href %>" title="<%= it.title %>"><%= it.text %></a><% } else if (it.href && it.mark) { %><a href="<%= it.href %>" title="<%= it.title %>"><%~ include('@sign', { own: it.mark }) %><span class="unseen"><%= it.title %></span></a><% } else { %><% if (it.mark) { %><span title="<%= it.title || it.mark.word %>"><%~ include('@sign-read', { own: it.mark }) %></span> <% } else if (it.title) { %><span class="unseen"><%= it.title %></span><% } %><% if (it.href) { %><a href="<%= it.href %>"><%= it.text %></a><% } else if (it.text) { %><span class="<%= it.kind %>"><%= it.text %></span><% } %><% } %><% if (it.drop) { %><span class="fall" aria-hidden="true">▼</span><span class="unseen">, <%= it.drop %></span><% } %><% it.about?.forEach(text => { %><span class="source data"><%= text %></span><% }) %><% it.links?.forEach(one => { %> <a href="<%= one.href %>"><%= one.text %></a><% }) %>`,

  /** One cause, difference or reason: the side that is blamed, where it shows, and its lists. */
  '@entry': `<article class="card cause cause-<%= it.mark.kind %>" id="<%= it.anchor %>" tabindex="-1" aria-labelledby="<%= it.anchor %>-title" data-item data-verdict="<%= it.mark.kind %>" data-endpoints="<%= it.endpoints.join(' ') %>">
<h3 id="<%= it.anchor %>-title"><%~ include('@sign-read', { own: it.mark }) %> <% if (it.id) { %><span class="data"><%= it.id %></span> <% } %><% if (it.href) { %><a href="<%= it.href %>"><%~ include('@prose', { own: { text: it.title } }) %></a><% } else { %><%~ include('@prose', { own: { text: it.title } }) %><% } %></h3>
<% if (it.known) { %><p><strong>Known</strong>: <%= it.known %></p>
<% } %><% if (it.remedy) { %><p>→ <strong class="data"><%= it.remedy %></strong></p>
<% } %><% it.clauses.forEach(one => { %><p><%~ include('@prose', { own: { text: one.statement } }) %> <span class="detail"><span class="data strong"><%= one.id %></span><% if (one.about) { %>, <%= one.about %><% } %></span></p>
<% }) %><% it.said.forEach(text => { %><p class="detail"><%= text %></p>
<% }) %><% it.tags.forEach(list => { %><% if (list.isLong) { %><details><summary><%= list.title %> <%= list.items.length %></summary><% } %><p class="tags"><% if (list.title) { %><span class="detail"><%= list.title %>:</span> <% } %><% list.items.forEach(one => { %><% if (one.href) { %><a class="data" href="<%= one.href %>"><%= one.text %></a> <% } else { %><span class="tag data"><%= one.text %></span> <% } %><% }) %></p><% if (list.isLong) { %></details><% } %>
<% }) %><% it.first.forEach(item => { %><%~ include('@item', { own: item }) %><% }) %><% if (it.others.length > 0) { %><details data-group><summary><%= it.others.length %> more of the same</summary>
<% it.others.forEach(item => { %><%~ include('@item', { own: item }) %><% }) %></details>
<% } %><% if (it.elsewhere) { %><p class="detail"><%= it.elsewhere %></p>
<% } %><% if (it.command) { %><p class="detail">All of the evidence: <code><%= it.command %></code></p>
<% } %></article>
`,

  /** A place where an entry shows: the values there, requests and answers, and the commands that send them again. */
  '@item': `<% if (it.isBare) { %><p class="finding"><span class="data strong"><%= it.where %></span> <span class="detail"><%= it.note %></span></p>
<% } else { %><details class="finding"<% if (it.anchor) { %> id="<%= it.anchor %>"<% } %> data-item data-verdict="<%= it.kind %>" data-endpoints="<%= it.endpoint %>"<% if (it.isOpen) { %> open<% } %>>
<summary><span class="data strong"><%= it.where %></span> <span class="detail"><%~ include('@prose', { own: { text: it.note } }) %></span></summary>
<div class="block">
<% it.said.forEach(text => { %><p class="detail"><%= text %></p>
<% }) %><dl class="pairs<% if (it.isNarrow) { %> course<% } %>">
<%~ include('@pairs', { own: it }) %></dl>
<% if (it.difference) { %><dl class="difference">
<div class="sent"><dt>Sent</dt><dd class="data"><% if (it.difference.sent) { %><%~ include('@marked', { own: it.difference.sent }) %><% } else { %><em>left out</em><% } %></dd></div>
<div class="control"><dt>Accepted control</dt><dd class="data"><%~ include('@marked', { own: it.difference.control }) %></dd></div>
</dl>
<% } %><% if (it.single) { %><%~ include('@exchange', { own: it.single }) %><% } %><% if (it.steps.length > 0) { %><ol class="timeline" aria-label="Steps">
<% it.steps.forEach(step => { %><li value="<%= step.number %>"<% if (step.isOpen) { %> class="accused"<% } %>><details<% if (step.isOpen) { %> open<% } %>><summary><span class="data"><%= step.line %></span><% if (step.shown) { %> <code><%= step.shown %></code><% } %></summary>
<%~ include('@exchange', { own: step }) %></details></li>
<% }) %></ol>
<% } %><% if (it.race.length > 0) { %><h4>What was sent at once, and what was there afterwards</h4>
<ol class="timeline race data">
<% it.race.forEach(line => { %><li><%= line %></li>
<% }) %></ol>
<% } %><% it.commands.forEach(command => { %><div class="command">
<h4><%= command.name %> <button type="button" data-copy hidden aria-label="Copy: <%= command.name %>, <%= it.where %>">Copy</button></h4>
<pre tabindex="0" role="group" aria-label="<%= command.name %>"><code><%~ include('@lines', { own: command }) %></code></pre>
</div>
<% }) %><% if (it.elsewhere) { %><p class="detail"><%= it.elsewhere %></p>
<% } %></div>
</details>
<% } %>`,

  /** Requests, with answers beside or below them. */
  '@exchange': `<% it.sides.forEach(side => { %><div class="exchange">
<% side.forEach(message => { %><%~ include('@message', { own: message }) %><% }) %></div>
<% }) %>`,

  '@message': `<div>
<h4><%= it.label %></h4>
<pre tabindex="0" role="group" aria-label="<%= it.label %>"><strong><%= it.line %></strong>
<% it.headers.forEach(header => { %><span class="faint"><%= header %></span>
<% }) %><% it.lines.forEach((line, index) => { %><% if (index > 0) { %>
<% } %><% if (line.accused) { %><mark><%= line.text %></mark><% } else { %><%= line.text %><% } %><% }) %><% if (it.note) { %>
<span class="faint"><%= it.note %></span><% } %></pre>
<% if (it.accused) { %><p class="detail">The accused value: <code><%= it.accused %></code></p>
<% } %><% if (it.whole) { %><details><summary class="detail"><%= it.whole.title %></summary>
<pre tabindex="0" role="group" aria-label="<%= it.label %>, all of the body"><%~ include('@lines', { own: it.whole }) %><% if (it.note) { %>
<span class="faint"><%= it.note %></span><% } %></pre></details>
<% } %></div>
`,

  /** A folded group: rows, names, or lists. */
  '@group': `<details class="card section"<% if (it.anchor) { %> id="<%= it.anchor %>"<% } %><% if (it.rows) { %> data-group<% } else { %> data-item data-verdict="" data-endpoints=""<% } %><% if (it.isOpen) { %> open<% } %>>
<summary><span class="strong"><%= it.title %></span> <% if (it.detail) { %><span class="data detail"><%= it.detail %></span> <% } %><span class="tally"><% it.tally?.forEach(one => { %><span class="count"><%~ include('@sign', { own: one.mark }) %><%= one.count %> <%= one.mark.word %></span> <% }) %></span></summary>
<% if (it.rows) { %><%~ include('@rows', { own: it }) %><% } %><% if (it.items.length > 0) { %><p class="tags"><% it.items.forEach(item => { %><span class="tag data"><%= item %></span> <% }) %><% if (it.more) { %><span class="detail"><%= it.more %></span><% } %></p>
<% } %><% it.lists?.forEach(list => { %><h3 id="<%= list.anchor %>"><span class="data"><%= list.title %></span> <span class="detail"><%= list.detail %></span></h3>
<dl class="pairs"><%~ include('@pairs', { own: list }) %></dl>
<% }) %></details>
`,
} as const;
