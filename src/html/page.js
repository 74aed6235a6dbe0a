
'use strict';
// The filter of a list: items without all the words, without the chosen value or without a mark
// are hidden.
for (const controls of document.querySelectorAll('.controls')) {
  const part = controls.dataset.text;
  const items = [...document.querySelectorAll(controls.dataset.of)].map((item) => {
    const text = (part && item.querySelector(part) || item).textContent;
    return {item, text: text.toLowerCase()};
  });
  const search = controls.querySelector('input[type=search]');
  const others = [...controls.querySelectorAll('[data-key]')];
  const output = controls.querySelector('output');
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (item, control) => {
      const value = item.dataset[control.dataset.key];
      if (control.type === 'checkbox') return !control.checked || value !== undefined;
      return !control.value || value === control.value;
    };
    let count = 0;
    for (const {item, text} of items) {
      const seen = words.every((word) => text.includes(word)) &&
        others.every((control) => has(item, control));
      item.classList.toggle('away', !seen);
      count += seen ? 1 : 0;
    }
    const noun = output.dataset.item + (items.length === 1 ? '' : 's');
    output.textContent = `${count} of ${items.length} ${noun}`;
  };
  controls.addEventListener('input', filter);
  controls.hidden = false;
  filter();
}
// The columns of a table are buttons that sort its rows.
for (const table of document.querySelectorAll('table.sorted')) {
  const body = table.tBodies[0];
  const value = (row, at) => {
    const cell = row.cells[at];
    const exact = cell.querySelector('data, time');
    return exact ? exact.value || exact.dateTime : cell.textContent;
  };
  const order = (a, b) => {
    const [x, y] = [a, b].map(Number);
    if (a !== '' && b !== '' && !isNaN(x) && !isNaN(y)) return x - y;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.ariaSort === 'ascending';
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = down ? 'descending' : 'ascending';
      const rows = [...body.rows].map((row) => [value(row, at), row]);
      rows.sort(([a], [b]) => down ? order(b, a) : order(a, b));
      body.append(...rows.map(([, row]) => row));
    });
  });
}
// What a link leads to is shown, and opened.
const follow = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) {
    at.classList.remove('away');
    if (at.tagName === 'DETAILS') at.open = true;
  }
  target.scrollIntoView({block: 'center'});
};
addEventListener('hashchange', follow);
follow();
