/** The head of the page: the verdict in words, what to do first, and the remarks on the whole run. */
export const summary = `
<header class="top verdict-<%= it.verdict.kind %>">
<p class="kicker">Conformance to the Console Management API specification</p>
<h1><%~ include('@sign', it.verdict) %><span class="first"><%= it.verdict.word %></span></h1>
<p class="lead"><%= it.sentence %></p>
<dl class="figures">
<div><dt>Target</dt><dd class="data"><%= it.target %></dd></div>
<% it.figures.forEach(figure => { %><div><dt><%= figure.name %></dt><dd><%= figure.value %></dd></div>
<% }) %></dl>
</header>
<section class="card" aria-labelledby="first">
<h2 id="first">What to do first</h2>
<ol class="steps">
<% it.steps.forEach(step => { %><li><% if (step.href) { %><a href="<%= step.href %>"><%~ include('@prose', { pieces: step.what }) %></a><% } else { %><%~ include('@prose', { pieces: step.what }) %><% } %><% if (step.detail) { %><span class="detail"><%= step.detail %></span><% } %></li>
<% }) %></ol>
</section>
<% if (it.notices.length > 0) { %><section class="card" aria-labelledby="notices">
<h2 id="notices">Remarks on the whole run</h2>
<ul class="plain">
<% it.notices.forEach(notice => { %><li class="notice-<%= notice.severity %>"><%= notice.text %><% if (notice.remedy) { %><span class="detail"><%= notice.remedy %></span><% } %></li>
<% }) %></ul>
</section><% } %>
`;

/** The sign of a verdict: a shape, a colour and a character, none of which is read aloud. */
export const sign = `<span class="mark mark-<%= it.kind %>" aria-hidden="true"><%= it.sign %></span>`;

/** The sign of a verdict with its word for those who cannot see it. */
export const signRead = `<%~ include('@sign', it) %><span class="unseen"><%= it.word %></span>`;

/** A sentence with code in it. */
export const proseText = `<% it.pieces.forEach(piece => { %><% if (piece.as === 'code') { %><code><%= piece.text %></code><% } else if (piece.as === 'emphasis') { %><em><%= piece.text %></em><% } else { %><%= piece.text %><% } %><% }) %>`;
