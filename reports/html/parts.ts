/** The templates that the page of a report and the page of a comparison share. */
export const parts = {
  /** The sign of a verdict: a shape, a colour and a character, none of which is read aloud. */
  '@sign': `<span class="mark mark-<%= it.kind %>" aria-hidden="true"><%= it.sign %></span>`,

  /** The sign of a verdict with its word for those who cannot see it. */
  '@sign-read': `<%~ include('@sign', it) %><span class="unseen"><%= it.word %></span>`,

  /** A sentence with code in it. */
  '@prose': `<% it.pieces.forEach(piece => { %><% if (piece.as === 'code') { %><code><%= piece.text %></code><% } else if (piece.as === 'emphasis') { %><em><%= piece.text %></em><% } else { %><%= piece.text %><% } %><% }) %>`,

  /** The first lines of the head: what the page is about, and the verdict. */
  '@verdict': `<p class="kicker"><%= it.kicker %></p>
<h1><%~ include('@sign', it.verdict) %><span class="first"><%= it.verdict.word %></span></h1>`,

  /** The signs of a matrix with their words. */
  '@legend': `<ul class="legend" aria-label="Signs">
<% it.legend.forEach(one => { %><li><%~ include('@sign', one) %><%= one.word %></li>
<% }) %></ul>`,

  /** Names and values. */
  '@pairs': `<% it.pairs.forEach(pair => { %><div><dt><%= pair.name %></dt><dd class="data <%= pair.kind %>"><%= pair.value %></dd></div>
<% }) %>`,

  /** What wrote the page, and from what. */
  '@footer': `<footer><p class="detail">Written by <%= it.tool %> from <%= it.source %>. This page needs no network and sends nothing.</p></footer>`,
} as const;
