
'use strict';
// The filter of a list: items without all the words, without the chosen value or without a mark
// are hidden.
const counts = [];
for (const controls of document.querySelectorAll('.controls')) {
  const part = controls.dataset.text;
  const items = [...document.querySelectorAll(controls.dataset.of)].map((item) => {
    const text = (part && item.querySelector(part) || item).textContent;
    return {item, text: text.toLowerCase()};
  });
  const search = controls.querySelector('input[type=search]');
  const others = [...controls.querySelectorAll('[data-key]')];
  const output = controls.querySelector('output');
  const noun = output.dataset.item + (items.length === 1 ? '' : 's');
  const count = () => {
    const shown = items.filter(({item}) => !item.classList.contains('away'));
    output.textContent = `${shown.length} of ${items.length} ${noun}`;
  };
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (item, control) => {
      const value = item.dataset[control.dataset.key];
      if (control.type === 'checkbox') return !control.checked || value !== undefined;
      return !control.value || value === control.value;
    };
    for (const {item, text} of items) {
      const seen = words.every((word) => text.includes(word)) &&
        others.every((control) => has(item, control));
      item.classList.toggle('away', !seen);
    }
    count();
  };
  counts.push(count);
  controls.addEventListener('input', filter);
  controls.hidden = false;
  filter();
}
// An address with a port as a text of fixed length, so that addresses stand in the order of their
// numbers, IPv4 first; any other text as it is.
const placed = (text) => {
  const four = /^(\d+)\.(\d+)\.(\d+)\.(\d+):(\d+)$/.exec(text);
  const six = /^\[([0-9a-f:.]+)\]:(\d+)$/.exec(text);
  if (four) return '4:' + four.slice(1).map((part) => part.padStart(5, '0')).join('');
  if (!six) return text;
  const [head, tail] = (six[1] + '::').split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const parts = [...head, ...zeros, ...tail].map((part) => part.padStart(4, '0'));
  return '6:' + parts.join('') + six[2].padStart(5, '0');
};
// The columns of a table are buttons that sort its rows.
for (const table of document.querySelectorAll('table.sorted')) {
  const body = table.tBodies[0];
  const value = (row, at) => {
    const cell = row.cells[at];
    const exact = cell.querySelector('data, time');
    return exact ? exact.value || exact.dateTime : placed(cell.textContent);
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
  for (const count of counts) count();
  target.scrollIntoView({block: 'center'});
};
addEventListener('hashchange', follow);
follow();
