// SPDX-License-Identifier: BSD-3-Clause
// What all pages share: elements, numbers with units, bars, and tables that sort. Texts enter the page as text nodes,
// never as HTML.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);

function element(namespace, tag, attributes, children) {
  const made = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ''));
  return made;
}
const html = (tag, attributes, ...children) => element('http://www.w3.org/1999/xhtml', tag, attributes, children);
const svg = (tag, attributes, ...children) => element('http://www.w3.org/2000/svg', tag, attributes, children);

const sum = numbers => numbers.reduce((x, y) => x + y, 0);
const plural = (count, noun) => `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
const whole = x => Math.round(x).toLocaleString('en').replaceAll(',', '\u202f');

// Returns three significant digits, without an exponent.
function digits(x) {
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1000) return whole(x);
  return size >= 1e-6 ? x.toFixed(Math.min(8, Math.max(0, 2 - Math.floor(Math.log10(size))))) : x.toExponential(2);
}
const percent = x => `${x > 0 && x < 0.0995 ? (100 * x).toPrecision(2) : (100 * x).toFixed(1).replace('100.0', '100')} %`;

// Each returns a function that writes values in a unit that fits the largest one.
function inUnit(units) {
  return largest => {
    const [factor, unit] = units.find(([one]) => largest >= one) ?? units.at(-1);
    return x => `${unit === 'bytes' ? whole(x) : digits(x / factor)} ${unit}`;
  };
}
const secondsFor = inUnit([[1, 's'], [1e-3, 'ms'], [1e-6, 'µs']]);
const bytesFor = inUnit([[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']]);
const seconds = x => secondsFor(x)(x);
const bytes = x => bytesFor(Math.abs(x))(x);

// Returns a section with a heading.
function section(title, ...content) {
  const id = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return html('section', {'aria-labelledby': id}, html('h2', {id}, title), ...content);
}

function facts(pairs) {
  return html('dl', {class: 'facts'}, pairs.filter(([, value]) => value).map(
      ([name, value]) => html('div', {}, html('dt', {}, name), html('dd', {}, value))));
}

function legend(series) {
  return html('ul', {class: 'legend'},
              series.map(one => html('li', {}, html('i', {class: one.color}), one.name)));
}

// Returns a figure with bars for the values of each row: {label, detail, values, remark}. A value may be null: not known.
// The length of a bar is its share of the largest value, or of `full`: then a track shows how long a bar can be.
function bars(rows, series, format, {full = null, caption = null} = {}) {
  const room = 80, height = 15, gap = 3;  // % of the width for the longest bar; pixels
  const largest = full ?? Math.max(...rows.flatMap(row => row.values.map(value => value ?? 0)), 0);
  const write = format(largest), text = value => value === null ? 'not known' : write(value);
  const bar = (value, k) => {
    const y = k * (height + gap), length = largest > 0 && value > 0 ? Math.min(room, room * value / largest) : 0;
    return [
      full ? svg('rect', {class: 'track', y, height, rx: 2, style: `width: ${room}%`}) : null,
      svg('rect', {class: series[k].color, y, height, rx: 2, style: `width: max(2px, ${length.toFixed(3)}%)`}),
      svg('text', {x: `${full ? room : length.toFixed(3)}%`, dx: 7, y: y + height - 3}, text(value))];
  };
  const lines = rows.map(row => html('div', {class: 'row'},
    html('div', {}, html('span', {class: 'value'}, row.label), row.remark ? ' ' : '', row.remark,
         [row.detail ?? []].flat().map(line => html('small', {}, line))),
    svg('svg', {height: row.values.length * (height + gap) - gap, role: 'img',
                'aria-label': row.values.map((value, k) => `${series[k].name}: ${text(value)}`).join('; ')},
        ...row.values.flatMap(bar))));
  return html('figure', {}, series.length > 1 ? legend(series) : '', ...lines,
              caption ? html('figcaption', {class: 'note'}, caption) : '');
}

// Returns a table of rows. Columns: {head, value, text, number, mark}; a click on a head sorts by `value`, numbers the
// largest first. `total`: a row that stays at the end.
function table(columns, rows, {total = null, label = ''} = {}) {
  const cell = (column, row) => html('td', {class: [column.number ? 'number' : '', column.wrap ? 'wrap' : '',
                                                    column.mark?.(row) ? 'alarm-text' : ''].join(' ').trim() || null},
                                     (column.text ?? column.value)(row));
  const line = (row, name) => html('tr', {class: name}, columns.map(column => cell(column, row)));
  const body = html('tbody', {}, rows.map(row => line(row, null)));
  const heads = columns.map(column => html('th', {scope: 'col', class: column.number ? 'number' : null, 'aria-sort': 'none'},
      html('button', {type: 'button', click: () => sortBy(column)}, column.head)));
  function sortBy(column) {
    const head = heads[columns.indexOf(column)], before = head.getAttribute('aria-sort');
    const ascending = before === 'none' ? !column.number : before === 'descending';
    for (const other of heads) other.setAttribute('aria-sort', 'none');
    head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
    const order = (x, y) => x === null ? (y === null ? 0 : -1) : y === null ? 1 :
      column.number ? x - y : String(x).localeCompare(String(y), 'en', {numeric: true});
    const sorted = [...rows].sort((x, y) => (ascending ? 1 : -1) * order(column.value(x), column.value(y)));
    body.replaceChildren(...sorted.map(row => line(row, null)));
  }
  return html('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label},
              html('table', {}, html('thead', {}, html('tr', {}, heads)), body,
                   total ? html('tfoot', {}, line(total, 'total')) : ''));
}

function show(...content) {
  document.getElementById('page').replaceChildren(...content.flat().filter(child => child));
}
