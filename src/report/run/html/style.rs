//! The style of the page, from 400 pixels on; and the text search, the only script.

pub(super) const STYLE: &str = "
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .2rem; }
h3, .id, pre { font-family: ui-monospace, monospace; }
h3, td, p, li, summary { overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { border: 1px solid #8886; padding: .15rem .6rem; text-align: left; vertical-align: top; }
.sum { font-weight: 600; } .cases { width: 100%; }
pre { background: #8881; overflow-x: auto; padding: .5rem; font-size: 12px; line-height: 1.3; }
.sources pre { white-space: pre-wrap; overflow-wrap: anywhere; }
article:target { outline: 2px solid #28d; outline-offset: .4rem; }
p { margin: .3rem 0; } .requires, .why { opacity: .8; } .why { font-size: .9em; }
.text { font-weight: 600; } cite { font-style: normal; }
.cause { border-left: 3px solid #da2; padding-left: .8rem; }
.went { border-left: 3px solid #8886; margin: .6rem 0; padding-left: .8rem; }
.datagram { margin-left: .6rem; } .datagram.fault > summary { color: #c22; font-weight: 600; }
summary { cursor: pointer; }
.pass { background: #2a23; } .fail, .error { background: #d224; font-weight: 600; }
.warn, .known, .blocked { background: #da24; } .info { background: #28d3; }
.skipped { background: #8882; }
.verdict { padding: .1rem .5rem; border-radius: .2rem; }
.filter { border: 1px solid #8886; position: sticky; top: 0; background: Canvas; }
.filter { display: flex; flex-wrap: wrap; gap: .2rem .9rem; margin: 0; min-width: 0; }
.filter label { white-space: nowrap; } .filter input[type=search] { max-width: 12rem; }
.filter [hidden] { display: none; }
body:has(#show-failed:checked) .group:not(.is-failed),
body:has(#show-warned:checked) .group:not(.is-warned),
body:has(#show-blocked:checked) .group:not(.is-blocked),
body:has(#show-passed:checked) .group:not(.is-passed),
body:has(#show-skipped:checked) .group:not(.is-skipped),
body:has(#show-failed:checked) .causes, body:has(#show-warned:checked) .causes,
body:has(#show-passed:checked) .causes, body:has(#show-skipped:checked) .causes,
.away { display: none; }
@media (max-width: 40rem) {
  body { padding: 0 .6rem; }
  .cases thead { display: none; }
  .cases tr { display: block; border: 1px solid #8886; margin: .4rem 0; }
  .cases td { display: block; border: 0; padding: .1rem .5rem; }
  .cases td:empty { display: none; }
  .cases .pass, .cases .info, .cases .skipped, .cases .blocked { display: inline-block; }
}
";

/// Hides the cases that do not contain the searched text.
pub(super) const SCRIPT: &str = "
const find = document.getElementById('find');
find.parentElement.hidden = false;
find.addEventListener('input', () => {
  const wanted = find.value.toLowerCase();
  for (const one of document.querySelectorAll('.case')) {
    one.classList.toggle('away', !one.textContent.toLowerCase().includes(wanted));
  }
});
";
