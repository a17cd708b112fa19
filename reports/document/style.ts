/**
 * The style of the pages: light or dark like the reader's system, from phones to wide screens, and on paper. Each kind
 * of mark has its own colour and shape.
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #f6f7f9; --card: #ffffff; --ink: #1b1f26; --faint: #545c69; --line: #d5dae2; --link: #0b57b0; --code: #f0f2f6;
  --pass: #1a6b3c; --fail: #b3261e; --warn: #8a5a00; --untested: #4a5a78; --error: #7b2d9e; --on: #ffffff; --mark: #ffe08a; --mark-ink: #1b1f26;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12151a; --card: #1b1f27; --ink: #e7eaf0; --faint: #a5aebd; --line: #343b48; --link: #8ab8ff; --code: #12151a;
    --pass: #7bd79d; --fail: #ff9b92; --warn: #f2c14e; --untested: #a9b9da; --error: #d9a3f5; --on: #12151a; --mark: #f2c14e; --mark-ink: #12151a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4, p, dl, dd, ul, ol, pre { margin: 0; }
h1 { font-size: 2rem; line-height: 1.2; display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: center; }
h1 .first { display: inline-block; } h1 .first::first-letter { text-transform: uppercase; }
h2 { font-size: 1.25rem; margin-bottom: .6rem; }
h3 { font-size: 1.05rem; }
h4 { font-size: .875rem; color: var(--faint); margin: .8rem 0 .3rem; display: flex; gap: .8rem; align-items: center; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
[hidden] { display: none !important; }
code, pre, .data { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .9em; unicode-bidi: isolate; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem; white-space: pre-wrap; overflow: auto; max-height: 24rem; }
pre code { font-size: 1em; }
.strong { font-weight: 600; }
.faint, .detail, dt, .kicker { color: var(--faint); }
.detail, .kicker, dt { font-size: .875rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem; z-index: 3; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 0 0 .8rem; overflow: clip; }
.part { margin-top: 2rem; }
.top { border-left: .5rem solid; padding: .4rem 0 .4rem 1rem; margin-bottom: 1.2rem; }
.verdict-pass { border-color: var(--pass); } .verdict-fail { border-color: var(--fail); } .verdict-untested { border-color: var(--untested); }
.verdict-pass h1 { color: var(--pass); } .verdict-fail h1 { color: var(--fail); } .verdict-untested h1 { color: var(--untested); }
.lead { font-size: 1.15rem; margin: .3rem 0 .6rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: .3rem 1.2rem; }
.steps { padding-left: 1.4rem; } .steps li { margin-bottom: .4rem; }
.steps .detail { display: block; }
.contents ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin-bottom: .8rem; }
.mark { display: inline-grid; place-items: center; flex: none; width: 1.25rem; height: 1.25rem; font: 700 .8rem/1 system-ui, sans-serif; color: var(--on); vertical-align: 0; }
h1 .coverage { font-size: 1.2rem; font-weight: normal; color: var(--ink); } h1 .mark { width: 2.2rem; height: 2.2rem; font-size: 1.3rem; }
.mark-pass { background: var(--pass); border-radius: 50%; }
.mark-fail { background: var(--fail); }
.mark-warn { background: var(--warn); clip-path: polygon(50% 0, 100% 100%, 0 100%); padding-top: .3rem; }
.mark-untested { color: var(--untested); border: 2px dashed var(--untested); border-radius: 50%; }
.mark-error { background: var(--error); clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); font-size: .65rem; }
.mark-not-applicable { color: var(--faint); }
.mark-open { color: var(--faint); border: 1px solid var(--faint); border-radius: .2rem; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .875rem; margin-bottom: .8rem; }
.legend li { display: flex; gap: .35rem; align-items: center; }
.wide { overflow-x: auto; position: relative; background: linear-gradient(to left, var(--line), transparent) right / 1.2rem 100% no-repeat; }
.cue { display: none; } @media (max-width: 46rem) { .cue { display: block; } }
.timeline { padding-left: 2.4rem; margin: .5rem 0; } .timeline li { border-left: .2rem solid var(--line); padding: .1rem 0 .3rem .6rem; } .timeline li.accused, .race li:last-child { border-left-color: var(--fail); }
.matrix { border-collapse: collapse; font-size: .875rem; }
.matrix th, .matrix td { border-bottom: 1px solid var(--line); padding: .2rem; text-align: center; }
.matrix th { font-weight: 600; } .matrix thead th { vertical-align: bottom; }
.matrix th:first-child { text-align: left; white-space: nowrap; position: sticky; left: 0; background: var(--card); padding-right: .6rem; overflow-wrap: normal; }
.share { display: inline-block; min-width: 2.2em; padding: .1rem .25rem; border-radius: .3rem; text-align: center; color: #111; }
.share-0 { background: #f2b8b5; } .share-1 { background: #f8cda0; } .share-2 { background: #f7e39a; } .share-3 { background: #dcea9d; } .share-4 { background: #b7e0a5; } .share-5 { background: #8fd19e; }
.matrix a.share { color: #111; text-decoration: none; } .section h3 { margin: .8rem 0 .2rem; font-size: .9rem; } 
.matrix .minor, .matrix .number, .matrix .text { white-space: nowrap; padding-right: .6rem; }
.matrix .text { text-align: left; font-weight: 400; } .matrix td.text { white-space: normal; min-width: 6rem; } .matrix .number { text-align: right; }
.matrix td.drop { background: var(--code); outline: 2px solid var(--fail); outline-offset: -2px; }
.fall { display: block; color: var(--fail); font-weight: 700; font-size: .75rem; line-height: 1; }
.source { display: block; font-size: .75rem; color: var(--faint); }
.matrix tbody tr:hover > * { background: var(--code); }
.matrix td a { display: inline-block; border-radius: .3rem; } .matrix .turned a { text-decoration: none; }
.matrix td a:hover { outline: 2px solid var(--link); }
thead .turned span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; font-weight: 400; max-height: 11rem; overflow: hidden; }
.filter { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; background: var(--paper); border-bottom: 1px solid var(--line); padding: .6rem 0; margin-top: 1.6rem; }
.filter label { font-size: .875rem; } .filter p { font-size: .875rem; color: var(--faint); }
input, select, button { font: inherit; font-size: .875rem; color: var(--ink); background: var(--card); border: 1px solid var(--faint); border-radius: .3rem; padding: .25rem .5rem; max-width: 100%; }
button { cursor: pointer; }
.cause { border-left-width: .35rem; } .cause-fail { border-left-color: var(--fail); } .cause-warn { border-left-color: var(--warn); } .cause-pass { border-left-color: var(--pass); }
.tags { margin: .4rem 0; } .tag { display: inline-block; background: var(--code); border: 1px solid var(--line); border-radius: .3rem; padding: 0 .4rem; margin: 0 .1rem .2rem 0; max-width: 100%; }
summary { cursor: pointer; }
.finding { border-top: 1px solid var(--line); padding: .5rem 0; }
.block { padding: .4rem 0 .4rem 1rem; }
.pairs > div, .difference > div { display: grid; grid-template-columns: 9rem 1fr; gap: .6rem; padding: .1rem 0; }
.got { color: var(--fail); font-weight: 600; } .expected { color: var(--pass); }
.difference { border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .6rem; margin: .5rem 0; background: var(--code); }
.difference dd { white-space: pre-wrap; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: .2rem; padding: 0 .15rem; }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 0 1rem; }
.exchange > div { min-width: 0; }
.command pre { max-height: 9rem; }
.section summary { display: flex; flex-wrap: wrap; gap: .2rem .5rem; } .section summary .strong { flex: 1 1 14rem; }
.section summary::before { content: '▸' / ''; } .section[open] summary::before { content: '▾' / ''; }
.tally { display: flex; flex-wrap: wrap; gap: .1rem .9rem; font-size: .875rem; } .count { display: inline-flex; gap: .3rem; align-items: center; }
.rows, .seen { list-style: none; padding: 0; margin-top: .6rem; }
.rows li { display: grid; grid-template-columns: 1.25rem 1fr; gap: .6rem; padding: .4rem 0; border-top: 1px solid var(--line); }
.seen li { padding: .15rem 0; border-top: 1px solid var(--line); }
.course > div { grid-template-columns: 1.5rem 1fr; }
footer { margin: 2rem 0 1rem; }
@media (max-width: 40rem) {
  body { padding: .7rem; } h1 { font-size: 1.6rem; } .card { padding: .7rem; } .filter { position: static; } html { scroll-padding-top: 0; }
  .matrix .minor { display: none; } .matrix th:first-child { padding-right: .2rem; }
  .block { padding-left: 0; } .pairs > div, .difference > div { grid-template-columns: 1fr; gap: 0; padding: .2rem 0; }
}
@media print { body { max-width: none; } .filter, .contents, button { display: none !important; } pre { max-height: none; } }
@media (forced-colors: active) { .mark { border: 1px solid; clip-path: none; } }
`;
