/** Observations, what was left behind, what was not exercised, and the facts of the run. */
export const rest = `
<% if (it.observations.length > 0) { %><section class="part" aria-labelledby="observations">
<h2 id="observations">What the specification leaves open, and what this server does</h2>
<p class="detail">Nothing of this is judged.</p>
<% it.observations.forEach(one => { %><details class="card" data-item data-verdict="open" data-endpoints="<%= one.endpoints.join(' ') %>"<% if (one.open) { %> open<% } %>>
<summary><%~ include('@sign-read', { kind: 'open', sign: '○', word: 'left open' }) %> <%~ include('@prose', { pieces: one.statement }) %></summary>
<p class="detail"><span class="data"><%= one.requirement %></span><% if (one.section) { %>, section <%= one.section %><% } %></p>
<ul class="seen">
<% one.seen.forEach(seen => { %><li><span class="data"><%= seen.text %></span> <span class="detail"><%= seen.where %></span></li>
<% }) %></ul>
</details>
<% }) %></section><% } %>
<section class="part" aria-labelledby="left-behind">
<h2 id="left-behind">What the run left behind</h2>
<% if (it.leftBehind.length === 0) { %><p class="card">Nothing that the API could not take away again.</p><% } %>
<%~ include('@residue', { residue: it.leftBehind }) %>
</section>
<% if (it.notExercised.length > 0) { %><section class="part" aria-labelledby="not-exercised">
<h2 id="not-exercised">Fields that were not sent</h2>
<p class="detail">For want of vocabulary or capability in the target file; the checks went without them.</p>
<%~ include('@residue', { residue: it.notExercised }) %>
</section><% } %>
<section class="part" aria-labelledby="about">
<h2 id="about">About this run</h2>
<dl class="card pairs">
<% it.facts.forEach(fact => { %><div><dt><%= fact.name %></dt><dd class="data"><%= fact.value %></dd></div>
<% }) %></dl>
</section>
`;

/** Things of one kind, with what they are called. */
export const residue = `<% it.residue.forEach(one => { %><details class="card" data-item data-verdict="" data-endpoints="">
<summary><%= one.title %><% if (one.detail) { %> <span class="data"><%= one.detail %></span><% } %> <span class="detail"><%= one.items.length + one.more %></span></summary>
<p class="tags"><% one.items.forEach(item => { %><span class="tag data"><%= item %></span> <% }) %><% if (one.more > 0) { %><span class="detail">and <%= one.more %> more</span><% } %></p>
</details>
<% }) %>`;
