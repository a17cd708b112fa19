/** The body of the page. */
export const page = `
<a class="skip" href="#main">Skip to the results</a>
<%~ include('@summary', it) %>
<nav class="contents" aria-label="Contents"><ul>
<% it.contents.forEach(one => { %><li><a href="#<%= one.anchor %>"><%= one.title %></a><% if (one.count) { %> <span class="detail"><%= one.count %></span><% } %></li>
<% }) %></ul></nav>
<main id="main" tabindex="-1">
<%~ include('@matrix', it) %>
<search class="filter" hidden data-filter>
<label>Search <input type="search" data-search autocomplete="off" spellcheck="false" placeholder="requirement, check, text"></label>
<label>Verdict <select data-verdicts><option value="">all</option><% it.legend.forEach(one => { %><option value="<%= one.kind %>"><%= one.word %></option><% }) %></select></label>
<label>Endpoint <select data-endpoint><option value="">all</option><% it.endpoints.forEach(id => { %><option value="<%= id %>"><%= id %></option><% }) %></select></label>
<button type="button" data-clear>Clear</button>
<p role="status" data-status></p>
</search>
<%~ include('@causes', { id: 'failures', title: 'Failures, one root cause at a time', causes: it.failures }) %>
<%~ include('@causes', { id: 'warnings', title: 'Warnings', causes: it.warnings }) %>
<%~ include('@gaps', it) %>
<%~ include('@requirements', it) %>
<%~ include('@rest', it) %>
</main>
<footer><p class="detail">Written by <%= it.tool %> from the journal of the run. This page needs no network and sends nothing.</p></footer>
<p class="unseen" role="status" data-said></p>
`;
