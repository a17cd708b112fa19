/** The requirements by section of the specification, each with its verdict. */
export const requirements = `
<section class="part" aria-labelledby="requirements">
<h2 id="requirements">Requirements by section of the specification</h2>
<% it.sections.forEach(section => { %><details class="card section" id="<%= section.anchor %>" data-group<% if (section.open) { %> open<% } %>>
<summary><span class="strong"><%= section.section %> <%= section.title %></span> <span class="tally"><% section.tally.forEach(one => { %><span class="count"><%~ include('@sign', one.mark) %><%= one.count %> <%= one.mark.word %></span> <% }) %></span></summary>
<ul class="rows">
<% section.rows.forEach(row => { %><li data-item data-verdict="<%= row.mark.kind %>" data-endpoints="<%= row.endpoints.join(' ') %>"><%~ include('@sign-read', row.mark) %><div><p><%~ include('@prose', { pieces: row.statement }) %></p><p class="detail"><% if (row.href) { %><a class="data" href="<%= row.href %>"><%= row.id %></a><% } else { %><span class="data"><%= row.id %></span><% } %>, <%= row.level %>, <%= row.mark.word %><% if (row.because) { %>: <%= row.because %><% } %></p></div></li>
<% }) %></ul>
</details>
<% }) %></section>
`;
